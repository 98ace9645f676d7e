import { basename, dirname, join, resolve, sep } from 'node:path';
import { readText } from '../common/files.ts';
import { readJsonFile } from '../common/json-file.ts';
import { createRedactor } from '../common/redact.ts';
import { commandOf } from '../common/suite.ts';
import { isClause } from '../contract/clauses.ts';
import { consoleReport } from '../reports/console/console.ts';
import { writeReports } from '../reports/write.ts';
import { concludeRun } from '../results/conclude.ts';
import { redactedRun } from '../results/redact-run.ts';
import { parseWaivers } from '../results/waivers.ts';
import type { Env } from '../settings/env-file.ts';
import { parseSettings, readGiven, refuseNearNames } from '../settings/settings.ts';
import { targetsOf } from '../settings/target.ts';
import { judgeRecording } from '../suites/recorded/judge-recording.ts';
import { readRecording } from '../suites/recorded/recording.ts';
import { another, carryOut, createCommand, httpUrl } from './command.ts';

const command = createCommand(
  'har',
  'FILE [options]',
  `Judges recorded traffic (a HAR file of a browser, a proxy, a gateway) by the clauses on every response, and sends nothing. Exit status and reports as with ${commandOf('test')}, also with STRICT and WAIVERS. Reports go into REPORTS_DIR, else into reports/recorded; for a FILE that lies there, into har/ beside it.`,
)
  .argument('<file>', 'a HAR file with calls of the developer API (/api/v1/…) or the workspace API (/v1/…)')
  .option(
    '--origin <url>',
    'judge the calls to this origin; may be given again (default: that of the settings, else the one whose calls match documented endpoints)',
    (url: string, before?: readonly string[]) => another(httpUrl(url), before),
  );

async function run(): Promise<number> {
  const [file = ''] = command.args;
  const { origin = [] } = command.opts();
  const startedAt = new Date();
  const redactor = createRedactor();
  const given = readGiven();
  refuseNearNames(given);
  // Nothing is sent: keys without a target are no mistake here, and a target needs none of its own.
  const settings = parseSettings({ ...given, SANDBOX_API_KEY: 'svc_test_not-sent', WORKSPACE_API_KEY: 'not-sent-key' });
  const named = {
    given: origin,
    settings: Object.fromEntries(targetsOf(settings).map((one) => [one.api, one.origin])),
  };
  const recording = readRecording(readText(file), { name: file, folder: dirname(file), named }, redactor);
  const { exchanges, origins, leftOut, hasBodies } = recording;
  const results = await judgeRecording(recording, redactor);
  const judged = new Set(results.flatMap(({ id, outside }) => (outside === undefined ? [id as string] : [])));
  const waivers = settings.WAIVERS === undefined ? [] : readJsonFile('WAIVERS', settings.WAIVERS, parseWaivers);
  const run = concludeRun({
    startedAt,
    targets: Object.fromEntries(Object.entries(origins).map(([api, url]) => [api, { url }])),
    selection: `recorded traffic (${basename(file)})`,
    results,
    // Others are for clauses that a recording cannot decide.
    waivers: waivers.filter(({ clause }) => judged.has(clause) || !isClause(clause)),
    trouble: hasBodies ? null : 'no body of an answer was recorded: export with response bodies',
    notes: leftOut,
    settings: { STRICT: settings.STRICT },
    exchanges,
  });
  const report = redactedRun(run, redactor);
  const folder = folderFor(file, given);
  writeReports(report, folder);
  process.stdout.write(consoleReport(report, { page: join(folder, 'conformance.html') }));
  return report.exitCode;
}

/**
 * The folder for the reports: `har` beside a recording that is itself a report of a run, so that the run's reports are
 * not overwritten.
 */
function folderFor(file: string, env: Env): string {
  const folder = env.REPORTS_DIR || 'reports/recorded';
  return resolve(file).startsWith(resolve(folder) + sep) ? join(dirname(file), 'har') : folder;
}

await carryOut(command, run);

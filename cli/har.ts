import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { createRedactor } from '../common/redact.ts';
import { suiteOf } from '../common/suite.ts';
import { counted } from '../common/words.ts';
import { consoleReport } from '../reports/console/console.ts';
import { writeReports } from '../reports/write.ts';
import { concludeRun } from '../results/conclude-run.ts';
import { redactedRun } from '../results/redact-run.ts';
import { readGiven, reportsFolder } from '../settings/settings.ts';
import { carryOut, createCommand } from './command.ts';
import { judgeRecording } from './har/judge-recording.ts';
import { notWhole, readRecording } from './har/read-exchanges.ts';
import { readNamedFile } from './read-file.ts';

/** Recordings of browsers are large, but a JavaScript string cannot be much longer than this. */
const mostBytes = 256 * 1_048_576;

const command = createCommand(
  'har',
  'FILE',
  'Judges recorded traffic (a HAR file of a browser, a proxy, a gateway) by the clauses on every response, and sends nothing. Exit status and reports as with npm test. Reports go into REPORTS_DIR; for a FILE that lies there, into har/ beside it.',
)
  .argument('<file>', 'a HAR file with calls of the developer API (/api/v1/…) or the workspace API (/v1/…)')
  .option('--strict', 'also end with 1 if a should clause failed');

async function run(): Promise<number> {
  const [file = ''] = command.args;
  const { strict = false } = command.opts<{ strict?: true }>();
  const startedAt = new Date();
  const redactor = createRedactor();
  const { exchanges, origins, others } = readRecording(readNamedFile(file, mostBytes).toString('utf8'), file, redactor);
  const results = await judgeRecording(exchanges, origins, redactor);
  const count = (api: string): number => exchanges.filter((exchange) => exchange.api === api).length;
  const run = concludeRun({
    suite: suiteOf(),
    startedAt,
    endedAt: new Date(),
    seed: 0,
    targets: Object.fromEntries(Object.entries(origins).map(([api, url]) => [api, { url }])),
    embedded: false,
    selection: `recorded traffic (${basename(file)})`,
    results,
    waivers: [],
    profile: null,
    before: null,
    strict,
    trouble: null,
    timing: null,
    requests: { developer: count('developer'), workspace: count('workspace') },
    notes: [
      ...leftOut(others, 'calls of neither API'),
      ...leftOut(exchanges.filter(({ failure }) => failure?.message === notWhole).length, 'incomplete bodies'),
    ],
    settings: { STRICT: strict ? '1' : '0' },
    exchanges,
    deliveries: [],
  });
  const report = redactedRun(run, redactor);
  const folder = folderFor(file);
  writeReports(report, folder);
  process.stdout.write(consoleReport(report, { page: join(folder, 'conformance.html') }));
  return report.exitCode;
}

const leftOut = (many: number, what: string): string[] =>
  many === 0 ? [] : [`${counted(many, 'entry')} of the recording left out: ${what}`];

/**
 * The folder for the reports: `har` beside a recording that is itself a report of a run, so that the run's reports are
 * not overwritten.
 */
function folderFor(file: string): string {
  const folder = reportsFolder(readGiven().env);
  const place = existsSync(folder) ? relative(realpathSync(folder), realpathSync(file)) : '..';
  const isAmongReports = !isAbsolute(place) && place.split(sep)[0] !== '..';
  return isAmongReports ? join(dirname(file), 'har') : folder;
}

await carryOut(command, run);

import { spawnSync } from 'node:child_process';
import { CannotRun } from '../common/cannot-run.ts';
import { fileTrouble } from '../common/files.ts';
import { nearestHint } from '../common/nearest.ts';
import { createRedactor, type Redactor } from '../common/redact.ts';
import { commandOf } from '../common/suite.ts';
import { block, visible } from '../reports/text.ts';
import { Skipped } from '../results/outcome.ts';
import type { Finding } from '../results/verdict.ts';
import { readGiven, readSettings, reportsFolder, type Settings, secretsIn } from '../settings/settings.ts';
import { developerApi } from '../suites/developer/api.ts';
import { createPolicy } from '../suites/session/pace/policy.ts';
import { workspaceApi } from '../suites/workspace/api.ts';
import { carryOut, createCommand } from './command.ts';
import { readRun } from './read-file.ts';

/** A script may wait for a limit's window. */
const longestMs = 300_000;
const mostBytes = 1_048_576;

const command = createCommand(
  'repeat',
  'CLAUSE [REPORTS_DIR]',
  'Makes the calls of a clause’s findings again, with the settings of the environment and .env, and shows each answer beside what was expected. The calls are the shell lines of the report, so it needs a POSIX shell and curl. Ends with 0 if all could be made, whatever was answered, and with 2 otherwise.',
)
  .argument('<clause>', 'the id of a clause that the report has findings on')
  .argument('[reports]', 'the folder of the report (default: REPORTS_DIR)');

async function run(): Promise<number> {
  const [clause = '', folder] = command.args;
  const env = readGiven();
  const findings = findingsOn(clause, folder ?? reportsFolder(env));
  const settings = readSettings();
  assertAllowed(clause, findings.map(({ curl }) => curl).join('\n'), settings);
  const redactor = createRedactor();
  secretsIn(settings).forEach(redactor.learn);
  const ended = findings.map((finding) => repeat(finding, env, redactor));
  return ended.every((isMade) => isMade) ? 0 : 2;
}

/** The findings of a report on a clause that have a script. Throws CannotRun where there are none. */
function findingsOn(clause: string, folder: string): readonly Finding[] {
  const { clauses, embedded } = readRun(folder, `Cannot repeat ${clause}`);
  const row = clauses.find(({ id }) => id === clause);
  if (row === undefined) {
    const ids = clauses.map(({ id }) => id);
    throw new CannotRun(`Cannot repeat ${clause}: no clause has this id${nearestHint(clause, ids)}`);
  }
  if (embedded) {
    throw new CannotRun(
      `Cannot repeat ${clause}: the run judged the built-in reference, which ended with it; ${commandOf('reference')} serves one`,
    );
  }
  // Recorded traffic has a comment in the place of a script.
  const repeatable = row.findings.filter(({ curl }) => curl !== undefined && !curl.startsWith('#'));
  if (repeatable.length === 0) {
    throw new CannotRun(
      `Cannot repeat ${clause}: its verdict is ${row.verdict}, and no finding of the report has calls`,
    );
  }
  return repeatable;
}

/** Throws CannotRun where the settings forbid calls of a clause's scripts. */
function assertAllowed(clause: string, scripts: string, settings: Settings): void {
  const api = clause.startsWith('workspace.') ? workspaceApi : developerApi;
  const { assertMayWrite, assertMayExhaust } = createPolicy(api, settings);
  const makesLive = /(LIVE|ENTERPRISE)_API_KEY|"live"/.test(scripts);
  try {
    for (const [, method = ''] of scripts.matchAll(/ -X (\w+)/g)) {
      assertMayWrite({ method, key: null, makesLive });
    }
    if (scripts.includes('$(seq ')) {
      assertMayExhaust({ label: 'a given key', origin: scripts.includes('$KEY') ? 'own' : 'given' });
    }
  } catch (error) {
    throw error instanceof Skipped ? new CannotRun(`Cannot repeat ${clause}: ${error.message}`) : error;
  }
}

/** Makes the calls of a finding and shows what came. Returns whether they could be made. */
function repeat(
  { message, expected, actual, curl = '' }: Finding,
  env: Readonly<Record<string, string | undefined>>,
  { clean }: Redactor,
): boolean {
  const { error, status, stdout, stderr } = spawnSync('sh', ['-c', curl], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: longestMs,
    maxBuffer: mostBytes,
  });
  const rows = [
    message,
    ...(expected === undefined ? [] : [`  expected   ${expected}`]),
    ...(actual === undefined ? [] : [`  got        ${actual}`]),
    '  now',
    indented(clean(`${stdout ?? ''}${status === 0 ? '' : (stderr ?? '')}`)),
    ...(error === undefined ? [] : [`  The calls could not be made: ${fileTrouble(error)}`]),
  ];
  process.stdout.write(`${rows.map((row) => visible(clean(row))).join('\n')}\n\n`);
  return error === undefined && status === 0;
}

const indented = (text: string): string =>
  block(text, mostBytes, 200)
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

await carryOut(command, run);

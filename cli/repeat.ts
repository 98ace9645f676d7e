import { spawnSync } from 'node:child_process';
import { CannotRun } from '../common/cannot-run.ts';
import { fileTrouble } from '../common/files.ts';
import { member } from '../common/json.ts';
import { nearestHint } from '../common/nearest.ts';
import { createRedactor, type Redactor } from '../common/redact.ts';
import { settings as table } from '../contract/settings.ts';
import { block, visible } from '../reports/text.ts';
import { readGiven, readSettings, reportsFolder, secretsIn } from '../settings/settings.ts';
import { carryOut, createCommand } from './command.ts';
import { readReport } from './read-file.ts';

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

/** A finding whose calls can be made again. */
type Repeatable = Partial<Record<'message' | 'expected' | 'actual', string>> & { readonly curl: string };

async function run(): Promise<number> {
  const [clause = '', folder] = command.args;
  const { env } = readGiven();
  const findings = findingsOn(clause, folder ?? reportsFolder(env));
  const redactor = createRedactor();
  secretsIn(readSettings()).forEach(redactor.learn);
  const ended = findings.map((finding) => repeat(finding, env, redactor));
  return ended.every((isMade) => isMade) ? 0 : 2;
}

/** The findings of a report on a clause that have a script. Throws CannotRun where there are none. */
function findingsOn(clause: string, folder: string): readonly Repeatable[] {
  const report = readReport(folder, `Cannot repeat ${clause}`, (json) => json);
  const clauses = member(report, 'clauses');
  const rows = Array.isArray(clauses) ? (clauses as readonly unknown[]) : [];
  const row = rows.find((one) => member(one, 'id') === clause);
  if (row === undefined) {
    const ids = rows.map((one) => String(member(one, 'id')));
    throw new CannotRun(`Cannot repeat ${clause}: no clause has this id${nearestHint(clause, ids)}`);
  }
  if (member(report, 'embedded') === true) {
    throw new CannotRun(
      `Cannot repeat ${clause}: the run judged the built-in reference, which ended with it; npm run reference serves one`,
    );
  }
  const findings = member(row, 'findings');
  // Recorded traffic has a comment in the place of a script.
  const repeatable = (Array.isArray(findings) ? findings : []).filter(
    (one): one is Repeatable => typeof member(one, 'curl') === 'string' && !String(member(one, 'curl')).startsWith('#'),
  );
  if (repeatable.length === 0) {
    const verdict = String(member(row, 'verdict'));
    throw new CannotRun(`Cannot repeat ${clause}: its verdict is ${verdict}, and no finding of the report has calls`);
  }
  return repeatable;
}

/** Makes the calls of a finding and shows what came. Returns whether they could be made. */
function repeat(
  { message = '', expected, actual, curl }: Repeatable,
  env: Readonly<Record<string, string | undefined>>,
  { clean }: Redactor,
): boolean {
  const named = table.flatMap(({ name }) => (env[name] ? [[name, env[name]] as const] : []));
  const { error, status, stdout, stderr } = spawnSync('sh', ['-c', curl], {
    env: { ...process.env, ...Object.fromEntries(named) },
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

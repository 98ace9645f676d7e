import { commandOf } from '../common/suite.ts';
import { counted, thousands } from '../common/words.ts';
import { isWrite } from '../contract/endpoint.ts';
import { duration } from '../reports/text.ts';
import { leastText } from '../reports/time-text.ts';
import { unlocksOf, unlockText } from '../results/unlocks.ts';
import { readSettings } from '../settings/settings.ts';
import { nounOf } from '../suites/records/reads.ts';
import { moduleWrites } from '../suites/run/left-behind.ts';
import type { SentCall } from '../suites/session/call.ts';
import type { Entry } from '../suites/session/ledger/ledger.ts';
import type { Session } from '../suites/session/session.ts';
import { another, carryOut, createCommand } from './command.ts';
import { type ApiPlan, type Plan, rehearse } from './plan/rehearse.ts';
import { writeStarter } from './plan/starter-bodies.ts';

const command = createCommand(
  'plan',
  '[developer | workspace] [options]',
  `Prints what ${commandOf('test')} would send with these settings, and how long the limits make it take; sends nothing. The run is rehearsed against the reference deployment in this process, on a clock that skips waits.`,
)
  .argument('[api...]', 'plan only this API')
  .option(
    '-t, --testNamePattern <clause>',
    'plan only clauses whose id starts with this, such as -t developer.auth; may be given again',
    another,
  )
  .option(
    '--bodies <file>',
    'write a starter BODIES file for the calls whose bodies the last run left undecided, and plan nothing',
  );

async function run(): Promise<number> {
  const { testNamePattern: patterns = [], bodies } = command.opts();
  const settings = readSettings();
  if (bodies !== undefined) {
    process.stdout.write(writeStarter(bodies, settings.REPORTS_DIR));
    return 0;
  }
  process.stdout.write(planText(await rehearse({ patterns, filters: command.args }, settings)));
  return 0;
}

/** The plan as text: for each API the credentials, the calls, and what they create and leave behind; then the time. */
function planText(plan: Plan): string {
  const notice = '(for the built-in reference: neither BASE_URL nor WORKSPACE_API_URL is set)';
  return [
    `What ${commandOf('test')} would send with these settings; nothing was sent`,
    ...(plan.embedded ? [notice] : []),
    ...plan.runs.flatMap((run) => ['', ...apiLines(run)]),
    '',
    ...timeLines(plan),
    'Counted on the reference; your deployment may need a few calls more or fewer',
    '',
  ].join('\n');
}

function apiLines({ session, url, results }: ApiPlan): string[] {
  const { calls } = session.book;
  const written = calls.filter(isWriting).length;
  const writes = written === 0 ? 'no writes' : `${thousands(written)} of them writes`;
  // The others need a setting, or another command.
  const decided = results.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed').length;
  const drives = calls.filter(({ isPaced }) => !isPaced).length;
  const unlocks = unlocksOf(results);
  return [
    `${session.api.name} API  ${url}  ${counted(calls.length, 'request')}, ${writes}; judges ${decided} of ${counted(session.clauses.size, 'clause')}`,
    '',
    ...inColumns(callRows(session)),
    '',
    ...(drives === 0
      ? []
      : [`  About ${counted(drives, 'call')} use up limits on purpose; with EXHAUST=none they are not made`]),
    thingLine(session),
    ...(unlocks.length === 0 ? [] : [`  To judge more, set ${unlockText(unlocks)}`]),
  ];
}

const isWriting = ({ call }: SentCall): boolean => isWrite(call.method);

/** The given key that a call is made with; that the run made it, or that it is no valid one. */
const credentialOf = ({ call: { key } }: SentCall): string =>
  key === null || key.origin === 'unknown' ? 'no valid key' : key.origin === 'own' ? 'own keys' : key.label;

/** The name of a credential's column in the table of calls. */
const short = (credential: string): string =>
  credential
    .replace(/_API_KEY$/, '')
    .replace(/^WORKSPACE_/, '')
    .toLowerCase();

function perMinute({ book, api }: Session, credential: string): string {
  const shared = api.keysShareBudget && credential.startsWith('WORKSPACE_') ? api.name : credential;
  const budgets = book.budgets();
  const budget = budgets.find(({ label }) => label === credential) ?? budgets.find(({ label }) => label === shared);
  return budget === undefined ? '' : thousands(budget.perMinute);
}

const count = (calls: number): string => (calls === 0 ? '·' : thousands(calls));

/** The calls by a name, those first whose names come first in the order; others last. */
const grouped = (calls: readonly SentCall[], nameOf: (call: SentCall) => string, order: readonly string[]) => {
  const placeOf = (name: string): number => order.indexOf(name) + 1 || order.length + 1;
  return [...Map.groupBy(calls, nameOf)].sort(([a], [b]) => placeOf(a) - placeOf(b));
};

/** The calls by endpoint and credential, below how many there are, how many of them write, and may be made a minute. */
function callRows(session: Session): string[][] {
  const { api, book } = session;
  const keys = [...api.keys.map(({ setting }) => setting), 'own keys', 'no valid key'];
  const credentials = grouped(book.calls, credentialOf, keys).map(([credential]) => credential);
  const endpoints = api.endpoints.map(({ id }) => id);
  const nameOf = ({ call }: SentCall): string => call.endpoint?.id ?? `${call.method} (outside the documents)`;
  const row = (name: string, calls: readonly SentCall[]): string[] => {
    const own = (credential: string) => calls.filter((call) => credentialOf(call) === credential);
    return [name, count(calls.length), ...credentials.map((credential) => count(own(credential).length))];
  };
  return [
    ['call', 'calls', ...credentials.map(short)],
    row('all', book.calls),
    row('writes', book.calls.filter(isWriting)),
    ['allowed a minute', '', ...credentials.map((credential) => perMinute(session, credential))],
    ...grouped(book.calls, nameOf, endpoints).map(([name, calls]) => row(name, calls)),
  ];
}

/** The lines of a table, with the first column aligned to the left and the others to the right. */
function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    `  ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}`.trimEnd(),
  );
}

/** How many records of each kind the run creates, and which of them the API cannot delete. */
function thingLine({ ledger, book }: Session): string {
  const modules = (['sandbox', 'live'] as const).flatMap((environment) =>
    moduleWrites(book.calls, environment).map(() => `${environment} record`),
  );
  const listed = (entries: readonly Entry[]): string =>
    [...Map.groupBy([...entries.map(({ collection }) => nounOf(collection)), ...modules], (noun) => noun)]
      .map(([noun, all]) => counted(all.length, noun))
      .join(', ');
  const made = listed(ledger.all().filter(({ id }) => id !== undefined));
  const left = listed(ledger.undeletable());
  const deleted = left === '' ? 'all of it' : `all but ${left}, which the API cannot delete`;
  return made === '' ? '  Creates nothing' : `  Creates ${made}; deletes ${deleted}`;
}

function timeLines({ durationMs, timing }: Plan): string[] {
  const waits = timing.waits.slice(0, 5).map(({ what, ms }) => `  ${duration(ms).padStart(12)}  ${what}`);
  return [
    `Takes ${durationMs < 1_000 ? '' : `${duration(durationMs)} plus `}your deployment's response times; ${leastText(timing)}`,
    ...(waits.length === 0 ? [] : ['Waits for', ...waits]),
  ];
}

await carryOut(command, run);

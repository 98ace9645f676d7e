import { commandOf } from '../common/suite.ts';
import { counted, thousands } from '../common/words.ts';
import { duration } from '../reports/text.ts';
import { leastText } from '../reports/time-text.ts';
import { unlockText } from '../results/unlocks.ts';
import { readSettings } from '../settings/settings.ts';
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
  )
  .option('--json', 'print the plan as JSON');

async function run(): Promise<number> {
  const { testNamePattern: patterns = [], json = false, bodies } = command.opts();
  const settings = readSettings();
  if (bodies !== undefined) {
    process.stdout.write(writeStarter(bodies, settings.REPORTS_DIR));
    return 0;
  }
  const plan = await rehearse({ patterns, filters: command.args }, settings);
  process.stdout.write(json ? `${JSON.stringify(plan, null, 2)}\n` : planText(plan));
  return 0;
}

/** The plan as text: for each API the credentials, the calls, and what they create and leave behind; then the time. */
function planText(plan: Plan): string {
  const notice = '(for the built-in reference: neither BASE_URL nor WORKSPACE_API_URL is set)';
  return [
    `What ${commandOf('test')} would send with these settings; nothing was sent`,
    ...(plan.embedded ? [notice] : []),
    ...plan.apis.flatMap((api) => ['', ...apiLines(api)]),
    '',
    ...timeLines(plan),
    'Counted on the reference; your deployment may need a few calls more or fewer',
    '',
  ].join('\n');
}

function apiLines(plan: ApiPlan): string[] {
  const writes = plan.writes === 0 ? 'no writes' : `${thousands(plan.writes)} of them writes`;
  return [
    `${plan.api} API  ${plan.url}  ${counted(plan.requests, 'request')}, ${writes}; judges ${plan.decided} of ${counted(plan.clauses, 'clause')}`,
    '',
    ...inColumns(callRows(plan)),
    '',
    ...(plan.drives === 0
      ? []
      : [`  About ${counted(plan.drives, 'call')} use up limits on purpose; with EXHAUST=none they are not made`]),
    thingLine(plan),
    ...(plan.unlocks.length === 0 ? [] : [`  To judge more, set ${unlockText(plan.unlocks)}`]),
  ];
}

/** The name of a credential's column in the table of calls. */
const short = (credential: string): string =>
  ({ own: 'own keys', invalid: 'no valid key' })[credential] ??
  credential
    .replace(/_API_KEY$/, '')
    .replace(/^WORKSPACE_/, '')
    .toLowerCase();

function perMinute({ budgets, api }: ApiPlan, credential: string): string {
  const shared = api === 'workspace' && credential.startsWith('WORKSPACE_') ? 'workspace' : credential;
  const budget = budgets.find(({ label }) => label === credential) ?? budgets.find(({ label }) => label === shared);
  return budget === undefined ? '' : thousands(budget.perMinute);
}

const count = (calls = 0): string => (calls === 0 ? '·' : thousands(calls));

/** The calls by endpoint and credential, below how many there are, how many of them write, and may be made a minute. */
function callRows(plan: ApiPlan): string[][] {
  const { credentials } = plan;
  return [
    ['call', 'calls', ...credentials.map(({ credential }) => short(credential))],
    ['all', count(plan.requests), ...credentials.map(({ calls }) => count(calls))],
    ['writes', count(plan.writes), ...credentials.map(({ writes }) => count(writes))],
    ['allowed a minute', '', ...credentials.map(({ credential }) => perMinute(plan, credential))],
    ...plan.calls.map(({ method, path, calls, byCredential }) => [
      `${method} ${path ?? '(outside the documents)'}`,
      count(calls),
      ...credentials.map(({ credential }) => count(byCredential[credential])),
    ]),
  ];
}

/** The lines of a table, with the first column aligned to the left and the others to the right. */
function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    `  ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}`.trimEnd(),
  );
}

const listed = (things: Readonly<Record<string, number>>): string =>
  Object.entries(things)
    .map(([noun, many]) => counted(many, noun))
    .join(', ');

function thingLine({ makes, leaves }: ApiPlan): string {
  const left = listed(leaves);
  const deleted = left === '' ? 'all of it' : `all but ${left}, which the API cannot delete`;
  return Object.keys(makes).length === 0 ? '  Creates nothing' : `  Creates ${listed(makes)}; deletes ${deleted}`;
}

function timeLines({ durationMs, timing }: Plan): string[] {
  const waits = timing.waits.slice(0, 5).map(({ what, ms }) => `  ${duration(ms).padStart(12)}  ${what}`);
  return [
    `Takes ${durationMs < 1_000 ? '' : `${duration(durationMs)} plus `}your deployment's response times; ${leastText(timing)}`,
    ...(waits.length === 0 ? [] : ['Waits for', ...waits]),
  ];
}

await carryOut(command, run);

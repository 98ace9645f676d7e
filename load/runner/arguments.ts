import { parseArgs } from 'node:util';
import { CannotRun } from '../../common/cannot-run.ts';
import type { ScriptName } from '../seam/plan.ts';

/** The scripts and the question that each of them answers. */
export const scripts: Readonly<Record<ScriptName, string>> = {
  'per-minute': "is the minute's limit enforced to the call, and by which algorithm (60 to 90 s)",
  burst: 'is the limit kept under many simultaneous calls (about 70 s a burst)',
  'per-day': "is the day's limit enforced to the call (hours; goes on where an earlier run stopped)",
  soak: 'is sustained traffic just under the limit answered, whole and without a refusal',
  shared: 'do two keys share one budget (in the workspace they must)',
};

export const keyNames = ['sandbox', 'live', 'enterprise', 'workspace'] as const;
export type KeyName = (typeof keyNames)[number];

/** What `npm run load -- NAME [options]` was given. */
export interface Arguments {
  readonly script: ScriptName;
  readonly keys: readonly KeyName[];
  readonly bursts: number;
  /** null: as many as the day takes. */
  readonly calls: number | null;
  readonly restore: boolean;
  /** The user says that nobody else has used the keys lately: no idle minutes are awaited, and a short day is a failure. */
  readonly alone: boolean;
  readonly soakMs: number;
  readonly pace: number | null;
  readonly instances: number;
  /** Traces of instances that ran elsewhere: they are judged, and nothing is sent. */
  readonly traces: readonly string[];
  /** Where to put the archive that k6 runs elsewhere; nothing is sent. */
  readonly archive: string | null;
}

export const usage = [
  'npm run load -- NAME [options]',
  '',
  ...Object.entries(scripts).map(([name, question]) => `  ${name.padEnd(12)} ${question}`),
  '',
  '  --key NAMES      sandbox, live, enterprise, workspace, by comma (default: all that are set)',
  '  --bursts N       bursts of the burst script (default 3)',
  '  --calls N        most calls of a per-day run: a lower bound, to go on from later',
  '  --restore        per-day: wait for the day to end, and see whether calls succeed again',
  '  --alone          nobody else has used the keys today: a day that ends early is then a failure',
  '  --for DURATION   length of the soak: 90s, 10m, 2h (default 5m)',
  '  --pace SHARE     share of the limit that paced traffic keeps to (default 0.97 per-day, 0.9 soak)',
  '  --instances N    run as N k6 processes, each with its execution segment, judged together (burst, soak)',
  '  --archive FILE   pack script and plan for instances elsewhere (load/distributed/README.md); sends nothing',
  '  --traces FILES   judge the traces of such instances, by comma; sends nothing',
].join('\n');

const options = {
  key: { type: 'string' },
  bursts: { type: 'string' },
  calls: { type: 'string' },
  restore: { type: 'boolean' },
  alone: { type: 'boolean' },
  for: { type: 'string' },
  pace: { type: 'string' },
  instances: { type: 'string' },
  archive: { type: 'string' },
  traces: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

function whole(name: string, text: string | undefined, least: number, most: number): number | null {
  if (text === undefined) {
    return null;
  }
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) {
    return value;
  }
  throw new CannotRun(
    `Cannot use --${name}: got ${JSON.stringify(text)}, must be a whole number from ${least} to ${most}`,
  );
}

function durationOf(text: string | undefined): number {
  if (text === undefined) {
    return 300_000;
  }
  const match = /^(\d{1,6})(s|m|h)$/.exec(text);
  const ms = Number(match?.[1] ?? 0) * { s: 1000, m: 60_000, h: 3_600_000 }[(match?.[2] ?? 's') as 's' | 'm' | 'h'];
  if (ms > 0 && ms <= 86_400_000) {
    return ms;
  }
  throw new CannotRun(
    `Cannot use --for: got ${JSON.stringify(text)}, must be a duration up to 24h such as 90s, 10m, 2h`,
  );
}

function paceOf(text: string | undefined): number | null {
  if (text === undefined) {
    return null;
  }
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value < 1) {
    return value;
  }
  throw new CannotRun(`Cannot use --pace: got ${JSON.stringify(text)}, must be a share greater than 0 and less than 1`);
}

function keysOf(text: string | undefined): readonly KeyName[] {
  const names = text?.split(',').map((name) => name.trim()) ?? [...keyNames];
  const odd = names.find((name) => !keyNames.includes(name as KeyName));
  if (odd === undefined) {
    return names as KeyName[];
  }
  throw new CannotRun(`Cannot use --key: got ${JSON.stringify(odd)}, must be of ${keyNames.join(', ')}`);
}

function parse(
  argv: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new CannotRun(
      `Cannot use the command line: ${(error as Error).message.split('\n')[0]}; see npm run load -- --help`,
    );
  }
}

/** Reads the command line; null where help was asked for. Throws CannotRun with one line that says what is wrong. */
export function parseArguments(argv: readonly string[]): Arguments | null {
  const { values, positionals } = parse(argv);
  if (values.help) {
    return null;
  }
  const [name, ...rest] = positionals;
  const known = Object.keys(scripts).join(', ');
  if (name === undefined) {
    throw new CannotRun(`Cannot run a script: none is named; there are ${known}`);
  }
  if (!(name in scripts)) {
    throw new CannotRun(`Cannot run the script ${JSON.stringify(name)}: there are ${known}`);
  }
  if (rest.length > 0) {
    throw new CannotRun(`Cannot use the command line: ${JSON.stringify(rest[0])} is one word too many`);
  }
  const script = name as ScriptName;
  const instances = whole('instances', values.instances, 1, 16) ?? 1;
  if (instances > 1 && script !== 'burst' && script !== 'soak') {
    throw new CannotRun(
      `Cannot use --instances with ${script}: one sender has to decide there; burst and soak can be spread`,
    );
  }
  return {
    script,
    instances,
    keys: keysOf(values.key),
    bursts: whole('bursts', values.bursts, 1, 1000) ?? 3,
    calls: whole('calls', values.calls, 1, 10_000_000),
    restore: values.restore ?? false,
    alone: values.alone ?? false,
    soakMs: durationOf(values.for),
    pace: paceOf(values.pace),
    traces: values.traces?.split(',').filter((file) => file !== '') ?? [],
    archive: values.archive ?? null,
  };
}

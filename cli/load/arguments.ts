import type { Command } from 'commander';
import { CannotRun } from '../../common/cannot-run.ts';
import { nearestHint } from '../../common/nearest.ts';
import { type Arguments, type KeyName, keyNames, scripts } from '../../load/runner/arguments.ts';
import type { ScriptName } from '../../load/seam/plan.ts';
import { createCommand, parseCommand } from '../command.ts';

interface Options extends Omit<Partial<Arguments>, 'archive'> {
  readonly key?: readonly KeyName[];
  readonly for?: number;
  readonly archive?: string;
}

const createLoadCommand = () =>
  createCommand(
    'load',
    'NAME [options]',
    'Makes the calls of a script with k6, and judges their trace. Exit status and reports as with npm test.',
  )
    .argument('[name]', 'the script')
    .option('--key <names>', `comma-separated: ${keyNames.join(', ')} (default: all that are set)`, keysOf)
    .option('--bursts <n>', 'burst: how many bursts', wholeFor('bursts', 1000), 3)
    .option('--calls <n>', 'per-day: make at most n calls; the next run continues', wholeFor('calls', 10_000_000))
    .option('--restore', 'per-day: wait for the day to end, and see whether calls succeed again')
    .option('--alone', 'assert that nobody else used the keys today, so that an early daily limit fails')
    .option('--for <duration>', 'soak: how long: 90s, 10m, 2h (default: 5m)', durationOf)
    .option('--pace <share>', 'per-day, soak: share of the limit that is used (default: 0.97, soak 0.9)', paceOf)
    .option('--instances <n>', 'burst, soak: number of k6 processes, judged together', wholeFor('instances', 16), 1)
    .option(
      '--archive <file>',
      'pack script and plan for instances elsewhere (load/distributed/README.md); send nothing',
    )
    .option('--traces <files>', 'judge the traces of such instances (comma-separated files); send nothing', namesOf)
    .addHelpText(
      'after',
      ['', 'Scripts:', ...Object.entries(scripts).map(([name, question]) => `  ${name.padEnd(12)} ${question}`)].join(
        '\n',
      ),
    );

/** Parses the command line. Returns null after --help, which it prints. Throws CannotRun. */
export function parseArguments(argv: readonly string[]): Arguments | null {
  const command = createLoadCommand();
  if (parseCommand(command, argv) === null) {
    return null;
  }
  const given = command.opts<Options>();
  const { instances = 1, bursts = 3, calls = null, pace = null } = given;
  const script = scriptOf(command.args);
  assertUsed(command, script);
  return {
    script,
    instances,
    bursts,
    calls,
    pace,
    keys: given.key ?? keyNames,
    restore: given.restore ?? false,
    alone: given.alone ?? false,
    soakMs: given.for ?? durationOf('5m'),
    traces: given.traces ?? [],
    archive: given.archive ?? null,
  };
}

/** The scripts that an option serves, for each that does not serve all of them. */
const scriptsOf: Readonly<Record<string, readonly ScriptName[]>> = {
  bursts: ['burst'],
  calls: ['per-day'],
  restore: ['per-day'],
  for: ['soak'],
  pace: ['per-day', 'soak'],
  instances: ['burst', 'soak'],
};

/** Throws CannotRun for an option that the script would ignore. */
function assertUsed(command: Command, script: ScriptName): void {
  for (const [option, served] of Object.entries(scriptsOf)) {
    if (command.getOptionValueSource(option) === 'cli' && !served.includes(script)) {
      throw new CannotRun(`Cannot use --${option} with ${script}: it is an option of ${served.join(' and ')}`);
    }
  }
}

function scriptOf([name]: readonly string[]): ScriptName {
  const known = Object.keys(scripts);
  if (name === undefined) {
    throw new CannotRun(`Cannot run a script: none is named; choose one of ${known.join(', ')}`);
  }
  if (!known.includes(name)) {
    throw new CannotRun(
      `Cannot run the script ${JSON.stringify(name)}: it must be one of ${known.join(', ')}${nearestHint(name, known)}`,
    );
  }
  return name as ScriptName;
}

const wholeFor =
  (name: string, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= 1 && value <= most) {
      return value;
    }
    throw new CannotRun(`Cannot use --${name}: got ${JSON.stringify(text)}, must be a whole number from 1 to ${most}`);
  };

const namesOf = (text: string): readonly string[] => text.split(',').filter((name) => name !== '');

function durationOf(text: string): number {
  const match = /^(\d{1,6})(s|m|h)$/.exec(text);
  const ms = Number(match?.[1] ?? 0) * { s: 1000, m: 60_000, h: 3_600_000 }[(match?.[2] ?? 's') as 's' | 'm' | 'h'];
  if (ms > 0 && ms <= 86_400_000) {
    return ms;
  }
  throw new CannotRun(
    `Cannot use --for: got ${JSON.stringify(text)}, must be a duration up to 24h such as 90s, 10m, 2h`,
  );
}

function paceOf(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value < 1) {
    return value;
  }
  throw new CannotRun(`Cannot use --pace: got ${JSON.stringify(text)}, must be a share greater than 0 and less than 1`);
}

function keysOf(text: string): readonly KeyName[] {
  const names = text.split(',').map((name) => name.trim());
  const odd = names.find((name) => !keyNames.includes(name as KeyName));
  if (odd === undefined) {
    return names as KeyName[];
  }
  throw new CannotRun(`Cannot use --key: got ${JSON.stringify(odd)}, must be some of ${keyNames.join(', ')}`);
}

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError } from 'commander';
import { CannotRun } from '../common/cannot-run.ts';
import { fileTrouble } from '../common/file-trouble.ts';
import { choices, createReference, faults, type ReferenceOptions } from '../fixtures/reference/deployment.ts';
import { listen, type Ports } from '../fixtures/reference/listen.ts';
import { carryOut, createCommand, parseCommand } from './command.ts';
import { onSignals } from './signals.ts';

export { listen } from '../fixtures/reference/listen.ts';

interface Given {
  readonly list: boolean;
  readonly reference: ReferenceOptions;
  readonly ports: Ports;
  readonly envFile: string | undefined;
}

const numberFrom =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= least && value <= most)) {
      throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
    }
    return value;
  };

function portFrom(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError('It must be a port.');
  }
  return Number(text);
}

const gathered = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

function choiceFrom(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at <= 0) {
    throw new InvalidArgumentError('It must be of the form NAME=VALUE.');
  }
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** The command line; null where --help was asked for. Throws CannotRun. */
export function readCommand(argv: readonly string[]): Given | null {
  const command = createCommand(
    'reference',
    '[options]',
    'Serves the reference deployment on loopback, and prints one line of JSON with the settings that point a run at it. Ends with 0 on SIGTERM or SIGINT.',
  )
    .option('--port <n>', 'port of the developer API (0: a free one)', portFrom, 0)
    .option('--workspace-port <n>', 'port of the workspace API (0: a free one)', portFrom, 0)
    .option('--fault <id>', 'a defect to have; as often as needed', gathered)
    .option('--choice <name=value>', 'a choice that the documents leave open; as often as needed', choiceFrom)
    .option('--clock-speed <n>', 'how many times faster its rate-limit windows pass', numberFrom(0.001, 1_000_000), 1)
    .option('--latency <ms>', 'how long each answer takes', numberFrom(0, 60_000), 0)
    .option('--env-file <file>', 'write the settings to a file too, as .env takes them')
    .option('--list', 'print all faults and choices');
  if (parseCommand(command, argv) === null) {
    return null;
  }
  const given = command.opts<{
    port: number;
    workspacePort: number;
    fault?: readonly string[];
    choice?: Readonly<Record<string, string>>;
    clockSpeed: number;
    latency: number;
    envFile?: string;
    list?: true;
  }>();
  return {
    list: given.list ?? false,
    reference: { faults: given.fault ?? [], choices: given.choice ?? {}, clockSpeed: given.clockSpeed },
    ports: { port: given.port, workspacePort: given.workspacePort, latencyMs: given.latency },
    envFile: given.envFile,
  };
}

/** All faults, and all choices with their values, one a line. */
const inventory = (): string =>
  [
    ...faults.map(({ id, defect }) => `--fault ${id}\n    ${defect}`),
    ...choices.flatMap(({ name, open, values }) => [
      `--choice ${name}=…  ${open}`,
      ...Object.entries(values).map(([value, given]) => `    ${value}: ${given.says}`),
    ]),
  ].join('\n');

function writeEnv(file: string, settings: Readonly<Record<string, unknown>>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${String(value)}\n`);
  try {
    writeFileSync(file, lines.join(''));
  } catch (error) {
    throw new CannotRun(`Cannot write --env-file ${file}: ${fileTrouble(error)}`);
  }
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';

/** Unknown faults and taken ports are for the user to put right. */
async function serve({ reference: options, ports }: Given): Promise<{
  readonly settings: Readonly<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}> {
  try {
    const reference = createReference(options);
    const { urls, close } = await listen(reference, ports);
    return { settings: { ...urls, ...reference.settings }, close };
  } catch (error) {
    throw new CannotRun(`Cannot serve the reference deployment: ${firstLine(error)}`);
  }
}

async function run(argv: readonly string[]): Promise<number> {
  const given = readCommand(argv);
  if (given === null) {
    return 0;
  }
  if (given.list) {
    process.stdout.write(`${inventory()}\n`);
    return 0;
  }
  const stopped = Promise.withResolvers<void>();
  onSignals(
    () => stopped.resolve(),
    () => process.exit(0),
  );
  const { settings, close } = await serve(given);
  if (given.envFile !== undefined) {
    writeEnv(given.envFile, settings);
  }
  process.stdout.write(`${JSON.stringify(settings)}\n`);
  await stopped.promise;
  await close();
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await carryOut(() => run(process.argv.slice(2)));
  process.exit();
}

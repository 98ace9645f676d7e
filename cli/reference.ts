import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { choices, createReference, faults, type ReferenceOptions } from '../fixtures/reference/deployment.ts';
import { listen, type Ports } from '../fixtures/reference/listen.ts';

export { listen } from '../fixtures/reference/listen.ts';

const options = {
  port: { type: 'string', default: '0' },
  'workspace-port': { type: 'string', default: '0' },
  fault: { type: 'string', multiple: true, default: [] as string[] },
  choice: { type: 'string', multiple: true, default: [] as string[] },
  'clock-speed': { type: 'string', default: '1' },
  latency: { type: 'string', default: '0' },
  list: { type: 'boolean', default: false },
} as const;

function numberOf(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= least && value <= most) {
    return value;
  }
  throw new Error(`Cannot read --${name}: ${text} is not a number from ${least} to ${most}`);
}

function portOf(name: string, text: string): number {
  if (/^\d{1,5}$/.test(text)) {
    return numberOf(name, text, 0, 65_535);
  }
  throw new Error(`Cannot read --${name}: ${text} is not a port`);
}

function choiceOf(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0) {
    return [text.slice(0, at), text.slice(at + 1)];
  }
  throw new Error(`Cannot read --choice: ${text} is not of the form NAME=VALUE`);
}

/** The command line as options. Throws one line that says what is wrong. */
export function readCommand(args: readonly string[]): { list: boolean; reference: ReferenceOptions; ports: Ports } {
  const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
  return {
    list: values.list,
    reference: {
      faults: values.fault,
      choices: Object.fromEntries(values.choice.map(choiceOf)),
      clockSpeed: numberOf('clock-speed', values['clock-speed'], 0.001, 1_000_000),
    },
    ports: {
      port: portOf('port', values.port),
      workspacePort: portOf('workspace-port', values['workspace-port']),
      latencyMs: numberOf('latency', values.latency, 0, 60_000),
    },
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

async function main(args: readonly string[]): Promise<void> {
  const command = readCommand(args);
  if (command.list) {
    return void process.stdout.write(`${inventory()}\n`);
  }
  const reference = createReference(command.reference);
  const { urls, close } = await listen(reference, command.ports);
  const stop = (): void => {
    void close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  process.stdout.write(`${JSON.stringify({ ...urls, ...reference.settings })}\n`);
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`Cannot serve the reference deployment: ${firstLine(error)}\n`);
    process.exitCode = 2;
  });
}

import { writeFileSync } from 'node:fs';
import { CannotRun } from '../common/cannot-run.ts';
import { fileTrouble } from '../common/file-trouble.ts';
import { messageOf } from '../common/message-of.ts';
import type { ApiName } from '../contract/clause.ts';
import { choices, createReference, faults } from '../fixtures/reference/deployment.ts';
import { listen } from '../fixtures/reference/listen.ts';
import { urlSettings } from '../settings/target.ts';
import { carryOut } from './command.ts';
import { createReferenceCommand, type Given, givenTo } from './reference/arguments.ts';
import { onSignals } from './signals.ts';

const command = createReferenceCommand();

/** All faults, and all choices with their values. */
const inventory = (): string =>
  [
    ...faults.map(({ id, defect }) => `--fault ${id}\n    ${defect}`),
    ...choices.flatMap(({ name, open, values }) => [
      `--choice ${name}=…  ${open}`,
      ...Object.entries(values).map(([value, given]) => `    ${value}: ${given.says} [${given.seenIn}]`),
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

const firstLine = (error: unknown): string => messageOf(error).split('\n', 1)[0] ?? '';

/** Serves the reference. Throws CannotRun for unknown faults, ports in use and the like, which the user can correct. */
async function serve({ reference: options, ports }: Given): Promise<{
  readonly settings: Readonly<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}> {
  try {
    const reference = createReference(options);
    const { urls, close } = await listen(reference, ports);
    const { upstream = {} } = options;
    const before = Object.keys(upstream) as ApiName[];
    const settings =
      before.length === 0
        ? { ...urls, ...reference.settings }
        : Object.fromEntries(before.map((api) => [urlSettings[api], urls[urlSettings[api]]]));
    return { settings, close };
  } catch (error) {
    throw new CannotRun(`Cannot serve the reference deployment: ${firstLine(error)}`);
  }
}

async function run(): Promise<number> {
  const given = givenTo(command);
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

await carryOut(command, run);
process.exit();

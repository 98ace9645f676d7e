import { InvalidArgumentError } from '@commander-js/extra-typings';
import { CannotRun, messageOf } from '../common/cannot-run.ts';
import { choices as allChoices, faults as allFaults, createReference } from '../fixtures/reference/deployment.ts';
import { listen } from '../fixtures/reference/listen.ts';
import { another, carryOut, createCommand, httpUrl, numberFrom } from './command.ts';
import { onSignals } from './signals.ts';

const aPort = numberFrom(0, 65_535, true);

const command = createCommand(
  'reference',
  '[options]',
  'Serves the reference deployment on loopback, and prints one line of JSON with the settings that point a run at it. Ends with 0 on SIGTERM or SIGINT.',
)
  .option('--port <n>', 'port of the developer API (0 picks a free port)', aPort, 0)
  .option('--workspace-port <n>', 'port of the workspace API (0 picks a free port)', aPort, 0)
  .option('--fault <id>', 'a fault to serve (repeatable)', another)
  .option('--upstream <url>', 'stand before this developer API, and add faults that change answers alone', httpUrl)
  .option('--workspace-upstream <url>', 'the same for a workspace API', httpUrl)
  .option('--choice <name=value>', 'a choice that the documents leave open (repeatable)', choiceFrom)
  .option('--clock-speed <n>', 'how many times faster its rate-limit windows pass', numberFrom(0.001, 1_000_000), 1)
  .option('--list', 'print all faults and choices');

function choiceFrom(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be of the form NAME=VALUE.');
  }
  return { ...before, [name]: value };
}

/** All faults, and all choices with their values. */
const inventory = (): string =>
  [
    ...allFaults.map(({ id, defect }) => `--fault ${id}\n    ${defect}`),
    ...allChoices.flatMap(({ name, open, values }) => [
      `--choice ${name}=…  ${open}`,
      ...Object.entries(values).map(([value, given]) => `    ${value}: ${given.says} [${given.seenIn}]`),
    ]),
  ].join('\n');

/** Serves the reference. Throws CannotRun for unknown faults, ports in use and the like, which the user can correct. */
async function serve(given: ReturnType<typeof command.opts>) {
  const { fault: faults = [], choice: choices = {}, upstream, workspaceUpstream, clockSpeed } = given;
  const before = {
    ...(upstream && { developer: upstream }),
    ...(workspaceUpstream && { workspace: workspaceUpstream }),
  };
  try {
    const reference = createReference({ faults, choices, clockSpeed, upstream: before });
    const { urls, close } = await listen(reference, given);
    if (!upstream && !workspaceUpstream) {
      return { settings: { ...urls, ...reference.settings }, close };
    }
    const { BASE_URL, WORKSPACE_API_URL } = urls;
    return { settings: { ...(upstream && { BASE_URL }), ...(workspaceUpstream && { WORKSPACE_API_URL }) }, close };
  } catch (error) {
    throw new CannotRun(`Cannot serve the reference deployment: ${messageOf(error).split('\n', 1)[0]}`);
  }
}

async function run(): Promise<number> {
  const given = command.opts();
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
  process.stdout.write(`${JSON.stringify(settings)}\n`);
  await stopped.promise;
  await close();
  // Whatever the reference still waits for, such as a delivery, is of no use now.
  return process.exit(0);
}

await carryOut(command, run);

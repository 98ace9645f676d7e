import { readSettings } from '../settings/settings.ts';
import { another, carryOut, createCommand } from './command.ts';
import { planText } from './plan/plan-text.ts';
import { rehearse } from './plan/rehearse.ts';
import { writeStarter } from './plan/starter-bodies.ts';

const command = createCommand(
  'plan',
  '[developer | workspace] [options]',
  'Prints what npm test would send with these settings, and how long the limits make it take; sends nothing. The run is rehearsed against the reference deployment in this process, on a clock that skips waits.',
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
  .option('--json', 'print the plan as JSON, with the clauses that each call serves');

async function run(): Promise<number> {
  const {
    testNamePattern: patterns = [],
    json = false,
    bodies,
  } = command.opts<{
    testNamePattern?: readonly string[];
    json?: true;
    bodies?: string;
  }>();
  const settings = readSettings();
  if (bodies !== undefined) {
    process.stdout.write(writeStarter(bodies, settings.REPORTS_DIR));
    return 0;
  }
  const plan = await rehearse({ patterns, filters: command.args }, settings);
  process.stdout.write(json ? `${JSON.stringify(plan, null, 2)}\n` : planText(plan));
  return 0;
}

await carryOut(command, run);

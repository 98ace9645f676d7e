import { createCommand } from '../../cli/command.ts';
import { isCaught } from '../../selftest/proof/fault-row.ts';
import { allJobs, type Job, jobsFor } from '../../selftest/proof/jobs.ts';
import { isPending } from '../../selftest/proof/pending.ts';
import { prove } from '../../selftest/proof/prove.ts';
import { shrunkDeployment, shrunkFault } from '../../selftest/proof/shrink.ts';
import { commandLine } from '../command.ts';
import { troubleOf } from './trouble.ts';

const command = commandLine(
  createCommand(
    'prove',
    'NAME…',
    'Runs a part of the proof. A clause: the faults that break it, the choices that leave it undecided, and a few other correct deployments. A fault or a profile: only that. A choice: its values, or only CHOICE=VALUE, and combinations with it. seed=7x100: a hundred other combinations for each API. shapes=7x100: a hundred drawn shapes. crossed=7x100: a hundred faults, each with a few random choices. WRITES=none, or several such settings with commas between them: all correct deployments, in runs with these settings, which may leave anything undecided. Ends with 1 if anything that is not pending is wrong.',
  )
    .argument('[names...]', 'clauses, faults, choices and profiles; all if none is named')
    .option(
      '--shrink',
      'for each wrong judgement of a deployment, or of a fault with choices, find the choices that matter (minutes each)',
    ),
);
const { args: names } = command;
const began = performance.now();
const { faults, crossed, deployments } = await prove(selectedJobs());
const trouble = troubleOf({ faults, crossed, deployments });
const [pending, wrong] = [
  trouble.filter(({ name }) => isPending(name)),
  trouble.filter(({ name }) => !isPending(name)),
];
process.stdout.write(
  [
    ...pending.map(({ says }) => `pending ${says}`),
    ...wrong.map(({ says }) => says),
    `${faults.length} faults, ${crossed.length} with choices, ${deployments.length} correct deployments: ${wrong.length} wrong, ${pending.length} pending; ` +
      `${((performance.now() - began) / 1000).toFixed(1)} s`,
    '',
  ].join('\n'),
);
if (command.opts<{ shrink?: boolean }>().shrink) {
  for (const row of deployments.filter(({ alarms }) => alarms.length > 0)) {
    process.stdout.write(`shrunk: ${await shrunkDeployment(row)}\n`);
  }
  for (const row of crossed.filter((one) => !isCaught(one))) {
    process.stdout.write(`shrunk: ${await shrunkFault(row)}\n`);
  }
}
process.exit(wrong.length === 0 ? 0 : 1);

/** The selected jobs, without duplicates. Ends the process if a name is unknown. */
function selectedJobs(): Job[] {
  try {
    const jobs = names.length === 0 ? allJobs() : names.flatMap(jobsFor);
    return [...new Map(jobs.map((job) => [JSON.stringify(job), job])).values()];
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return process.exit(2);
  }
}

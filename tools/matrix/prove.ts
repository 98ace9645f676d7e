import { commandLine, createCommand } from '../../cli/command.ts';
import { isCaught } from '../../selftest/proof/fault-row.ts';
import { allJobs, type Job, jobsFor } from '../../selftest/proof/jobs.ts';
import { isPending } from '../../selftest/proof/pending.ts';
import { prove } from '../../selftest/proof/prove.ts';
import { shrunkDeployment, shrunkFault } from '../../selftest/proof/shrink.ts';
import { troubleOf } from './trouble.ts';

const command = commandLine(
  createCommand(
    'prove',
    'NAME…',
    'Runs the part of the proof that a change touches: for a clause the faults that name it, the choices that leave it open and a few other correct deployments; for a fault that one; for a choice its values, or CHOICE=VALUE alone, and combinations with it; for a profile that one; for seed=7x100 a hundred other combinations of each API, for shapes=7x100 a hundred drawn shapes, for crossed=7x100 a hundred faults, each among a few random choices. Ends with 1 where anything that is not pending is wrong.',
  )
    .argument('[names...]', 'clauses, faults, choices and profiles; all of them where none is named')
    .option(
      '--shrink',
      'look for the few choices that matter wherever a deployment or a fault among choices is judged wrongly: minutes each',
    ),
);
const { args: names } = command;
const began = performance.now();
const { faults, crossed, deployments } = await prove(chosen());
const trouble = troubleOf({ faults, crossed, deployments });
const [pending, wrong] = [
  trouble.filter(({ name }) => isPending(name)),
  trouble.filter(({ name }) => !isPending(name)),
];
process.stdout.write(
  [
    ...pending.map(({ says }) => `pending ${says}`),
    ...wrong.map(({ says }) => says),
    `${faults.length} faults, ${crossed.length} among choices, ${deployments.length} correct deployments: ${wrong.length} wrong, ${pending.length} pending; ` +
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

/** The jobs that are asked for, each once. Ends the process where a name is unknown. */
function chosen(): Job[] {
  try {
    const jobs = names.length === 0 ? allJobs() : names.flatMap(jobsFor);
    return [...new Map(jobs.map((job) => [JSON.stringify(job), job])).values()];
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return process.exit(2);
  }
}

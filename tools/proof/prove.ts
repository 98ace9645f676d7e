import { createCommand } from '../../cli/command.ts';
import { fixedSeed } from '../../selftest/proof/draws.ts';
import { allJobs, jobsFor } from '../../selftest/proof/jobs.ts';
import { prove } from '../../selftest/proof/prove.ts';
import type { Job } from '../../selftest/proof/row.ts';
import { commandLine, positiveInteger } from '../command.ts';

const command = commandLine(
  createCommand(
    'prove',
    'NAME…',
    'Runs a part of the proof. A clause: the faults that break it, the choices that it observes or that leave it undecided, and all others in packs. A fault or a profile: only that. A choice: its values, or only CHOICE=VALUE, and packs with it. Without a name, everything, each fault and choice alone. Ends with 1 if anything is wrong.',
  )
    .argument('[names...]', 'clauses, faults, choices and profiles; all if none is named', (name, named: Job[]) => [
      ...(named ?? []),
      ...jobsFor(name),
    ])
    .option('--seed <n>', 'the seed of what is drawn, if everything is run', positiveInteger, fixedSeed),
);
const { seed } = command.opts();
const [chosen = []] = command.processedArgs;
const named = chosen.length === 0 ? allJobs(seed) : chosen;
const began = performance.now();
const jobs = [...new Map(named.map((job) => [JSON.stringify(job), job])).values()];
const rows = await prove(jobs, (done) => {
  if (done % 100 === 0) {
    process.stderr.write(`${done} of ${jobs.length} runs\n`);
  }
});
const trouble = rows.filter(({ wrong }) => wrong.length > 0).map(({ name, wrong }) => [name, ...wrong].join('\n   '));
const correct = rows.filter(({ fault }) => fault === undefined).length;
const seconds = ((performance.now() - began) / 1000).toFixed(1);
process.stdout.write(
  [
    ...trouble,
    `${rows.length - correct} runs with faults, ${correct} correct deployments: ${trouble.length} wrong; ${seconds} s`,
    '',
  ].join('\n'),
);
process.exit(trouble.length === 0 ? 0 : 1);

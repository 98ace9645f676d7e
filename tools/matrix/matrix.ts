import { mkdirSync, writeFileSync } from 'node:fs';
import { createCommand } from '../../cli/command.ts';
import { allJobs } from '../../selftest/proof/jobs.ts';
import { matrixFile, matrixText } from '../../selftest/proof/matrix.ts';
import { isPending } from '../../selftest/proof/pending.ts';
import { prove } from '../../selftest/proof/prove.ts';
import { commandLine } from '../command.ts';
import { figureLines } from './figures.ts';
import { matrixPage } from './page.ts';
import { troubleOf } from './trouble.ts';

commandLine(
  createCommand(
    'matrix',
    '',
    'Runs the suites against every fault and every correct deployment, in this process. Writes selftest/proof/matrix.tsv and a page with it, reports/proof/matrix.html. Ends with 1 if anything that is not pending is wrong.',
  ),
);
const began = performance.now();
const jobs = allJobs();
const proven = await prove(jobs, (done) => {
  if (done % 100 === 0) {
    process.stderr.write(`${done} of ${jobs.length} runs\n`);
  }
});
const trouble = troubleOf(proven).filter(({ name }) => !isPending(name));

writeFileSync(matrixFile, matrixText(proven));
mkdirSync('reports/proof', { recursive: true });
writeFileSync('reports/proof/matrix.html', matrixPage(proven));
process.stdout.write(
  [
    ...trouble.map(({ says }) => says),
    ...(trouble.length === 0 ? figureLines() : []),
    `${trouble.length} in trouble; ${jobs.length} runs in ${((performance.now() - began) / 1000).toFixed(0)} s`,
    '',
  ].join('\n'),
);
process.exit(trouble.length === 0 ? 0 : 1);

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../../contract/clause.ts';
import { faults } from '../../fixtures/reference/deployment.ts';
import { combinations, combinationSeed, combinationsEach, singleValues, type ChoiceRow } from './choice-row.ts';
import type { FaultRow } from './fault-row.ts';
import { matrixOf, nameOf, type Matrix } from './matrix-data.ts';
import { matrixFolder } from './matrix-file.ts';
import { matrixPage } from './matrix-html.ts';
import { figureLines, matrixMarkdown } from './matrix-markdown.ts';
import { runJobs } from './matrix-pool.ts';
import type { Job } from './matrix-worker.ts';

// `npm run matrix`: every fault and every choice against the suites, in this process; writes reports/matrix, prints figures.
const began = performance.now();
const correct = (make: (api: Api) => Job[]): Job[] => [...make('developer'), ...make('workspace')];
const alone = correct((api) => singleValues(api).map((chosen) => ({ api, chosen })));
const together = correct((api) => combinations(api, combinationsEach).map((chosen) => ({ api, chosen })));
const jobs: Job[] = [...faults.map(({ id }) => ({ fault: id })), ...alone, ...together];

const rows = await runJobs(jobs, (done) => {
  if (done % 100 === 0) process.stderr.write(`${done} of ${jobs.length} runs\n`);
});
const faultRows = rows.slice(0, faults.length) as FaultRow[];
const choiceRows = rows.slice(faults.length) as ChoiceRow[];
const matrix = matrixOf(faultRows, choiceRows.slice(0, alone.length), choiceRows.slice(alone.length), combinationSeed);

mkdirSync(matrixFolder, { recursive: true });
writeFileSync(join(matrixFolder, 'matrix.json'), `${JSON.stringify(matrix, null, 1)}\n`);
writeFileSync(join(matrixFolder, 'matrix.md'), matrixMarkdown(matrix));
writeFileSync(join(matrixFolder, 'matrix.html'), matrixPage(matrix));
printTrouble(matrix, choiceRows);
process.stdout.write(`${figureLines(matrix).join('\n')}\n${jobs.length} runs in ${((performance.now() - began) / 1000).toFixed(0)} s; written to reports/matrix\n`);
const { figures } = matrix;
process.exit(figures.caught === figures.faults && figures.killed === figures.clauses && figures.alarms === 0 ? 0 : 1);

function printTrouble({ faults: all, clauses }: Matrix, choices: readonly ChoiceRow[]): void {
  const lines = [
    ...all.filter(({ missed, extra }) => missed.length + extra.length > 0)
      .map(({ id, missed, extra }) => `fault ${id}: missed ${missed.join(' ') || 'none'}; blamed besides ${extra.join(' ') || 'none'}`),
    ...clauses.filter(({ killedBy }) => killedBy.length === 0).map(({ id }) => `clause ${id}: no fault turns it red`),
    ...choices.filter(({ alarms }) => alarms.length > 0).map(({ api, chosen, alarms }) => `${api} choices ${nameOf(chosen)}:\n   ${alarms.join('\n   ')}`),
  ];
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n\n`);
}

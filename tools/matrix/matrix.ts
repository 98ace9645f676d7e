import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChoiceRow, combinationSeed } from '../../selftest/proof/choice-row.ts';
import { type Matrix, matrixOf, nameOf } from '../../selftest/proof/matrix-data.ts';
import { matrixFolder } from '../../selftest/proof/matrix-file.ts';
import { prove } from '../../selftest/proof/prove.ts';
import { matrixPage } from './matrix-html.ts';
import { figureLines, matrixMarkdown } from './matrix-markdown.ts';

// `npm run matrix`: every fault and every choice against the suites, in this process; writes reports/matrix, prints figures.
const began = performance.now();
let runs = 0;
const { faults, alone, together } = await prove((done, of) => {
  runs = of;
  if (done % 100 === 0) {
    process.stderr.write(`${done} of ${of} runs\n`);
  }
});
const matrix = matrixOf(faults, alone, together, combinationSeed);

mkdirSync(matrixFolder, { recursive: true });
writeFileSync(join(matrixFolder, 'matrix.json'), `${JSON.stringify(matrix, null, 1)}\n`);
writeFileSync(join(matrixFolder, 'matrix.md'), matrixMarkdown(matrix));
writeFileSync(join(matrixFolder, 'matrix.html'), matrixPage(matrix));
printTrouble(matrix, [...alone, ...together]);
process.stdout.write(
  `${figureLines(matrix).join('\n')}\n${runs} runs in ${((performance.now() - began) / 1000).toFixed(0)} s; written to reports/matrix\n`,
);
const { figures } = matrix;
process.exit(figures.caught === figures.faults && figures.killed === figures.clauses && figures.alarms === 0 ? 0 : 1);

function printTrouble({ faults: all, clauses }: Matrix, choices: readonly ChoiceRow[]): void {
  const lines = [
    ...all
      .filter(({ missed, extra }) => missed.length + extra.length > 0)
      .map(
        ({ id, missed, extra }) =>
          `fault ${id}: missed ${missed.join(' ') || 'none'}; blamed besides ${extra.join(' ') || 'none'}`,
      ),
    ...clauses.filter(({ killedBy }) => killedBy.length === 0).map(({ id }) => `clause ${id}: no fault turns it red`),
    ...choices
      .filter(({ alarms }) => alarms.length > 0)
      .map(({ api, chosen, alarms }) => `${api} choices ${nameOf(chosen)}:\n   ${alarms.join('\n   ')}`),
  ];
  if (lines.length > 0) {
    process.stdout.write(`${lines.join('\n')}\n\n`);
  }
}

import { expect, test } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import { jsonReport } from '../../../reports/json.ts';
import { compareRuns } from '../../../results/compare.ts';
import { parseRun } from '../../../results/read-run.ts';
import type { Run } from '../../../results/verdict.ts';
import { type Outcome, resultsOf, runOf, skipping } from '../reports/sample.ts';

const written = (run: Run) => parseRun(JSON.parse(jsonReport(run)));
const green = written(runOf({ results: resultsOf({}) }));
const ofBoth = (outcome: Partial<Outcome>) => ({
  ...skipping('developer', 'Not tried', outcome),
  ...skipping('workspace', 'Not tried', outcome),
});

test.each([
  ['the same', {}, { inBoth: clauses.length, cutShort: 0, notChosen: 0 }],
  ['cut short before it began', ofBoth({ cutShort: true }), { inBoth: 0, cutShort: clauses.length, notChosen: 0 }],
  [
    'of one API by choice',
    skipping('workspace', 'Not chosen', { outside: 'selection' }),
    {
      inBoth: clauses.filter(({ id }) => id.startsWith('developer.')).length,
      cutShort: 0,
      notChosen: clauses.filter(({ id }) => id.startsWith('workspace.')).length,
    },
  ],
])('a run that is %s', (_, outcomes, counts) => {
  expect(compareRuns(green, written(runOf({ results: resultsOf(outcomes) })))).toEqual({
    verdicts: [],
    facts: [],
    ...counts,
  });
});

import { expect, test } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import { jsonReport } from '../../../reports/json.ts';
import { compareRuns, type EarlierRun } from '../../../results/earlier.ts';
import { type Outcome, resultsOf, runOf, skipping } from '../reports/sample.ts';

const written = (outcomes: Readonly<Record<string, Outcome>>) =>
  JSON.parse(jsonReport(runOf({ results: resultsOf(outcomes) }))) as EarlierRun;
const ofBoth = (outcome: Partial<Outcome>) => ({
  ...skipping('developer', 'Not tried', outcome),
  ...skipping('workspace', 'Not tried', outcome),
});
const [ofDeveloper, ofWorkspace] = ['developer.', 'workspace.'].map(
  (api) => clauses.filter(({ id }) => id.startsWith(api)).length,
);

test.each([
  ['cut short before it began', ofBoth({ cutShort: true }), { inBoth: 0, inOne: clauses.length, isCutShort: true }],
  [
    'of one API by choice',
    skipping('workspace', 'Not chosen', { outside: 'selection' }),
    { inBoth: ofDeveloper, inOne: ofWorkspace, isCutShort: false },
  ],
])('a run that is %s', (_, outcomes, counts) => {
  expect(compareRuns(written({}), written(outcomes))).toEqual({ verdicts: [], facts: [], ...counts });
});

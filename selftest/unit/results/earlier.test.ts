import { expect, test } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import { jsonReport } from '../../../reports/json.ts';
import { compareRuns, parseRun, sinceOf } from '../../../results/earlier.ts';
import type { Run } from '../../../results/verdict.ts';
import { type Outcome, resultsOf, runOf, skipping } from '../reports/sample.ts';
import { samples } from '../reports/sample-runs.ts';

const written = (run: Run) => parseRun(JSON.parse(jsonReport(run)));
const green = runOf({ results: resultsOf({}) });
const red = runOf({
  results: resultsOf({ 'developer.auth.query': { verdict: 'fail', findings: [{ message: 'Key is refused' }] } }),
});
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
  expect(compareRuns(written(green), written(runOf({ results: resultsOf(outcomes) })))).toEqual({
    verdicts: [],
    facts: [],
    ...counts,
  });
});

test('what changed since the previous run, of the same deployment alone', () => {
  const changes = [{ id: 'developer.auth.query', before: 'pass', now: 'fail', finding: 'Key is refused' }];
  expect(runOf({ results: red.clauses, before: written(green) }).since?.changes).toEqual(changes);
  expect(sinceOf(written(red), green)?.changes).toMatchObject([{ before: 'fail', now: 'pass' }]);
  expect(sinceOf(written({ ...green, targets: { developer: { url: 'https://other.example' } } }), green)).toBeNull();
  expect(sinceOf(written(samples.reference), green)).toBeNull();
  expect(sinceOf(written(samples.reference), { ...samples.reference, targets: {} })).not.toBeNull();
  expect(sinceOf(null, green)).toBeNull();
});

import { describe, expect, test } from 'vitest';
import { jsonReport } from '../../../reports/json.ts';
import { type EarlierRun, parseRun } from '../../../results/read-run.ts';
import { sinceOf } from '../../../results/since.ts';
import type { Run } from '../../../results/verdict.ts';
import { resultsOf, runOf, skipping } from '../reports/sample.ts';
import { samples } from '../reports/sample-runs.ts';

const asEarlier = (run: Run): EarlierRun => parseRun(JSON.parse(jsonReport(run)));
const green = runOf({ results: resultsOf({}) });
const red = runOf({
  results: resultsOf({ 'developer.auth.query': { verdict: 'fail', findings: [{ message: 'Key is refused' }] } }),
});

describe('sinceOf', () => {
  test('says what changed since the previous run, and keeps earlier runs', () => {
    const second = runOf({ results: red.clauses, before: asEarlier(green) });
    expect(second.since?.changes).toEqual([
      { id: 'developer.auth.query', before: 'pass', now: 'fail', finding: 'Key is refused' },
    ]);
    const third = sinceOf(asEarlier(second), green);
    expect(third?.changes).toMatchObject([{ before: 'fail', now: 'pass' }]);
    expect(third?.runs.map(({ conformant, totals }) => [conformant, totals.fail])).toEqual([
      [true, 0],
      [false, 1],
    ]);
  });

  test('keeps the last twenty runs', () => {
    const [past] = sinceOf(asEarlier(green), green)?.runs ?? [];
    const runs = Array.from({ length: 40 }, () => past ?? { startedAt: '', conformant: null, totals: {} });
    expect(sinceOf({ ...asEarlier(green), runs }, green)?.runs).toHaveLength(20);
  });

  test('compares with no run of another deployment', () => {
    expect(
      sinceOf(asEarlier({ ...green, targets: { developer: { url: 'https://other.example' } } }), green),
    ).toBeNull();
    expect(sinceOf(asEarlier(samples.reference), green)).toBeNull();
    expect(sinceOf(asEarlier(samples.reference), { ...samples.reference, targets: {} })).not.toBeNull();
    expect(sinceOf(null, green)).toBeNull();
  });

  test('compares a clause with the last run that judged it, skipping runs of a few clauses and killed runs', () => {
    const unreached = skipping('developer', 'Not tried', { cutShort: true });
    const killed = runOf({
      results: resultsOf({ ...unreached, ...skipping('workspace', 'Not tried', { cutShort: true }) }),
      trouble: 'killed',
      before: asEarlier(green),
    });
    expect(killed.since?.changes).toEqual([]);
    const { 'developer.auth.query': query, ...rest } = unreached;
    const partial = runOf({ results: resultsOf(rest), before: asEarlier(killed) });
    expect(query).toBeDefined();
    expect(partial.since?.last).not.toHaveProperty('developer.auth.query');
    const whole = sinceOf(asEarlier(partial), red);
    expect(whole?.changes).toMatchObject([{ id: 'developer.auth.query', before: 'pass', now: 'fail' }]);
    expect(whole?.last).toEqual({});
  });
});

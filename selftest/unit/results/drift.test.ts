import { expect, test } from 'vitest';
import { profileReport } from '../../../reports/json.ts';
import { notMetOf, observedChanges, parseProfile, profileOf } from '../../../results/drift.ts';
import { resultsOf, runOf, skipping } from '../reports/sample.ts';

// That a run has no drift against its own profile, and how changes are shown, the golden reports show.

const clause = 'developer.errors.shape';
const observing = (seen: unknown) => resultsOf({ [clause]: { verdict: 'observed', observed: seen } });

test.each<[string, unknown, unknown, readonly (readonly [place: string, before: unknown, now: unknown])[]]>([
  ['a deep value', { a: { 'b/c~d': [{ e: 1 }] } }, { a: { 'b/c~d': [{ e: '1' }] } }, [['/a/b~1c~0d/0/e', 1, '1']]],
  ['an added item', [{ a: 1 }], [{ a: 1 }, { a: 2 }], [['/1', undefined, { a: 2 }]]],
  ['the kind of a value', { a: [{ b: 1 }] }, { a: { b: 1 } }, [['/a', [{ b: 1 }], { b: 1 }]]],
  ['the others then', { 401: ['a'] }, { ...notMetOf(['401', '429']), 401: ['b'] }, [['/401', ['a'], ['b']]]],
])('drift tells %s', (_, before, now, expected) => {
  const told = observedChanges({ [clause]: before }, profileOf(observing(now)));
  expect(told.map(({ place, before: was, now: is }) => [place, was, is])).toEqual(expected);
});

test('drift leaves out clauses that only one of the two runs observed', () => {
  expect(observedChanges({ [clause]: { a: 1 } }, profileOf(resultsOf(skipping('developer', 'Not tried'))))).toEqual([]);
  expect(observedChanges({ 'developer.gone.by': { a: 1 } }, profileOf(observing({ a: 1 })))).toEqual([]);
});

test('a profile is the same text for the same observations of gaps, without measurements at any depth', () => {
  const text = (seen: unknown) => profileReport(runOf({ results: observing(seen) }));
  expect(text({ b: 1, a: { d: 1, c: 2 } })).toBe(text({ a: { c: 2, d: 1 }, b: 1 }));
  const seen = { unit: 'seconds', measured: { reset: 55 }, keys: [{ name: 'a', measured: 1 }] };
  const results = resultsOf({
    [clause]: { verdict: 'observed', observed: seen },
    'developer.keys.create': { verdict: 'pass', observed: { id: '/data/id' } },
  });
  const profile = parseProfile(JSON.parse(profileReport(runOf({ results }))));
  expect(profile[clause]).toEqual({ unit: 'seconds', keys: [{ name: 'a' }] });
  expect(profile['developer.keys.create']).toBeUndefined();
});

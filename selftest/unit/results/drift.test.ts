import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { profileReport } from '../../../reports/profile.ts';
import { driftOf, notMet, notMetOf, parseProfile } from '../../../results/drift.ts';
import type { Run } from '../../../results/verdict.ts';
import { run } from '../reports/arbitrary.ts';
import { resultsOf, runOf, skipping } from '../reports/sample.ts';

const clause = 'developer.errors.shape';
const observing = (seen: unknown) => resultsOf({ [clause]: { verdict: 'observed', observed: seen } });
const changes = (before: unknown, now: unknown) =>
  driftOf({ [clause]: before }, observing(now)).map(({ place, before: was, now: is }) => [place, was, is]);

const profileOf = (one: Run) => parseProfile(JSON.parse(profileReport(one)));

describe('drift', () => {
  test.each([
    ['nothing changed', { b: 1, a: [1, { c: null }] }, { a: [1, { c: null }], b: 1 }, []],
    ['a value', { unit: 'seconds' }, { unit: 'epoch' }, [['/unit', 'seconds', 'epoch']]],
    ['the whole observation', 'seconds', 'epoch', [['', 'seconds', 'epoch']]],
    ['a value deep down', { a: { 'b/c~d': [{ e: 1 }] } }, { a: { 'b/c~d': [{ e: 2 }] } }, [['/a/b~1c~0d/0/e', 1, 2]]],
    ['an added field', { a: 1 }, { a: 1, b: null }, [['/b', undefined, null]]],
    ['a removed field', { a: 1, b: false }, { a: 1 }, [['/b', false, undefined]]],
    ['an added item', [{ a: 1 }], [{ a: 1 }, { a: 2 }], [['/1', undefined, { a: 2 }]]],
    ['a list of plain values, as a whole', { works: ['a', 'b'] }, { works: ['b'] }, [['/works', ['a', 'b'], ['b']]]],
    ['the kind of a value', { a: [{ b: 1 }] }, { a: { b: 1 } }, [['/a', [{ b: 1 }], { b: 1 }]]],
    ['a number to its text', { a: 1 }, { a: '1' }, [['/a', 1, '1']]],
  ])('tells %s', (_name, before, now, expected) => expect(changes(before, now)).toEqual(expected));

  test('leaves out clauses that only one of the two runs observed', () => {
    expect(driftOf({ [clause]: { a: 1 } }, resultsOf(skipping('developer', 'Not tried')))).toEqual([]);
    expect(driftOf({}, observing({ a: 1 }))).toEqual([]);
    expect(driftOf({ 'developer.gone.by': { a: 1 } }, observing({ a: 1 }))).toEqual([]);
  });

  test('leaves out fields that one of the two could not observe, and shows the others', () => {
    expect(changes({ 429: ['a'], 500: notMet }, { 429: notMet, 500: ['b'] })).toEqual([]);
    expect(changes({ 401: ['a'] }, { ...notMetOf(['401', '429']), 401: ['b'] })).toEqual([['/401', ['a'], ['b']]]);
  });

  test('does not exist between a run and its own profile, whatever was observed', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(run, (one) => {
        expect(driftOf(profileOf(one), one.clauses)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a profile', () => {
  test('is the same text for the same observations, whatever the order of their keys', () => {
    const text = (seen: unknown) => profileReport(runOf({ results: observing(seen) }));
    expect(text({ b: 1, a: { d: 1, c: 2 } })).toBe(text({ a: { c: 2, d: 1 }, b: 1 }));
    expect(text({ a: 1 })).not.toMatch(/2026|"seed"/);
  });

  test('has the observations of gaps, without measurements at any depth', () => {
    const seen = { unit: 'seconds', measured: { reset: 55 }, keys: [{ name: 'a', measured: 1 }] };
    const results = resultsOf({
      [clause]: { verdict: 'observed', observed: seen },
      'developer.keys.create': { verdict: 'pass', observed: { id: '/data/id' } },
    });
    const profile = profileOf(runOf({ results }));
    expect(profile[clause]).toEqual({ unit: 'seconds', keys: [{ name: 'a' }] });
    expect(profile['developer.keys.create']).toBeUndefined();
    expect(driftOf({ [clause]: { unit: 'seconds', keys: [{ name: 'a' }] } }, results)).toEqual([]);
  });
});

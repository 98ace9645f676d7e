import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isClause } from '../../contract/clauses.ts';
import { developerChoices } from '../../fixtures/reference/developer/choices.ts';
import { createPlay } from './developer-play.ts';
import { irregularities } from './developer-rules.ts';
import { playCalls } from './developer-script.ts';

const combinations = 30;
const play = createPlay();
const values = developerChoices.flatMap(({ name, values: all }) => Object.keys(all).map((value): [string, string] => [name, value]));

/** Choices that are about the socket: developer-serve.test.ts shows them. */
const onSocketAlone = (name: string, value: string): boolean => name === 'developer-header-case' || value === 'chunked';

describe('each choice changes what a client can see, and keeps every answer regular', () => {
  test.each(values)('%s=%s', async (name, value) => {
    const { differs, runs } = await play(`${name}=${value}`, { choices: { [name]: value } });
    expect(differs).toBe(!onSocketAlone(name, value));
    expect(runs.flatMap(irregularities)).toEqual([]);
  }, 60_000);
});

test('every answer stays regular when choices meet', async () => {
  const combination = fc.record(
    Object.fromEntries(developerChoices.map(({ name, values: all }) => [name, fc.constantFrom(...Object.keys(all))])), { requiredKeys: [] },
  );
  await fc.assert(fc.asyncProperty(combination, async (choices) => {
    const { exchanges } = await playCalls({ choices: choices as Record<string, string> });
    expect(irregularities(exchanges)).toEqual([]);
  }), { numRuns: combinations, seed: 20_251_121, endOnFailure: false });
}, 120_000);

test('choices name clauses of the contract, and nothing twice', () => {
  const undecided = developerChoices.flatMap(({ values: all }) => Object.values(all).flatMap(({ inconclusive = [] }) => inconclusive));
  expect(undecided.filter((id) => !isClause(id))).toEqual([]);
  expect(new Set(developerChoices.map(({ name }) => name)).size).toBe(developerChoices.length);
  expect(values.filter(([, value]) => value === 'default')).toEqual([]);
});

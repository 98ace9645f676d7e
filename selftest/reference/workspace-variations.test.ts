import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { isClause } from '../../contract/clauses.ts';
import { workspaceChoices } from '../../fixtures/reference/workspace/choices.ts';
import { workspaceFaults } from '../../fixtures/reference/workspace/faults.ts';
import { irregularities } from './workspace-rules.ts';
import { playScript, type Transcript } from './workspace-script.ts';

/** Variations that show at the end of a day of calls alone. */
const fillsDay = (value: string): boolean => value === 'closer';

let plain: Transcript;
let plainDay: Transcript;

beforeAll(async () => {
  plain = await playScript();
  plainDay = await playScript({}, true);
});

test('the plain reference repeats itself', async () => {
  const again = await playScript();
  expect(again.wire === plain.wire).toBe(true);
});

test('every answer of the plain reference is regular', () => {
  expect(irregularities(plain.exchanges)).toEqual([]);
  expect(plain.exchanges.length).toBeGreaterThan(200);
  expect([...new Set(plain.exchanges.map(({ status }) => status))].sort()).toEqual([200, 201, 400, 401, 403, 404, 429]);
});

const values = workspaceChoices.flatMap(({ name, values: all }) =>
  Object.keys(all).map((value): [string, string] => [name, value]),
);

describe('each choice changes what goes over the wire, and keeps every answer regular', () => {
  test.each(values)('%s=%s', async (name, value) => {
    const { wire, exchanges } = await playScript({ choices: { [name]: value } }, fillsDay(value));
    expect(wire === (fillsDay(value) ? plainDay : plain).wire).toBe(false);
    expect(irregularities(exchanges)).toEqual([]);
  });
});

test('every answer stays regular when choices meet', async () => {
  const combination = fc.record(
    Object.fromEntries(workspaceChoices.map(({ name, values: all }) => [name, fc.constantFrom(...Object.keys(all))])),
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(combination, async (choices) => {
      const { exchanges } = await playScript({ choices: choices as Record<string, string> });
      expect(irregularities(exchanges)).toEqual([]);
    }),
    { numRuns: 40, seed: 20_251_121, endOnFailure: false },
  );
}, 120_000);

// That each fault changes what goes over the wire is shown by selftest/proof: it turns clauses red that are green without it.
test('faults and choices name clauses of the contract, and nothing twice', () => {
  const named = [
    ...workspaceFaults.flatMap(({ reds, may }) => [...reds, ...may]),
    ...workspaceChoices.flatMap(({ values: all }) =>
      Object.values(all).flatMap(({ inconclusive = [] }) => inconclusive),
    ),
  ];
  expect(named.filter((id) => !isClause(id))).toEqual([]);
  for (const { id, reds, may } of workspaceFaults) {
    expect(reds.length, id).toBeGreaterThan(0);
    expect(
      reds.filter((clause) => may.includes(clause)),
      id,
    ).toEqual([]);
  }
  for (const names of [workspaceFaults.map(({ id }) => id), workspaceChoices.map(({ name }) => name)]) {
    expect(new Set(names).size).toBe(names.length);
  }
});

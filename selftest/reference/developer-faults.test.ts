import { expect, test } from 'vitest';
import { clauses, isClause } from '../../contract/clauses.ts';
import { developerFaults } from '../../fixtures/reference/developer/faults.ts';

// That each fault changes what goes over the wire is shown by selftest/proof: it turns clauses red that are green without it.
test('faults name clauses of the contract, and nothing twice', () => {
  for (const { id, reds, may } of developerFaults) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
    expect([...reds, ...may].filter((clause) => !isClause(clause)), id).toEqual([]);
    expect(reds.length, id).toBeGreaterThan(0);
    expect(reds.filter((clause) => may.includes(clause)), id).toEqual([]);
  }
  expect(new Set(developerFaults.map(({ id }) => id)).size).toBe(developerFaults.length);
  expect(new Set(developerFaults.map(({ says }) => says)).size).toBe(developerFaults.length);
});

test('every clause that can fail has two faults at least', () => {
  const falsifiable = clauses.filter(({ id, level }) => id.startsWith('developer.') && level !== 'gap').map(({ id }) => id);
  const lacking = falsifiable.filter((id) => developerFaults.filter(({ reds }) => reds.includes(id)).length < 2);
  expect(lacking).toEqual([]);
});

import { expect, test } from 'vitest';
import { clauses } from '../../contract/clauses.ts';
import { developerSuite } from '../../suites/developer/suite.ts';
import { workspaceSuite } from '../../suites/workspace/suite.ts';

const ids = clauses.map(({ id }) => id as string);

// That ids and levels are an interface is held by docs/clauses.md, which is committed: docs.test.ts refuses a stale one.
test('no two clauses have one id', () => {
  expect(ids.length).toBeGreaterThan(160);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every clause states a different fact, and where it is written', () => {
  expect(new Set(clauses.map(({ id, title }) => `${id.split('.')[0]} ${title}`)).size).toBe(clauses.length);
  expect(
    clauses
      .filter(({ title, source }) => !/^\S.*[^.]$/.test(title) || !/^(developer|workspace) API, /.test(source))
      .map(({ id }) => id),
  ).toEqual([]);
  expect(clauses.filter(({ title }) => /\bshould\b|\bmust\b/.test(title)).map(({ id }) => id)).toEqual([]);
});

test('every clause quotes the document', () => {
  expect(clauses.filter(({ quote }) => quote === '').map(({ id }) => id)).toEqual([]);
});

test('every clause has one check, and every check one clause', () => {
  const checks = [...Object.keys(developerSuite.checks), ...Object.keys(workspaceSuite.checks)];
  expect(checks.toSorted()).toEqual(ids.toSorted());
});

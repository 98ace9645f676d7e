import { expect, test } from 'vitest';
import type { Clause } from '../../contract/clause.ts';
import { clauses } from '../../contract/clauses.ts';
import { developerSuite } from '../../suites/developer/suite.ts';
import { workspaceSuite } from '../../suites/workspace/suite.ts';

// That ids and levels are an interface is held by docs/clauses.md, which is committed: docs.test.ts refuses a stale one.
test('every clause states a different fact, with its place and words in the document', () => {
  expect(new Set(clauses.map(({ id, title }) => `${id.split('.')[0]} ${title}`)).size).toBe(clauses.length);
  const isFact = ({ title }: Clause): boolean => /^\S.*[^.]$/.test(title) && !/\bshould\b|\bmust\b/.test(title);
  const isShown = ({ source, quote }: Clause): boolean => /^(developer|workspace) API, /.test(source) && quote !== '';
  expect(clauses.filter((one) => !isFact(one) || !isShown(one)).map(({ id }) => id)).toEqual([]);
});

test('every clause has one check, and every check one clause', () => {
  const checks = [...Object.keys(developerSuite.checks), ...Object.keys(workspaceSuite.checks)];
  expect(checks.toSorted()).toEqual(clauses.map(({ id }) => id as string).toSorted());
});

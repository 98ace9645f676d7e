import { expect, test } from 'vitest';
import type { ApiName } from '../../../../contract/clause.ts';
import { clauses } from '../../../../contract/clauses.ts';
import { newRunRecord, runOf } from '../../../../suites/run/run-record.ts';
import { select } from '../../../../suites/run/selection.ts';

const both: readonly ApiName[] = ['developer', 'workspace'];
const selected = (patterns: readonly string[], filters: readonly string[] = [], targeted = both) =>
  select({ patterns, filters }, targeted);
const beginningWith = (start: string): string[] => clauses.flatMap(({ id }) => (id.startsWith(start) ? [id] : []));
const two = ['developer.auth.header', 'workspace.auth.bearer'];

test.for<[patterns: readonly string[], filters: readonly string[], chosen: readonly string[]]>([
  [[], [], beginningWith('')],
  [[two.join('|')], [], two],
  [[], ['./suites/developer.test.ts'], beginningWith('developer.')],
])('-t %j %j selects clauses', ([patterns, filters, chosen]) => {
  const selection = selected(patterns, filters);
  expect(clauses.flatMap(({ id }) => (selection.has(id) ? [id] : []))).toEqual(chosen);
});

test.for([
  ['', null],
  ['developer.auth', 'developer -t developer.auth'],
] as const)('a report says of -t "%s" that it is a selection if it leaves out a clause of the targets: %s', (row) => {
  const [pattern, says] = row;
  const selection = selected([pattern], ['developer'], ['developer']);
  expect(runOf({ ...newRunRecord(new Date(0), 'reports'), selection }).selection).toBe(says);
});

test('clauses that are not judged say why', () => {
  const { whyOutside } = selected(['developer.auth'], [], ['developer']);
  const message = expect.stringMatching(/^WORKSPACE_API_URL is not set/);
  expect(['developer.auth.header', 'developer.keys.create', 'workspace.auth.bearer'].map(whyOutside)).toEqual([
    null,
    { by: 'selection', finding: { message: expect.stringMatching(/-t developer\.auth/) } },
    { by: 'target', finding: { message, needs: { setting: 'WORKSPACE_API_URL' } } },
  ]);
});

test.for<[patterns: readonly string[], filters: readonly string[], targeted: readonly ApiName[], RegExp]>([
  [['('], [], both, /Unterminated group/],
  [['workspace'], [], ['developer'], /WORKSPACE_API_URL is not set/],
  [['developer.auth|developer.kyes'], [], both, /judge -t developer\.kyes: no clause has such a name.*developer\.keys/],
  [[], ['developer.auth'], both, /-t developer\.auth/],
  [
    ['workspace.auth'],
    ['developer'],
    both,
    /^Cannot judge -t workspace\.auth: it names no clause of the developer API$/,
  ],
])('-t %j %j chooses nothing, or a part of it does, and the message says what to write', (row) => {
  const [patterns, filters, targeted, says] = row;
  expect(() => selected(patterns, filters, targeted)).toThrow(says);
});

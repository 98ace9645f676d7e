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

// A report tells of a selection that leaves out a clause of the targets.
test.for<[patterns: string[], filters: string[], targeted: readonly ApiName[], chosen: string[], says: string | null]>([
  [[], [], both, beginningWith(''), null],
  [[''], ['developer'], ['developer'], beginningWith('developer.'), null],
  [[two.join('|')], [], both, two, `-t ${two.join('|')}`],
  [[], ['./suites/developer.test.ts'], both, beginningWith('developer.'), './suites/developer.test.ts'],
  [['developer.auth'], ['developer'], ['developer'], beginningWith('developer.auth.'), 'developer -t developer.auth'],
])('-t %j %j selects clauses of %j, and a report says so', ([patterns, filters, targeted, chosen, says]) => {
  const selection = selected(patterns, filters, targeted);
  expect(clauses.flatMap(({ id }) => (selection.whyOutside(id) === null ? [id] : []))).toEqual(chosen);
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

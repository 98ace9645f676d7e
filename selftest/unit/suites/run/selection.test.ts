import { expect, test } from 'vitest';
import type { ApiName } from '../../../../contract/clause.ts';
import { clauses } from '../../../../contract/clauses.ts';
import { newRunRecord, runOf } from '../../../../suites/run/run-record.ts';
import { select, testFile } from '../../../../suites/run/selection.ts';

const both: readonly ApiName[] = ['developer', 'workspace'];
const selected = (words: readonly string[], filters: readonly string[] = [], targeted = both) =>
  select({ patterns: words, filters }, targeted);
const chosen = (...args: Parameters<typeof selected>): string[] => {
  const selection = selected(...args);
  return clauses.flatMap(({ id }) => (selection.has(id) ? [id] : []));
};

const two = ['developer.auth.header', 'workspace.auth.bearer'];

test('-t selects the clauses whose id begins with the pattern; without it, all are', () => {
  expect(chosen([]).length).toBe(clauses.length);
  expect(chosen(['developer.auth'])).toEqual(
    clauses.flatMap(({ id }) => (id.startsWith('developer.auth.') ? [id] : [])),
  );
  expect([chosen([two.join('|')]), chosen(two)]).toEqual([two, two]);
});

test.for([
  ['developer', 'developer'],
  ['developer', 'developer.test'],
  ['developer', 'suites/developer.test.ts'],
  ['developer', './suites/developer.test.ts'],
  ['developer', testFile('developer')],
  ['developer', 'DEVELOPER'],
])('the API %s is chosen by the file filter %s', ([api, filter = '']) => {
  expect(chosen([], [filter])).toEqual(clauses.flatMap(({ id }) => (id.startsWith(`${api}.`) ? [id] : [])));
});

test.for([
  ['', null],
  ['developer.auth', 'developer -t developer.auth'],
])(
  'a report says of -t "%s" that it is a selection if it leaves out a clause of the targets: %s',
  ([pattern = '', says]) => {
    const selection = selected([pattern ?? ''], ['developer'], ['developer']);
    const run = runOf({ ...newRunRecord(new Date(0), 'reports'), selection }, new Date(0));
    expect(run.selection).toBe(says);
  },
);

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
  [['developer.aut.header'], [], both, /developer\.auth\.header/],
  [['nothing-like-it'], [], both, /--list/],
  [['('], [], both, /Unterminated group/],
  [['workspace'], [], ['developer'], /WORKSPACE_API_URL is not set/],
  [['developer'], ['workspace'], both, /-t developer/],
  [
    ['developer.auth|developer.kyes'],
    [],
    both,
    /^Cannot judge -t developer\.kyes: no clause has such a name.*developer\.keys/,
  ],
  [['"developer.auth|developer.routing|developer.ads"'], [], both, /^Cannot judge -t "developer\.auth: /],
  [[], ['elsewhere'], both, /elsewhere.*developer or workspace/],
  [[], ['developer.auth'], both, /-t developer\.auth/],
  [[], ['developer', 'workspce'], both, /^Cannot judge workspce: it must be developer or workspace$/],
  [
    ['workspace.auth'],
    ['developer'],
    both,
    /^Cannot judge -t workspace\.auth of the developer API alone: it names clauses of the workspace API$/,
  ],
])(
  '-t %j %j chooses nothing, or a part of it does, and the message says what to write',
  ([patterns, filters, targeted, says]) => {
    expect(() => chosen(patterns, filters, targeted)).toThrow(says);
  },
);

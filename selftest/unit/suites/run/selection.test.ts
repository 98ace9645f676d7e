import { expect, test } from 'vitest';
import { clauses } from '../../../../contract/clauses.ts';
import { newRunRecord, runOf } from '../../../../suites/run/run-record.ts';
import { select, testFile } from '../../../../suites/run/selection.ts';

const both = ['developer', 'workspace'] as const;
type Targeted = readonly ('developer' | 'workspace')[];
const chosenBy = (
  patterns: readonly string[],
  filters: readonly string[] = [],
  targeted: Targeted = both,
): string[] => {
  const selection = select({ patterns, filters }, targeted);
  return clauses.map(({ id }) => id as string).filter((id) => selection.has(id));
};
const chosen = (pattern: string | null, filters?: readonly string[], targeted?: Targeted): string[] =>
  chosenBy(pattern === null ? [] : [pattern], filters, targeted);

test('-t selects the clauses whose id begins with the pattern; without it, all are', () => {
  expect(chosen(null).length).toBe(clauses.length);
  expect(chosen('developer.auth').length).toBeGreaterThan(5);
  expect(chosen('developer.auth').every((id) => id.startsWith('developer.auth.'))).toBe(true);
  const two = ['developer.auth.header', 'workspace.auth.bearer'];
  expect([chosen(two.join('|')), chosenBy(two)]).toEqual([two, two]);
});

test('a selection that leaves out no clause of the targets is not reported as one', () => {
  const shown = (pattern: string): string | null =>
    runOf(
      {
        ...newRunRecord(new Date(0), 'reports'),
        selection: select({ patterns: [pattern], filters: ['developer'] }, ['developer']),
      },
      new Date(0),
    ).selection;
  expect(shown('')).toBe(null);
  expect(shown('developer.auth')).toBe('developer -t developer.auth');
});

test.for([
  'developer',
  'developer.test',
  'suites/developer.test.ts',
  './suites/developer.test.ts',
  testFile('developer'),
  'DEVELOPER',
])('the file filter %s chooses the developer API', (filter) => {
  expect(chosen(null, [filter]).every((id) => id.startsWith('developer.'))).toBe(true);
});

test('clauses that are not judged say why', () => {
  const selection = select({ patterns: ['developer.auth'], filters: [] }, ['developer']);
  expect(selection.whyOutside('developer.auth.header')).toBe(null);
  expect(selection.whyOutside('developer.keys.create')).toMatchObject({
    by: 'selection',
    finding: { message: expect.stringMatching(/-t developer\.auth/) },
  });
  expect(selection.whyOutside('workspace.auth.bearer')).toMatchObject({
    by: 'target',
    finding: {
      message: expect.stringMatching(/^WORKSPACE_API_URL is not set/),
      needs: { setting: 'WORKSPACE_API_URL' },
    },
  });
});

test.for([
  ['developer.aut.header', [], both, /developer\.auth\.header/],
  ['nothing-like-it', [], both, /--list/],
  ['(', [], both, /Unterminated group/],
  ['workspace', [], ['developer'] as const, /WORKSPACE_API_URL is not set/],
  ['developer', ['workspace'], both, /-t developer/],
  [null, ['elsewhere'], both, /elsewhere.*developer or workspace/],
  [null, ['developer.auth'], both, /-t developer\.auth/],
  [null, ['developer', 'workspce'], both, /^Cannot judge workspce: it must be developer or workspace$/],
] as const)(
  '-t %s %j: no clause is chosen, and the message says what to write',
  ([pattern, filters, targeted, says]) => {
    expect(() => chosen(pattern, filters, targeted)).toThrow(says);
  },
);

test.for([
  ['developer.auth|developer.kyes', /^Cannot judge -t developer\.kyes: no clause has such a name.*developer\.keys/],
  ['"developer.auth|developer.routing|developer.ads"', /^Cannot judge -t "developer\.auth: /],
] as const)('an alternative of -t %s that chooses nothing is named', ([pattern, says]) => {
  expect(() => chosen(pattern)).toThrow(says);
});

test('clauses of the API that a file filter leaves out are reported', () => {
  expect(() => chosen('workspace.auth', ['developer'])).toThrow(
    'Cannot judge -t workspace.auth of the developer API alone: it names clauses of the workspace API',
  );
});

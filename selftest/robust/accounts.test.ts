import { expect, test } from 'vitest';
import { type Between, callOf, jsonOf, refusing, saying, succeeds } from '../world/between.ts';
import { run } from './run.ts';

/** An account with room for so many keys of the run: without room, each request for another key gets 403, also a flawed one. */
const withRoomFor =
  (most: number): Between =>
  (next) => {
    let made = 0;
    const isKept = succeeds(/^(POST|DELETE) \/api\/v1\/developer\/keys(\/[^/]*)?$/);
    return async (request) => {
      const isCreation = callOf(request) === 'POST /api/v1/developer/keys' && Object.keys(jsonOf(request)).length > 0;
      const isFull = isCreation && made >= most;
      const answer = await next(isFull ? { ...request, body: '{}' } : request);
      made += isKept(request, answer) ? (request.method === 'POST' ? 1 : -1) : 0;
      const error = { code: 'FORBIDDEN', message: 'API key limit reached' };
      return isFull && answer.status === 400 ? saying(answer, { ...jsonOf(answer), error }, 403) : answer;
    };
  };

/** Calls over the limits are like those before them, and twice as many. */
const settings = { EXHAUST: 'none' };

/** A plan that has no room for agents. */
const small = refusing('POST /v1/agents', (body) => ('name' in body ? 'Your plan includes 3 agents' : null), 403);

test.for([
  ['developer', 'an account that is full from the start', withRoomFor(0), 55],
  ['developer', 'an account that is full now and then', withRoomFor(6), 85],
  ['workspace', 'a workspace whose plan has no room for agents', small, 25],
] as const)('%s: %s: nothing fails, and what can be judged is', async ([api, , between, least]) => {
  const { red, judged, left, leaks } = await run(api, { settings, between });
  expect({ red, left, leaks }).toEqual({ red: [], left: [], leaks: [] });
  expect(judged.length).toBeGreaterThanOrEqual(least);
});

test('a refused call that creates an agent nevertheless, at the end of a long list, is told', async () => {
  const { red, left } = await run('workspace.auth.no-effect', {
    faults: ['workspace-auth-forbidden-agents-create-done'],
    choices: {
      'workspace-list-shape': 'page-token',
      'workspace-stock': 'hundreds',
      'workspace-list-order': 'oldest-first',
    },
  });
  expect({ red, left }).toEqual({ red: ['auth.no-effect'], left: [] });
});

test('a sandbox that seeding empties leaves no part undecided of which its lists showed an accepted write', async () => {
  const clauses = ['developer.scopes.no-effect', 'developer.sandbox.reseed', 'developer.auth.no-effect'];
  const { judged, resultOf } = await run(clauses, { choices: { 'developer-reseed': 'resets' } });
  expect(judged).toContain('auth.no-effect');
  expect(resultOf('auth.no-effect')?.observed).toBe(null);
});

test('where the key list shows no key of the run, so that it can delete none, it soon makes no more', async () => {
  const { created, results } = await run('developer', { settings, faults: ['keys-list-given-alone'] });
  // Three, and those that were under way with the third.
  expect(created('POST /api/v1/developer/keys').length).toBeLessThanOrEqual(6);
  const stopped = results.filter(({ findings }) =>
    findings.some(({ message }) => message.startsWith('No further key')),
  );
  expect(new Set(stopped.flatMap(({ findings }) => findings.flatMap(({ blames }) => blames ?? [])))).toContain(
    'developer.keys.list',
  );
});

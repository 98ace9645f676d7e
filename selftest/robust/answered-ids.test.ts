import { expect, test } from 'vitest';
import { answering, type Between, callOf, jsonOf, saying, withId } from '../world/between.ts';
import { chapter, run } from './run.ts';

// Answers that name another record than the one that was meant: nothing happens to that.

/** Somebody makes a key at the moment of each rotation, which is answered with its id. `harm`: calls on that key. */
const rotatingNewest =
  (harm: string[]): Between =>
  (next) => {
    const others = new Set<string>();
    return async (request, bounds) => {
      const call = callOf(request);
      harm.push(...(request.method !== 'GET' && others.has(call.split('/').at(-1) ?? '') ? [call] : []));
      const answer = await next(request, bounds);
      if (answer.status >= 300 || !call.endsWith('/rotate')) {
        return answer;
      }
      const headers = [...request.headers, ['Content-Type', 'application/json'] as const];
      const body = JSON.stringify({ name: 'Billing', environment: 'sandbox', scopes: ['ads:read'] });
      const url = request.url.replace(/\/[^/]+\/rotate$/, '');
      const made = await next({ ...request, url, headers, body }, bounds);
      const { id } = jsonOf(made).data as { readonly id: string };
      others.add(id);
      return withId(answer, id);
    };
  };

test('rotations answer with the id of a key that somebody makes meanwhile', async () => {
  const harm: string[] = [];
  const { notes } = await run({
    api: 'developer',
    clauses: chapter('developer.keys'),
    between: [rotatingNewest(harm)],
  });
  expect(harm).toEqual([]);
  expect(notes).toEqual([expect.stringMatching(/^Not deleted .*\(answered as key_/)]);
});

/** Changes of records that do not exist are answered with somebody's newest one. */
const changingNewest = (harm: string[]): Between =>
  answering(() => (answer, request) => {
    const { method } = request;
    harm.push(...(method !== 'GET' && request.url.endsWith('/77777') ? [callOf(request)] : []));
    return method === 'PATCH' && answer.status === 404
      ? saying(answer, { id: 77777, name: 'Night shift' }, 200)
      : answer;
  });

test.each(['prefixed', 'numeric'])('changes of unknown ids, %s, change the newest record', async (ids) => {
  const harm: string[] = [];
  const choices = ids === 'numeric' ? { 'workspace-ids': ids } : {};
  const { red } = await run({ api: 'workspace', choices, between: [changingNewest(harm)] });
  expect(harm).toEqual([]);
  expect(red).toEqual(['errors.not-found']);
});

/** A change of an agent makes a new version of it, with an id of its own, in place of the old one. */
const versioning: Between = (next) => {
  const gone = new Set<string>();
  return async (request, bounds) => {
    const path = callOf(request).replace(/^\w+ /, '');
    const answer = await next(request, bounds);
    if (request.method !== 'PATCH' || !path.startsWith('/v1/agents/') || answer.status !== 200) {
      return gone.has(path)
        ? saying(answer, { error: { code: 'not_found', message: 'No', status: 404 } }, 404)
        : answer;
    }
    const url = request.url.replace(/\/[^/]+$/, '');
    const body = JSON.stringify({ ...jsonOf(answer), id: undefined });
    const made = await next({ ...request, method: 'POST', url, body }, bounds);
    await next({ ...request, method: 'DELETE', body: null }, bounds);
    gone.add(path);
    return { ...made, status: 200 };
  };
};

test('the version of an agent that a change made, with another id, is deleted', async () => {
  const { left } = await run({ api: 'workspace', clauses: chapter('workspace.agents'), between: [versioning] });
  expect(left).toEqual([]);
});

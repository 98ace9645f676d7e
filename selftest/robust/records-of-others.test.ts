import { expect, test } from 'vitest';
import type { WireResponse } from '../../suites/session/transport/transport.ts';
import { answering, type Between, callOf, jsonOf, saying } from '../world/between.ts';
import { creating, run } from './run.ts';

/** A list with other rows. */
function withRows(answer: WireResponse, change: (rows: readonly object[]) => readonly object[]): WireResponse {
  const text = JSON.stringify(jsonOf(answer), (name, value: unknown) =>
    Array.isArray(value) && (name === 'data' || name === 'keys') ? change(value as object[]) : value,
  );
  return saying(answer, text);
}

/**
 * Answers rotations with the id of a key that somebody else makes at that moment. `others` gets its id, `harm` the calls
 * on it.
 */
const rotatingAnother =
  (others: Set<string>, harm: string[]): Between =>
  (next) =>
  async (request) => {
    const call = callOf(request);
    harm.push(...(request.method !== 'GET' && others.has(call.split('/').at(-1) ?? '') ? [call] : []));
    const answer = await next(request);
    if (answer.status >= 300 || !call.endsWith('/rotate')) {
      return answer;
    }
    const headers = [...request.headers, ['Content-Type', 'application/json'] as const];
    const body = JSON.stringify({ name: 'Billing', environment: 'sandbox', scopes: ['ads:read'] });
    const create = { ...request, url: request.url.replace(/\/[^/]+\/rotate$/, ''), headers, body };
    const { id } = jsonOf(await next(create)).data as { readonly id: string };
    others.add(id);
    return saying(answer, String(answer.body).replace(/"id":"[^"]+"/, `"id":"${id}"`));
  };

// How else a deployment may mislead a run: others-untouched.test.ts.
test('rotations answer with the id of a key that somebody else has made', async () => {
  const [others, harm] = [new Set<string>(), []];
  const { ledger, notes } = await run('developer.keys', { between: rotatingAnother(others, harm) });
  expect([others.size > 0, harm, ledger.all().filter(({ id }) => others.has(id ?? ''))]).toEqual([true, [], []]);
  expect(notes).toEqual([expect.stringMatching(/^Not deleted .*\(answered as key_/)]);
});

/** Changes the first page of a list, when so many of its records were deleted. */
const listing = (
  collection: string,
  change: (rows: readonly object[], deleted: number) => readonly object[],
): Between =>
  answering(() => {
    let deleted = 0;
    return (answer, request) => {
      const call = callOf(request);
      deleted += Number(call.startsWith(`DELETE ${collection}/`) && answer.status < 300);
      const isList = call === `GET ${collection}` && answer.status === 200;
      return isList ? withRows(answer, (rows) => change(rows, deleted)) : answer;
    };
  });

/** The first list read after a deletion comes from a replica that does not know the row at that place yet. */
function laggingReplica(collection: string, place: 0 | -1): Between {
  let known = 0;
  return listing(collection, (rows, deleted) => {
    const isBehind = deleted > known;
    known = deleted;
    return isBehind ? rows.toSpliced(place, 1) : rows;
  });
}

test.each([
  ['/api/v1/developer/keys', 'developer.keys', 0],
  ['/api/v1/developer/keys', 'developer.keys', -1],
  ['/v1/bookings', 'workspace.bookings', -1],
] as const)('a replica of %s that is behind for one read shows nothing as taken', async (collection, name, place) => {
  const { red, left } = await run(name, { between: laggingReplica(collection, place) });
  expect({ red, left }).toEqual({ red: [], left: [] });
});

/** The first page ends with five more records, which are others'. Each deletion takes one of them along. */
const takingOthers = (collection: string): Between =>
  listing(collection, (rows, deleted) => [
    ...rows,
    ...['fd-1', 'fd-2', 'fd-3', 'fd-4', 'fd-5'].slice(deleted).map((id) => ({ id, name: 'Front desk' })),
  ]);

test.each([
  ['/v1/agents', 'agents.delete', /^Deleting one agent removes others: fd-1, which/],
  ['/v1/bookings', 'bookings.cancel', /^Deleting one booking removes others: fd-1, which/],
] as const)('no more is deleted in %s once three deletions took others along', async (collection, clause, told) => {
  const { resultOf, exchanges, notes } = await run(creating('workspace'), { between: takingOthers(collection) });
  const deletions = exchanges.filter(({ endpoint }) => endpoint === `DELETE ${collection}/:id`);
  expect(deletions.filter(({ response }) => (response?.status ?? 0) < 300)).toHaveLength(3);
  expect(resultOf(clause)).toMatchObject({ verdict: 'fail', findings: [{ message: expect.stringMatching(told) }] });
  expect(notes.filter((note) => note.includes('each deletion took others along (fd-1, fd-2, fd-3)'))).toHaveLength(1);
});

/** Somebody else cancels the oldest booking just when the run cancels its first one. */
const somebodyCancels = listing('/v1/bookings', (rows, deleted) =>
  deleted === 0 ? rows : [...rows.slice(0, -1), { ...rows.at(-1), status: 'cancelled' }],
);

test('that somebody else cancels a booking meanwhile proves nothing', async () => {
  const { red, resultOf } = await run('workspace.bookings.cancel', { between: somebodyCancels });
  const findings = [{ message: expect.stringMatching(/somebody else may have deleted it/) }];
  expect(resultOf('bookings.cancel')).toMatchObject({ verdict: 'inconclusive', findings });
  expect(red).toEqual([]);
});

/** A database that gives the id of a deleted agent to the next record, which somebody else makes at once. */
const reusingIds =
  (harm: string[]): Between =>
  (next) => {
    const theirs = new Set<string>();
    return async (request) => {
      const answer = await next(request);
      const call = callOf(request);
      const path = call.replace(/^\w+ /, '');
      if (theirs.has(path) && answer.status === 404) {
        if (request.method !== 'GET') {
          harm.push(call);
        }
        return saying(answer, { id: Number(path.split('/').at(-1)), name: 'Front desk' }, 200);
      }
      if (/^DELETE \/v1\/agents\/\d+$/.test(call) && answer.status < 300) {
        theirs.add(path);
      }
      return answer;
    };
  };

/** The calls over the limit, with and without a limiter that lets deletions through. */
test.each([[[]], [['workspace-limits-per-minute-writes-free']]])(
  'nobody else gets a call on the id of an agent that the run deleted: %s',
  async (faults) => {
    const harm: string[] = [];
    const choices = { 'workspace-ids': 'numeric' };
    const { red } = await run('workspace', { faults, choices, between: reusingIds(harm) });
    expect(harm).toEqual([]);
    expect(red.includes('limits.per-minute')).toBe(faults.length > 0);
  },
);

test.each(['bookings-cancel-reaches', 'webhooks-remove-reaches', 'events'])(
  'a deletion with the key of another workspace is sent under a number that the other list does not have: %s',
  async (defect) => {
    const faults = [`workspace-auth-scoped-${defect}`];
    const choices = { 'workspace-ids': 'numeric' };
    const { red } = await run('workspace.auth.scoped', { faults, choices });
    expect(red).toEqual(['auth.scoped']);
  },
);

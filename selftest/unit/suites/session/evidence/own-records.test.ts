import { expect, test } from 'vitest';
import type { Call, SentCall } from '../../../../../suites/session/call.ts';
import { changedAt } from '../../../../../suites/session/client.ts';
import { createOwnRecords } from '../../../../../suites/session/evidence/own-records.ts';
import type { ApiKey } from '../../../../../suites/session/key.ts';

const given: ApiKey = { secret: 'x', label: 'WORKSPACE_API_KEY', environment: 'workspace', origin: 'given' };
const own: ApiKey = { ...given, label: 'a key of this run', origin: 'own', changedAt: 500 };
const call = (method: string, path: string, more: Partial<Call> = {}): Call => ({ method, path, key: given, ...more });

/** The records of a run that made an agent and a webhook with the same id, and what it sends then. */
function setUp() {
  const sent: SentCall[] = [];
  const records = createOwnRecords(sent);
  records.made({ collection: '/v1/agents', id: 'a/b', at: 1_000 });
  records.made({ collection: '/v1/webhooks', id: 'a/b', at: 1_000 });
  const send = (one: Call, status: number, sentAt: number): void => {
    const request = { method: one.method, url: '', headers: [], body: null };
    const answered = { status, accepted: status < 300, sentAt, receivedAt: sentAt };
    sent.push({ number: sent.length + 1, call: one, request, ...answered, isPaced: true, caller: undefined });
  };
  return { records, send };
}

const read = call('GET', '/v1/agents/a%2Fb');

test.for<readonly [string, Call, number, number | undefined]>([
  ['a read of a new record', read, 404, 1_000],
  ['a change of it', call('PATCH', '/v1/agents/a%2Fb'), 404, 1_000],
  ['a refusal', read, 403, undefined],
  ['another record', call('GET', '/v1/agents/c'), 404, undefined],
  ['its list', call('GET', '/v1/agents'), 404, undefined],
  ['another workspace', { ...read, key: { ...given, setting: 'WORKSPACE_OTHER_API_KEY' } }, 404, undefined],
  ['a key that opens nothing', { ...read, key: { ...given, origin: 'unknown' } }, 404, undefined],
  ['no key', { ...read, key: null }, 404, undefined],
  ['a check that waits itself', { ...read, isOutdated: () => false }, 404, undefined],
  ['a new key that is refused', call('GET', '/v1/agents', { key: own }), 401, 500],
  ['a new key that lacks a scope', call('GET', '/v1/agents', { key: own }), 403, undefined],
  ['a status that the check calls outdated', { ...read, key: own, isOutdated: (one) => one === 403 }, 403, 500],
  ['a given key that is refused', read, 401, undefined],
])('what is waited for: %s', ([, one, status, at]) => {
  expect(changedAt(one, status, setUp().records)).toBe(at);
});

test('a record is new until it is deleted, and again if another gets its id; others may have the same id', () => {
  const { records, send } = setUp();
  send(call('DELETE', '/v1/agents/a%2Fb'), 403, 1_100);
  expect([records.madeAt(read.path), records.deletedIn('/v1/agents')('a/b')]).toEqual([1_000, false]);
  send(call('DELETE', '/v1/agents/a%2Fb'), 204, 1_200);
  expect(records.madeAt(read.path)).toBeUndefined();
  expect(records.deletedIn('/v1/agents')('a/b')).toBe(true);
  expect(records.deletedIn('/v1/webhooks')('a/b')).toBe(false);
  records.made({ collection: '/v1/agents', id: 'a/b', at: 1_300 });
  expect(records.madeAt(read.path)).toBe(1_300);
});

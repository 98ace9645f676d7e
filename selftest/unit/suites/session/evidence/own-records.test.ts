import { expect, test } from 'vitest';
import type { ApiKey, Call, SentCall } from '../../../../../suites/session/call.ts';
import { changedAt } from '../../../../../suites/session/client.ts';
import { createOwnRecords } from '../../../../../suites/session/evidence/own-records.ts';

const given: ApiKey = { secret: 'x', label: 'WORKSPACE_API_KEY', environment: 'workspace', origin: 'given' };
const own: ApiKey = { ...given, label: 'a key of this run', origin: 'own', changedAt: 500 };
const call = (method: string, path: string, key: ApiKey | null = given): Call => ({ method, path, key });

/** The records of a run that made an agent and a webhook with the same id, and what it sends then. */
function setUp() {
  const sent: SentCall[] = [];
  const records = createOwnRecords(sent);
  records.made({ collection: '/v1/agents', id: 'a/b', at: 1_000 });
  records.made({ collection: '/v1/webhooks', id: 'a/b', at: 1_000 });
  const send = (one: Call, status: number, sentAt: number): void => {
    const request = { method: one.method, url: '', headers: [], body: null };
    const answered = { status, accepted: status < 300, sentAt, receivedAt: sentAt };
    sent.push({ number: sent.length + 1, call: one, request, ...answered, isPaced: true });
  };
  return { records, send };
}

const path = '/v1/agents/a%2Fb';
const read = call('GET', path);

test.for<readonly [string, Call, number, number | undefined]>([
  ['a read of a new record', read, 404, 1_000],
  ['a refusal', read, 403, undefined],
  ['another workspace', { ...read, key: { ...given, setting: 'WORKSPACE_OTHER_API_KEY' } }, 404, undefined],
  ['a key that opens nothing', call('GET', path, { ...given, origin: 'unknown' }), 404, undefined],
  ['no key', call('GET', path, null), 404, undefined],
  ['a new key that is refused', call('GET', '/v1/agents', own), 401, 500],
  ['a new key that lacks a scope', call('GET', '/v1/agents', own), 403, undefined],
  ['a status that the check calls outdated', { ...read, key: own, isOutdated: (one) => one === 403 }, 403, 500],
])('what is waited for: %s', ([, one, status, at]) => {
  expect(changedAt(one, status, setUp().records)).toBe(at);
});

test('a record is new until it is deleted, and again if another gets its id; others may have the same id', () => {
  const { records, send } = setUp();
  const told = () => [
    records.madeAt(path),
    ...['agents', 'webhooks'].map((kind) => records.deletedIn(`/v1/${kind}`)('a/b')),
  ];
  send(call('DELETE', path), 403, 1_100);
  expect(told()).toEqual([1_000, false, false]);
  send(call('DELETE', path), 204, 1_200);
  expect(told()).toEqual([undefined, true, false]);
  records.made({ collection: '/v1/agents', id: 'a/b', at: 1_300 });
  expect(records.madeAt(path)).toBe(1_300);
});

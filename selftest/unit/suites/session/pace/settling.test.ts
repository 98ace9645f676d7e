import { expect, test } from 'vitest';
import type { Answer } from '../../../../../suites/session/answer.ts';
import type { Call } from '../../../../../suites/session/call.ts';
import type { ApiKey } from '../../../../../suites/session/key.ts';
import { createSettling } from '../../../../../suites/session/pace/settling.ts';
import { workspaceApi } from '../../../../../suites/workspace/api.ts';

const given: ApiKey = { secret: 'x', label: 'WORKSPACE_API_KEY', environment: 'workspace', origin: 'given' };
const own: ApiKey = { ...given, label: 'a key of this run', origin: 'own', changedAt: 500 };
const call = (method: string, path: string, more: Partial<Call> = {}): Call => ({ method, path, key: given, ...more });
const answerWith = (status: number): Answer => ({ status }) as Answer;

test('a record that the run made may get 404 for a while, unless it was deleted or the key opens another workspace or nothing', () => {
  const settling = createSettling(workspaceApi, 2_000);
  settling.made('/v1/agents', 'a/b', 1_000);
  const read = call('GET', '/v1/agents/a%2Fb');
  expect(settling.deadline(read, 404)).toBe(3_000);
  expect(settling.deadline(call('PATCH', '/v1/agents/a%2Fb'), 404)).toBe(3_000);
  for (const [other, status] of [
    [read, 403],
    [call('GET', '/v1/agents/c'), 404],
    [call('GET', '/v1/agents'), 404],
    [call('GET', '/v1/agents/a%2Fb', { key: { ...given, setting: 'WORKSPACE_OTHER_API_KEY' } }), 404],
    [call('GET', '/v1/agents/a%2Fb', { key: { ...given, origin: 'unknown' } }), 404],
    [call('GET', '/v1/agents/a%2Fb', { key: null }), 404],
    [call('GET', '/v1/agents/a%2Fb', { isOutdated: () => false }), 404],
  ] as const) {
    expect(settling.deadline(other, status)).toBeUndefined();
  }
  settling.note(call('DELETE', '/v1/agents/a%2Fb'), answerWith(403));
  expect(settling.deadline(read, 404)).toBe(3_000);
  settling.note(call('DELETE', '/v1/agents/a%2Fb'), answerWith(204));
  expect(settling.deadline(read, 404)).toBeUndefined();
});

test('a key that the run made or changed may show its former state for a while', () => {
  const settling = createSettling(workspaceApi, 2_000);
  const read = call('GET', '/v1/agents', { key: own });
  expect(settling.deadline(read, 401)).toBe(2_500);
  expect(settling.deadline(read, 403)).toBeUndefined();
  expect(settling.deadline({ ...read, isOutdated: (status) => status === 403 }, 403)).toBe(2_500);
  expect(settling.deadline({ ...read, key: given }, 401)).toBeUndefined();
});

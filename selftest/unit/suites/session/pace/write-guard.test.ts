import { expect, test } from 'vitest';
import { Inconclusive } from '../../../../../results/stop.ts';
import type { Call } from '../../../../../suites/session/call.ts';
import type { ApiKey, KeyName } from '../../../../../suites/session/key.ts';
import { createLedger, memoryLedger } from '../../../../../suites/session/ledger/ledger.ts';
import { createWriteGuard } from '../../../../../suites/session/pace/write-guard.ts';
import { workspaceApi } from '../../../../../suites/workspace/api.ts';

const keyOf = (setting: KeyName): ApiKey => ({
  secret: 'x',
  label: setting,
  setting,
  environment: 'workspace',
  origin: 'given',
});
const call = (method: string, path: string, setting: KeyName = 'WORKSPACE_API_KEY'): Call => ({
  method,
  path,
  key: keyOf(setting),
});

test('a call that changes or deletes a record is refused unless its id is confirmed', () => {
  const writeGuard = createWriteGuard(workspaceApi, memoryLedger());
  const isSent = (one: Call): boolean => {
    try {
      writeGuard.assert(one);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(Inconclusive);
      return false;
    }
  };
  for (const method of ['PATCH', 'DELETE', 'PUT', 'POST']) {
    expect(isSent(call(method, '/v1/agents/agt_1')), method).toBe(false);
  }
  for (const free of [call('GET', '/v1/agents/agt_1'), call('POST', '/v1/agents'), call('PUT', '/v1/agents')]) {
    expect(isSent(free)).toBe(true);
  }
  writeGuard.allow('/v1/agents', 'agt_1');
  writeGuard.allow('/v1/bookings', 'a/b');
  expect(isSent(call('PATCH', '/v1/agents/agt_1'))).toBe(true);
  expect(isSent(call('DELETE', '/v1/bookings/a%2Fb'))).toBe(true);
  expect(isSent(call('DELETE', '/v1/leads/agt_1'))).toBe(false);
});

test('a record that was there before cannot be allowed, in a later clean-up either', () => {
  const lines: string[] = [];
  const ledger = createLedger((line) => lines.push(line));
  ledger.noteOthers('/v1/agents', ['agt_1', 'agt_2']);
  ledger.noteOthers('/v1/agents', ['agt_1']);
  expect(lines).toHaveLength(1);
  const later = createWriteGuard(
    workspaceApi,
    createLedger(() => {}, lines),
  );
  expect(later.allow('/v1/agents', 'agt_2')).toBe(false);
  // A database may compare ids without regard to case.
  expect(later.allow('/v1/agents', 'AGT_2')).toBe(false);
  expect(later.allow('/v1/leads', 'agt_2')).toBe(true);
  expect(() => later.assert(call('DELETE', '/v1/agents/agt_2'))).toThrow(Inconclusive);
});

test('in another workspace, the id of an own record may belong to another record, unless a read finds nothing there', () => {
  const sent: { readonly call: Call; readonly status: number }[] = [];
  const writeGuard = createWriteGuard(workspaceApi, memoryLedger(), sent);
  writeGuard.allow('/v1/agents', '7');
  const theirs = call('DELETE', '/v1/agents/7', 'WORKSPACE_OTHER_API_KEY');
  expect(() => writeGuard.assert(theirs)).toThrow('the other workspace may have a record');
  sent.push({ call: { ...theirs, method: 'GET', key: keyOf('WORKSPACE_API_KEY') }, status: 404 });
  expect(() => writeGuard.assert(theirs)).toThrow('the other workspace may have a record');
  sent.push({ call: { ...theirs, method: 'GET' }, status: 404 });
  expect(() => writeGuard.assert(theirs)).not.toThrow();
  writeGuard.allow('/v1/agents', 'agt_6IlsJq3C28e70hxq');
  expect(() =>
    writeGuard.assert(call('PATCH', '/v1/agents/agt_6IlsJq3C28e70hxq', 'WORKSPACE_OTHER_API_KEY')),
  ).not.toThrow();
});

import { expect, test } from 'vitest';
import { Inconclusive } from '../../../../../results/outcome.ts';
import type { ApiKey, Call, KeyName } from '../../../../../suites/session/call.ts';
import { createLedger, memoryLedger } from '../../../../../suites/session/ledger/ledger.ts';
import { createWriteGuard } from '../../../../../suites/session/pace/write-guard.ts';
import { workspaceApi } from '../../../../../suites/workspace/api.ts';

const call = (method: string, path: string, setting: KeyName = 'WORKSPACE_API_KEY'): Call => {
  const key = { secret: 'x', label: setting, setting, environment: 'workspace', origin: 'given' } as const;
  return { method, path, key };
};

/** Why a guard refuses a call; undefined: it is sent. */
function refusal(guard: ReturnType<typeof createWriteGuard>, one: Call): string | undefined {
  try {
    guard.assert(one);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(Inconclusive);
    return (error as Error).message.replace(/^.* was not sent: /, '');
  }
}

const unproven = 'no read confirmed that this run created the record';

test.for<[method: string, path: string, why: string | undefined]>([
  ['PATCH', '/v1/agents/agt_2', unproven],
  ['DELETE', '/v1/agents/agt_2', unproven],
  ['PUT', '/v1/agents/agt_2', unproven],
  ['POST', '/v1/agents/agt_2', unproven],
  ['DELETE', '/v1/leads/agt_1', unproven],
  ['GET', '/v1/agents/agt_2', undefined],
  ['POST', '/v1/agents', undefined],
  ['PUT', '/v1/agents', undefined],
  ['PATCH', '/v1/agents/agt_1', undefined],
  ['DELETE', '/v1/bookings/a%2Fb', undefined],
])('where an agent agt_1 and a booking a/b are proven, %s %s is refused: %s', ([method, path, why]) => {
  const guard = createWriteGuard(workspaceApi, memoryLedger());
  guard.allow('/v1/agents', 'agt_1');
  guard.allow('/v1/bookings', 'a/b');
  expect(refusal(guard, call(method, path))).toBe(why);
});

test('a record that was there before cannot be allowed, in a later clean-up either', () => {
  const lines: string[] = [];
  const ledger = createLedger((line) => lines.push(line));
  ledger.noteOthers('/v1/agents', ['agt_1', 'agt_2']);
  ledger.noteOthers('/v1/agents', ['agt_1']);
  expect(lines).toHaveLength(1);
  const known = createLedger(() => {}, lines);
  const later = createWriteGuard(workspaceApi, known);
  // A database may compare ids without regard to case.
  const ids = [['/v1/agents', 'agt_2'] as const, ['/v1/agents', 'AGT_2'] as const, ['/v1/leads', 'agt_2'] as const];
  expect(ids.map(([collection, id]) => later.allow(collection, id))).toEqual([false, false, true]);
  expect(refusal(later, call('DELETE', '/v1/agents/agt_2'))).toBe(unproven);
});

test('in another workspace an own id may be another’s, unless a read finds nothing there; so may one made there be here', () => {
  const sent: { readonly call: Call; readonly status: number }[] = [];
  const guard = createWriteGuard(workspaceApi, memoryLedger(), sent);
  guard.allow('/v1/agents', '7');
  guard.allow('/v1/agents', 'agt_6IlsJq3C28e70hxq');
  const theirs = (method: string, id = '7'): Call => call(method, `/v1/agents/${id}`, 'WORKSPACE_OTHER_API_KEY');
  const why = 'the other workspace may have a record of its own with this id';
  expect([refusal(guard, theirs('DELETE')), refusal(guard, theirs('PATCH', 'agt_6IlsJq3C28e70hxq'))]).toEqual([
    why,
    undefined,
  ]);
  sent.push({ call: call('GET', '/v1/agents/7'), status: 404 });
  expect(refusal(guard, theirs('DELETE'))).toBe(why);
  sent.push({ call: theirs('GET'), status: 404 });
  expect(refusal(guard, theirs('DELETE'))).toBeUndefined();
  guard.allow('/v1/agents', '9');
  guard.noteUnlisted('/v1/agents', '9', call('GET', '').key as ApiKey);
  expect(refusal(guard, theirs('DELETE', '9'))).toBe(why);
  guard.noteUnlisted('/v1/agents', '9', theirs('GET').key as ApiKey);
  expect(refusal(guard, theirs('DELETE', '9'))).toBeUndefined();
  const made = theirs('DELETE', '8');
  guard.allow('/v1/agents', '8', made.key ?? undefined);
  expect(refusal(guard, made)).toBe(why);
  guard.noteUnlisted('/v1/agents', '8', call('GET', '').key as ApiKey);
  expect(refusal(guard, made)).toBeUndefined();
});

test.for<[status: number, details: Partial<Call>, why: string | undefined]>([
  [200, {}, unproven],
  [503, {}, unproven],
  [0, {}, unproven],
  [404, { deletes: true }, unproven],
  [404, {}, undefined],
  [401, { deletes: true }, undefined],
  [200, { method: 'GET' }, undefined],
])('after a deletion that got %i (%o), a counted id may be that of others', ([status, details, why]) => {
  const sent: { readonly call: Call; readonly status: number }[] = [];
  const guard = createWriteGuard(workspaceApi, memoryLedger(), sent);
  const ids = ['7', '8', 'agt_6IlsJq3C28e70hxq'];
  const deletions = ids.map((id) => call('DELETE', `/v1/agents/${id}`));
  const refusals = () => deletions.map((deletion) => refusal(guard, deletion));
  for (const id of ids) {
    guard.allow('/v1/agents', id);
  }
  const others = deletions.filter(({ path }) => !path.endsWith('/8'));
  sent.push(...others.map((deletion) => ({ call: { ...deletion, ...details }, status })));
  expect(refusals()).toEqual([why, undefined, undefined]);
  guard.allow('/v1/agents', '7');
  expect(refusals()).toEqual([undefined, undefined, undefined]);
});

import { isWrite } from '../../contract/endpoint.ts';
import { unlocksOf } from '../../results/unlocks.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { nounOf } from '../../suites/records/lists.ts';
import { moduleWrites } from '../../suites/run/left-behind.ts';
import type { OpenSuite } from '../../suites/run/prepare.ts';
import type { SentCall } from '../../suites/session/call.ts';

export type ApiPlan = ReturnType<typeof planOf>;

const credentialOf = ({ call: { key } }: SentCall): string =>
  key === null || key.origin === 'unknown' ? 'invalid' : key.origin === 'own' ? 'own' : key.label;

/** How often each name occurs. */
const countBy = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));

/** The calls by a name, those first whose names come first in the order; others last. */
const grouped = (calls: readonly SentCall[], nameOf: (call: SentCall) => string, order: readonly string[]) =>
  [...Map.groupBy(calls, nameOf)].sort(([a], [b]) => placeIn(order, a) - placeIn(order, b));

const placeIn = (order: readonly string[], name: string): number => order.indexOf(name) + 1 || order.length + 1;

/** The calls of one endpoint. */
function callPlan([id, calls]: readonly [string, readonly SentCall[]]) {
  const [method = '', path = ''] = id.split(' ');
  return {
    method,
    /** The path of the documented endpoint; null for calls outside the documents. */
    path: path === '' ? null : path,
    calls: calls.length,
    byCredential: countBy(calls.map(credentialOf)),
  };
}

const writesIn = (calls: readonly SentCall[]): number => calls.filter(({ call }) => isWrite(call.method)).length;

/** What one API's run would send, counted from the calls of a rehearsal. `url`: its name in the plan. */
export function planOf(session: OpenSuite['session'], url: string, results: readonly ClauseResult[]) {
  const { api, book, ledger } = session;
  const { calls } = book;
  const keys = [...api.keys.map(({ setting }) => setting), 'own', 'invalid'];
  const endpoints = api.endpoints.map(({ id }) => id);
  const modules = (['sandbox', 'live'] as const).flatMap((environment) =>
    moduleWrites(calls, environment).map(() => `${environment} record`),
  );
  const count = (entries: ReturnType<typeof ledger.all>): Record<string, number> =>
    countBy([...entries.map(({ collection }) => nounOf(collection)), ...modules]);
  return {
    api: api.name,
    url,
    requests: session.client.sent,
    writes: writesIn(calls),
    /** How many of the requests use up limits on purpose. */
    drives: calls.filter(({ isPaced }) => !isPaced).length,
    clauses: session.clauses.size,
    /** How many of the clauses would be decided for a conformant deployment. The others need a setting, or another command. */
    decided: results.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed').length,
    /** The calls with each given key, with keys that the run makes (`own`), and without a valid key (`invalid`). */
    credentials: grouped(calls, credentialOf, keys).map(([credential, own]) => ({
      credential,
      calls: own.length,
      writes: writesIn(own),
    })),
    /** How much is drawn from each budget: that of a given key, of each key that the run makes, or of the workspace. */
    budgets: book.budgets(),
    calls: grouped(calls, ({ call }) => call.endpoint?.id ?? `${call.method} `, endpoints).map(callPlan),
    /** How many of each kind of record the run creates, by noun. */
    makes: count(ledger.all().filter(({ id }) => id !== undefined)),
    /** How many of those the API cannot delete. */
    leaves: count(ledger.undeletable()),
    /** The settings that would let more clauses be decided. */
    unlocks: unlocksOf(results),
  };
}

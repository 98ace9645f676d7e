import type { ApiName } from '../../contract/clause.ts';
import { isWrite } from '../../contract/endpoint.ts';
import type { Budget, Timing } from '../../results/timing.ts';
import { type Unlock, unlocksOf } from '../../results/unlocks.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { nounOf } from '../../suites/records/lists.ts';
import { moduleWrites } from '../../suites/run/left-behind.ts';
import type { OpenSuite } from '../../suites/run/prepare.ts';
import type { SentCall } from '../../suites/session/call.ts';

/** What a run would send, counted from the calls of a rehearsal. */
export interface Plan {
  readonly format: 1;
  /** Whether the run would judge the embedded reference, since no setting names a target. */
  readonly embedded: boolean;
  readonly apis: readonly ApiPlan[];
  /** How long the rehearsal took on its clock, on which answers take no time. */
  readonly durationMs: number;
  readonly timing: Timing;
}

export interface ApiPlan {
  readonly api: ApiName;
  readonly url: string;
  readonly requests: number;
  readonly writes: number;
  /** How many of the requests use up limits on purpose. */
  readonly drives: number;
  readonly clauses: number;
  /** How many of the clauses would be decided for a conformant deployment. The others need a setting, or another command. */
  readonly decided: number;
  /** The calls with each given key, with keys that the run makes (`own`), and without a valid key (`invalid`). */
  readonly credentials: readonly { readonly credential: string; readonly calls: number; readonly writes: number }[];
  /** How much is drawn from each budget: that of a given key, of each key that the run makes, or of the workspace. */
  readonly budgets: readonly Budget[];
  readonly calls: readonly CallPlan[];
  /** How many of each kind of record the run creates, by noun. */
  readonly makes: Readonly<Record<string, number>>;
  /** How many of those the API cannot delete. */
  readonly leaves: Readonly<Record<string, number>>;
  /** The settings that would let more clauses be decided. */
  readonly unlocks: readonly Unlock[];
}

/** The calls of one endpoint. */
export interface CallPlan {
  readonly method: string;
  /** The path of the documented endpoint; null for calls outside the documents. */
  readonly path: string | null;
  readonly calls: number;
  readonly byCredential: Readonly<Record<string, number>>;
}

const credentialOf = ({ call: { key } }: SentCall): string =>
  key === null || key.origin === 'unknown' ? 'invalid' : key.origin === 'own' ? 'own' : key.label;

/** How often each name occurs. */
const countBy = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));

/** The calls by a name, those first whose names come first in the order; others last. */
const grouped = (calls: readonly SentCall[], nameOf: (call: SentCall) => string, order: readonly string[]) =>
  [...Map.groupBy(calls, nameOf)].sort(([a], [b]) => placeIn(order, a) - placeIn(order, b));

const placeIn = (order: readonly string[], name: string): number => order.indexOf(name) + 1 || order.length + 1;

function callPlan([id, calls]: readonly [string, readonly SentCall[]]): CallPlan {
  const [method = '', path = ''] = id.split(' ');
  return {
    method,
    path: path === '' ? null : path,
    calls: calls.length,
    byCredential: countBy(calls.map(credentialOf)),
  };
}

const writesIn = (calls: readonly SentCall[]): number => calls.filter(({ call }) => isWrite(call.method)).length;

/** What one API's run sent. `url`: its name in the plan. */
export function planOf(session: OpenSuite['session'], url: string, results: readonly ClauseResult[]): ApiPlan {
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
    drives: calls.filter(({ isPaced }) => !isPaced).length,
    clauses: session.clauses.size,
    decided: results.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed').length,
    credentials: grouped(calls, credentialOf, keys).map(([credential, own]) => ({
      credential,
      calls: own.length,
      writes: writesIn(own),
    })),
    budgets: book.budgets(),
    calls: grouped(calls, ({ call }) => call.endpoint?.id ?? `${call.method} `, endpoints).map(callPlan),
    makes: count(ledger.all().filter(({ id }) => id !== undefined)),
    leaves: count(ledger.undeletable()),
    unlocks: unlocksOf(results),
  };
}

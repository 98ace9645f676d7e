import type { ApiName } from '../../contract/clause.ts';
import { isWrite } from '../../contract/endpoint.ts';
import type { Budget, Timing } from '../../results/timing.ts';
import type { Unlock } from '../../results/unlocks.ts';
import type { BookedCall } from '../../suites/session/pace/call-book.ts';

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
  /**
   * How many of the clauses would be decided for a conformant deployment. The others need a setting, or another
   * command.
   */
  readonly decided: number;
  readonly credentials: readonly CredentialPlan[];
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

/** The calls with one given key, with keys that the run makes, or without a valid key. */
export interface CredentialPlan {
  readonly credential: string;
  readonly calls: number;
  readonly writes: number;
}

/** The calls of one endpoint. */
export interface CallPlan {
  readonly method: string;
  /** The path of the documented endpoint; null for calls outside the documents. */
  readonly path: string | null;
  readonly calls: number;
  readonly byCredential: Readonly<Record<string, number>>;
  /** The clauses that the calls serve, besides those on every response. */
  readonly clauses: readonly string[];
}

/**
 * `own` for all keys that the run makes, `invalid` for no key and for invalid ones, otherwise the setting of a given
 * key.
 */
function credentialOf({ key }: BookedCall): string {
  if (key === null || key.origin === 'unknown') {
    return 'invalid';
  }
  return key.origin === 'own' ? 'own' : key.label;
}

/** How often each name occurs. */
export const countBy = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));

/** The calls by credential: first the given keys in the order of the settings, then the others. */
export function credentialsOf(calls: readonly BookedCall[], given: readonly string[]): CredentialPlan[] {
  const groups = Map.groupBy(calls, credentialOf);
  const order = [...given, 'own', 'invalid'];
  return [...groups]
    .map(([credential, own]) => ({
      credential,
      calls: own.length,
      writes: own.filter(({ method }) => isWrite(method)).length,
    }))
    .sort((a, b) => order.indexOf(a.credential) - order.indexOf(b.credential));
}

/** The calls by endpoint in the order of the documents; calls outside the documents last. */
export function callsOf(calls: readonly BookedCall[], endpoints: readonly string[]): CallPlan[] {
  const groups = Map.groupBy(calls, ({ endpoint, method }) => endpoint ?? `${method} `);
  const order = (id: string): number => endpoints.indexOf(id) + 1 || endpoints.length + 1;
  return [...groups]
    .sort(([a], [b]) => order(a) - order(b))
    .map(([id, own]) => {
      const [method = '', path = ''] = id.split(' ');
      return {
        method,
        path: path === '' ? null : path,
        calls: own.length,
        byCredential: countBy(own.map(credentialOf)),
        clauses: [...new Set(own.flatMap(({ clauses }) => clauses))].sort(),
      };
    });
}

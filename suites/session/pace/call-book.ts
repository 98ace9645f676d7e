import type { Clock } from '../../../common/clock.ts';
import type { Budget, Waited } from '../../../results/timing.ts';
import { isAdmitted } from '../answer.ts';
import type { Api } from '../api.ts';
import { type Caller, clausesServed, currentCaller, currentClause } from '../attribution.ts';
import type { Call } from '../call.ts';
import { type ApiKey, isOfOtherWorkspace } from '../key.ts';

/** One call that was sent, and the clauses that it served. */
export interface BookedCall {
  readonly method: string;
  /** The documented endpoint; null for a probe of something else. */
  readonly endpoint: string | null;
  /** The key that was sent; null where none was. */
  readonly key: Pick<ApiKey, 'label' | 'environment' | 'origin'> | null;
  /** Status of the answer; 0 where none came. */
  readonly status: number;
  /** The clauses whose checks made the call, or asked for its step; empty where it was made for the run as a whole. */
  readonly clauses: readonly string[];
}

/** Keeps account of the calls and waits of a run: `npm run plan` and the last lines of a run are made from it. */
export interface CallBook {
  /** Books a call that has got its answer, or none (status 0). `isPaced`: it had waited for its turn. */
  add(call: Call, status: number, isPaced: boolean): void;
  /** Books a wait for `what` that begins now and takes `ms`. */
  noteWait(what: string, ms: number): void;
  /** A clock for checks: each sleep on it is booked as a wait of the clause that sleeps. */
  metered(clock: Clock): Clock;
  calls(): BookedCall[];
  /** How much of each budget the calls used up. */
  budgets(): Budget[];
  /** All waits so far, those under way included. */
  waits(): readonly Waited[];
  /** What is waited for at this moment, and for how many more milliseconds. */
  currentWaits(): readonly { readonly what: string; readonly ms: number }[];
}

type Booked = Omit<BookedCall, 'clauses'> & { readonly caller: Caller | undefined };

/** `perMinute` gives a key's documented requests a minute. */
export function createCallBook(
  clock: Clock,
  { name: apiName, keysShareBudget }: Pick<Api<never>, 'name' | 'keysShareBudget'>,
  perMinute: (key: ApiKey) => number,
): CallBook {
  const booked: Booked[] = [];
  const budgets = new Map<string, Budget>();
  const waits: Waited[] = [];
  const noteWait = (what: string, ms: number): void => {
    if (ms > 0) {
      waits.push({ what, from: clock.now(), until: clock.now() + ms });
    }
  };

  function spend(key: ApiKey, status: number, isPaced: boolean): void {
    const isShared = keysShareBudget && !isOfOtherWorkspace(key);
    const name = isShared ? apiName : key.secret;
    const admitted = isAdmitted({ status }) ? 1 : 0;
    const unused = {
      label: isShared ? apiName : key.label,
      perMinute: perMinute(key),
      calls: 0,
      admitted: 0,
      paced: 0,
    };
    const known = budgets.get(name) ?? unused;
    budgets.set(name, {
      ...known,
      calls: known.calls + 1,
      admitted: known.admitted + admitted,
      paced: known.paced + (isPaced ? admitted : 0),
    });
  }

  return {
    add({ method, endpoint, key }, status, isPaced) {
      const sent = key === null ? null : { label: key.label, environment: key.environment, origin: key.origin };
      booked.push({ method, endpoint: endpoint?.id ?? null, key: sent, status, caller: currentCaller() });
      if (key !== null && key.origin !== 'unknown') {
        spend(key, status, isPaced);
      }
    },
    noteWait,
    metered: ({ now, sleep }) => ({
      now,
      sleep(ms) {
        const clause = currentClause();
        if (clause !== undefined) {
          noteWait(clause, ms);
        }
        return sleep(ms);
      },
    }),
    calls: () => booked.map(({ caller, ...call }) => ({ ...call, clauses: clausesServed(caller) })),
    budgets: () => [...budgets.values()],
    waits: () => waits,
    currentWaits: () => waits.map(({ what, until }) => ({ what, ms: until - clock.now() })).filter(({ ms }) => ms > 0),
  };
}

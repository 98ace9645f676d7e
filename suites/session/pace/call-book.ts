import type { Clock } from '../../../common/clock.ts';
import type { Budget, Waited } from '../../../results/timing.ts';
import type { Api } from '../api.ts';
import { currentClause } from '../attribution.ts';
import { type ApiKey, isNotLimited, isOfOtherWorkspace, type SentCall } from '../call.ts';

/** Gives account of the calls and waits of a run: `npm run plan` and the last lines of a run are made from it. */
export type CallBook = ReturnType<typeof createCallBook>;

/** `sent`: the calls of the run. `perMinute` gives a key's documented requests a minute. */
export function createCallBook(
  clock: Clock,
  { name: apiName, keysShareBudget }: Pick<Api<never>, 'name' | 'keysShareBudget'>,
  sent: readonly SentCall[],
  perMinute: (key: ApiKey) => number,
) {
  const waits: Waited[] = [];
  /** Books a wait for `what` that begins now and takes `ms`. */
  const noteWait = (what: string, ms: number): void => {
    if (ms > 0) {
      waits.push({ what, from: clock.now(), until: clock.now() + ms });
    }
  };

  const isShared = (key: ApiKey): boolean => keysShareBudget && !isOfOtherWorkspace(key);

  /** How much of each budget the calls used up. */
  function budgets(): Budget[] {
    const spent = sent.flatMap(({ call: { key }, status, isPaced }) =>
      key === null || key.origin === 'unknown' ? [] : [{ key, isPaced, isAdmitted: isNotLimited({ status }) }],
    );
    const byName = Map.groupBy(spent, ({ key }) => (isShared(key) ? apiName : key.secret));
    return [...byName.values()].map((calls) => {
      const { key } = calls[0] as (typeof calls)[number];
      const admitted = calls.filter((one) => one.isAdmitted);
      return {
        label: isShared(key) ? apiName : key.label,
        perMinute: perMinute(key),
        calls: calls.length,
        admitted: admitted.length,
        paced: admitted.filter((one) => one.isPaced).length,
      };
    });
  }

  return {
    noteWait,
    /** A clock for checks: each sleep on it is booked as a wait of the clause that sleeps. */
    metered: ({ now, sleep }: Clock): Clock => ({
      now,
      sleep(ms) {
        const clause = currentClause();
        if (clause !== undefined) {
          noteWait(clause, ms);
        }
        return sleep(ms);
      },
    }),
    calls: sent,
    budgets,
    /** All waits so far, those under way included. */
    waits: (): readonly Waited[] => waits,
    /** What is waited for at this moment, and for how many more milliseconds. */
    currentWaits: () => waits.map(({ what, until }) => ({ what, ms: until - clock.now() })).filter(({ ms }) => ms > 0),
  };
}

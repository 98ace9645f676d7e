import type { ApiName } from '../../contract/clause.ts';
import { type KeyType, keyLimits, minuteMs, planLimits } from '../../contract/limits.ts';
import { createReference } from '../../fixtures/reference/deployment.ts';
import { judgeDay } from '../../limits/judge/day.ts';
import { type Sample, sampleOf } from '../../limits/judge/trace.ts';
import { runDay } from '../../limits/procedure/day.ts';
import { type ClauseResult, resultOf } from '../../results/verdict.ts';
import { createVirtualClock } from '../virtual-clock.ts';

/** The clause that the suite leaves to `npm run load -- per-day`: the same procedure and judge are proven here. */
export const perDayClause = (api: ApiName): string => `${api}.limits.per-day`;

/** How many calls are made with an unlimited day: more than the day of a live key would admit. */
const unlimitedCalls = 10_010;

/** A call of each API. */
const paths = { developer: '/api/v1/ads/health-score', workspace: '/v1/agents' };

/**
 * The verdict about the daily limit of a deployment with this fault: a key of this type uses up its day on a virtual
 * clock, with the procedure and the judge of the load scripts.
 */
export async function dayResult(api: ApiName, type: KeyType, fault: string): Promise<ClauseResult> {
  const clock = createVirtualClock();
  const reference = createReference({ clock, seed: 1, faults: [fault], deliver: async () => ({ status: 200 }) });
  const { [`${type.toUpperCase()}_API_KEY`]: key = '', WORKSPACE_API_KEY } = reference.settings;
  const headers = { 'X-API-Key': key, Authorization: `Bearer ${WORKSPACE_API_KEY}` };
  const samples: Sample[] = [];
  const send = async (phase: string): Promise<Sample> => {
    const sentAt = clock.now();
    const { status, headers: got } = await reference[api].fetch(
      new Request(`http://reference.test${paths[api]}`, { headers }),
    );
    const call = { sentAt, receivedAt: clock.now(), phase, status, key: type };
    const sample = sampleOf(call, (name) => got.get(name));
    samples.push(sample);
    return sample;
  };
  const { perMinute, perDay } = api === 'workspace' ? planLimits.starter : keyLimits[type];
  const calls = perDay === null ? unlimitedCalls : Infinity;
  const outcome = await runDay(
    { send, now: () => clock.now(), sleep: (ms) => clock.sleep(ms) },
    { limit: perMinute, perDay, windowMs: minuteMs, spent: 0, calls, pace: 0.95 },
  );
  const { verdict, says } = judgeDay(outcome, samples, { perDay, spent: 0, fresh: true, edgePassed: false });
  const isBroken = verdict === 'fewer' || verdict === 'more';
  return resultOf(perDayClause(api), isBroken ? 'fail' : 'pass', [{ message: says }]);
}

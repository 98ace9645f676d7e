import type { ApiName } from '../../contract/clause.ts';
import { type KeyType, keyLimits, type Limits, minuteMs, planLimits } from '../../contract/limits.ts';
import { createReference } from '../../fixtures/reference/deployment.ts';
import type { Reference } from '../../fixtures/reference/plain-deployment.ts';
import { judgeDay } from '../../limits/judge/day.ts';
import { type Sample, sampleOf } from '../../limits/judge/trace.ts';
import { runDay } from '../../limits/procedure/day.ts';
import { type ClauseResult, resultOf } from '../../results/verdict.ts';
import { createVirtualClock } from '../virtual-clock.ts';

/** The clause that the suite leaves to `npm run load -- per-day`: the same procedure and judge are proven here. */
export const perDayClause = (api: ApiName): string => `${api}.limits.per-day`;

/** How many calls are made with an unlimited day: more than the day of a live key would admit. */
const unlimitedCalls = 10_010;

interface Subject {
  readonly limits: Limits;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

function subjectOf(api: ApiName, type: KeyType, { settings }: Reference): Subject {
  if (api === 'workspace') {
    return {
      limits: planLimits.starter,
      path: '/v1/agents',
      headers: { Authorization: `Bearer ${settings.WORKSPACE_API_KEY ?? ''}` },
    };
  }
  return {
    limits: keyLimits[type],
    path: '/api/v1/ads/health-score',
    headers: { 'X-API-Key': settings[`${type.toUpperCase()}_API_KEY`] ?? '' },
  };
}

/**
 * The verdict about the daily limit of a deployment with this fault: a key of this type uses up its day on a virtual
 * clock, with the procedure and the judge of the load scripts.
 */
export async function dayResult(api: ApiName, type: KeyType, fault: string): Promise<ClauseResult> {
  const clock = createVirtualClock();
  const reference = createReference({ clock, seed: 1, faults: [fault], deliver: async () => ({ status: 200 }) });
  const { limits, path, headers } = subjectOf(api, type, reference);
  const samples: Sample[] = [];
  const send = async (phase: string): Promise<Sample> => {
    const sentAt = clock.now();
    const { status, headers: got } = await reference[api].fetch(
      new Request(`http://reference.test${path}`, { headers }),
    );
    const call = { sentAt, receivedAt: clock.now(), phase, status, key: type };
    const sample = sampleOf(call, (name) => got.get(name));
    samples.push(sample);
    return sample;
  };
  const { perMinute, perDay } = limits;
  const calls = perDay === null ? unlimitedCalls : Infinity;
  const outcome = await runDay(
    { send, now: () => clock.now(), sleep: (ms) => clock.sleep(ms) },
    { limit: perMinute, perDay, windowMs: minuteMs, spent: 0, calls, pace: 0.95 },
  );
  const { verdict, says } = judgeDay(outcome, samples, { perDay, spent: 0, fresh: true, edgePassed: false });
  const isBroken = verdict === 'fewer' || verdict === 'more';
  return resultOf(perDayClause(api), isBroken ? 'fail' : 'pass', [{ message: says }]);
}

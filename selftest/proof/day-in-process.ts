import type { ApiName } from '../../contract/clause.ts';
import { type KeyType, keyLimits, type Limits, minuteMs, planLimits } from '../../contract/limits.ts';
import { createReference } from '../../fixtures/reference/deployment.ts';
import type { Reference } from '../../fixtures/reference/plain-deployment.ts';
import { type DayVerdict, judgeDay } from '../../limits/judge/day.ts';
import { type Sample, sampleOf } from '../../limits/judge/trace.ts';
import { runDay } from '../../limits/procedure/day.ts';
import { type ClauseResult, resultOf } from '../../results/verdict.ts';
import { createVirtualClock } from '../virtual-clock.ts';

/** The clause that the suite leaves to `npm run load -- per-day`: the same procedure and judge are proven here. */
export const perDayClause = (api: ApiName): string => `${api}.limits.per-day`;

/** How many calls are made with an unlimited day: more than a wrongly limited day would admit. */
const unlimitedCalls = 50_010;

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

/** Uses up one key's day on a virtual clock, with the procedure and the judge of the load scripts. */
async function dayOf(api: ApiName, type: KeyType, faults: readonly string[]): Promise<DayVerdict> {
  const clock = createVirtualClock();
  const reference = createReference({ clock, seed: 1, faults, deliver: () => Promise.resolve({ status: 200 }) });
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
  const outcome = await runDay(
    { send, now: () => clock.now(), sleep: (ms) => clock.sleep(ms) },
    {
      limit: limits.perMinute,
      perDay: limits.perDay,
      windowMs: minuteMs,
      spent: 0,
      calls: limits.perDay === null ? unlimitedCalls : null,
      pace: 0.95,
    },
  );
  return judgeDay(outcome, samples, { perDay: limits.perDay, spent: 0, fresh: true, edgePassed: false });
}

/** The verdict about the daily limit, from keys of these types. */
export async function dayResult(
  api: ApiName,
  types: readonly KeyType[],
  faults: readonly string[] = [],
): Promise<ClauseResult> {
  for (const type of types) {
    const { verdict, says } = await dayOf(api, type, faults);
    if (verdict !== 'holds') {
      return resultOf(perDayClause(api), verdict === 'undecided' ? 'inconclusive' : 'fail', [
        { message: `${type}: ${says}` },
      ]);
    }
  }
  return resultOf(perDayClause(api), 'pass', []);
}

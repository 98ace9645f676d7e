import { type KeyType, keyLimits, limitHeaders, minuteAt, perMinuteOf } from '../../contract/limits.ts';
import { describeHeaders } from '../../limits/judge/reset.ts';
import { callsOf, type Sample } from '../../limits/judge/trace.ts';
import { headerOf } from '../../results/exchange.ts';
import { observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { resultOrNull } from '../engine/parts.ts';
import type { Answered } from '../session/evidence/evidence.ts';
import type { Session } from '../session/session.ts';
import { headerFormats, judgeLimitHeaders, judgeLimitValues } from '../shared/limits/headers.ts';
import { exchangeSample } from '../shared/limits/limit-samples.ts';
import {
  type Drives,
  judgeExceeded,
  judgePerMinute,
  judgeRecovery,
  judgeRemaining,
  observedWindow,
  observeWindow,
  skipPerDay,
} from '../shared/limits/limits.ts';
import { budgetSharing, countedRefusals } from './budgets/budget-sharing.ts';
import { driveKey, haveOwnBudgets } from './budgets/drive-key.ts';

/** Drives a key of each type over its limit. The live one needs WRITES=all, the enterprise one EXHAUST=all. */
const drives: Drives = (session) =>
  (['sandbox', 'live', 'enterprise'] as const).map((type) => () => driveKey(session, type));

/** Limits. They are judged on keys that the run makes, with few requests; a day's limit takes the load scripts. */
export const limits: Checks = {
  'developer.limits.headers': judgeLimitHeaders,
  'developer.limits.exceeded': atMoment('quiet', judgeExceeded(drives)),
  'developer.limits.per-minute': atMoment('quiet', judgePerMinute(drives, observedWindow)),
  'developer.limits.per-day': skipPerDay(() => keyLimits),
  'developer.limits.recovery': atMoment('quiet', judgeRecovery(drives)),
  'developer.limits.remaining': atMoment('quiet', judgeRemaining(drives, haveOwnBudgets)),
  'developer.limits.limit-value': atMoment(
    'quiet',
    judgeLimitValues(drives, ({ environment, madeFor }) =>
      environment === 'workspace' || madeFor !== undefined
        ? null
        : { subject: `${environment} key`, limits: keyLimits[environment] },
    ),
  ),
  'developer.limits.window': atMoment('quiet', observeWindow(drives, observedWindow)),

  'developer.limits.header-format': atMoment('quiet', async (session) => {
    // The calls over the limit show best how the headers change; where those are forbidden, the run's other calls do.
    const drive = await resultOrNull(driveKey(session, 'sandbox'));
    await session.until('quiet');
    return observed(formatsIn(session, drive?.samples ?? []));
  }),

  'developer.limits.counted': atMoment('quiet', async (session) => observed(await countedRefusals(session))),

  'developer.limits.key-or-account': atMoment('quiet', async (session) => {
    const { budget, says } = await budgetSharing(session);
    return observed({ budget, measured: { says } });
  }),
};

/**
 * The headers of the calls over the limit or, if there are none, of all calls of the run with the key that made most of
 * them.
 */
function formatsIn({ evidence, settings, client }: Session, driven: readonly Sample[]): Record<string, unknown> {
  const samples = driven.filter(showsAll);
  const all =
    samples.length > 0 ? samples : evidence.responses.filter(hasAllHeaders).map((one) => exchangeSample(one, 'run'));
  const [mostUsed] = [...Map.groupBy(all, ({ key }) => key)].sort(([, a], [, b]) => b.length - a.length);
  if (mostUsed === undefined) {
    throw new Inconclusive({ message: 'No response of this run carries all three headers' });
  }
  const [key, used] = mostUsed;
  const environment = client.keyByLabel(key)?.environment as KeyType | undefined;
  const limit = environment && perMinuteOf(environment, settings.ENTERPRISE_PER_MINUTE);
  const seen = describeHeaders(callsOf(used, key), minuteAt(settings.CLOCK_SPEED), limit);
  return headerFormats(
    seen,
    used.some(({ status }) => status === 429),
  );
}

const hasAllHeaders = ({ keyValid, response }: Answered): boolean =>
  keyValid && limitHeaders.every((name) => headerOf(response.headers, name) !== null);

const showsAll = ({ limit, remaining, reset }: Sample): boolean =>
  limit !== null && remaining !== null && reset !== null;

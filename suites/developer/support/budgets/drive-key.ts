import { withArticle } from '../../../../common/words.ts';
import { type KeyType, minuteMs, perMinuteOf } from '../../../../contract/limits.ts';
import { scopes } from '../../../../contract/scopes.ts';
import { firstNumber } from '../../../../limits/judge/headers.ts';
import { Inconclusive, Skipped } from '../../../../results/stop.ts';
import { settle } from '../../../engine/parts.ts';
import { callOf } from '../../../session/call.ts';
import type { ApiKey } from '../../../session/key.ts';
import { requireKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { type Drive, driveOver } from '../../../shared/limits/drive.ts';
import { keyedExchanges } from '../../../shared/limits/limit-samples.ts';
import { workingRead } from '../../../shared/reads.ts';
import { dropKey } from '../keys/drop-key.ts';
import { makeKey } from '../keys/make-key.ts';
import type { RunKey } from '../keys/run-key.ts';
import { sharing } from './budget-sharing.ts';
import { otherCalls } from './calls-on-one-budget.ts';
import { countedRefusals } from './counted-refusals.ts';

const before: Readonly<Record<KeyType, KeyType | null>> = { sandbox: null, live: 'sandbox', enterprise: 'live' };

/** Drives a key of that type over its limit, once a run. Throws Skipped where the settings forbid it. */
export const driveKey: (session: Session, type: KeyType) => Promise<Drive> = stepFor(
  (type: KeyType) => type,
  async (session, type): Promise<Drive> => {
    assertMayDrive(session, type);
    const { shared } = await sharing(session);
    await turnOf(session, type, shared === false);
    // Made no sooner than it is needed: an account may allow a few keys at once.
    const driven = await keyToDrive(session, type);
    if (driven.key.madeFor !== undefined) {
      const message = `${driven.key.label} begins as one of the other environment, so whose limit it has is not known`;
      throw new Inconclusive({ message, blames: `developer.auth.${type}-prefix` });
    }
    const call = callOf(await workingRead(session), driven.key);
    // A new key may not be known at first, and calls with it do not count before it is.
    const settled = (driven.key.since ?? -Infinity) + session.settings.KEY_SETTLE_MS;
    await session.clock.sleep(settled - session.clock.now());
    const others = await otherCalls(session, driven, call);
    const drive = (isShared: boolean | null): Promise<Drive> =>
      driveOver(session, {
        subject: `${type} key`,
        key: driven.key,
        limit: perMinuteOf(type, session.settings.ENTERPRISE_PER_MINUTE),
        call,
        others,
        own: driven.key.origin === 'own' && isShared !== true,
        sharers: isShared === false ? [driven.key.label] : labelsSoFar(session),
        blames: 'developer.keys.create',
      });
    const first = await drive(shared);
    const isDoubted = shared === false && hasRoomWhenRefused(first);
    if (isDoubted) {
      await turnOf(session, type, false);
    }
    const found = isDoubted ? withRemainingOf(session, first, await drive(null)) : first;
    if ('record' in driven) {
      await dropKey(session, driven);
    }
    return found;
  },
);

/**
 * Whether the key was refused too early while calls of it were told to be left: what is told may be of its own calls, and the budget that
 * of the account.
 */
const hasRoomWhenRefused = ({ verdict: { perMinute, exceeded } }: Drive): boolean =>
  perMinute.verdict === 'fewer' && (firstNumber(exceeded.firstRefused?.remaining ?? null) ?? 0) > 0;

/** Calls of one key that may be counted twice or not at all, at the edges of the minute. */
const uncertain = 3;

/**
 * What the second drive shows, and of Remaining what the first one did: where calls of all keys of the environment came to the limit when
 * the first call was refused, their budget is one, and Remaining told of something else.
 */
function withRemainingOf(session: Session, first: Drive, again: Drive): Drive {
  const { evidence, client, settings } = session;
  const { firstRefused } = first.verdict.exceeded;
  if (firstRefused === null || again.verdict.perMinute.verdict === 'fewer') {
    return again;
  }
  const since = firstRefused.sentAt - minuteMs / settings.CLOCK_SPEED;
  const environment = client.keyOf(firstRefused.key)?.environment;
  const used = keyedExchanges(evidence).filter(
    ({ keyLabel, sentAt, response }) =>
      sentAt >= since &&
      sentAt <= firstRefused.sentAt &&
      client.keyOf(keyLabel ?? '')?.environment === environment &&
      ![401, 429].includes(response?.status ?? 0),
  );
  if (Math.abs(used.length - first.limit) > uncertain) {
    return again;
  }
  const says = `Remaining was ${firstRefused.remaining} with the first 429: it counts the calls of one key, and the budget is that of several.`;
  return {
    ...again,
    verdict: { ...again.verdict, remaining: { verdict: 'fails', says, foreignCalls: 0, sample: firstRefused } },
    answerTo: (sample) => again.answerTo(sample) ?? first.answerTo(sample),
  };
}

/**
 * With budgets of their own, keys are driven at once while the run goes on. Otherwise everybody else has to be done, and drives
 * follow one another: a limiter by address or account would mix them up.
 */
async function turnOf(session: Session, type: KeyType, isApart: boolean): Promise<void> {
  if (isApart && session.settings.CLOCK_SPEED === 1) {
    return;
  }
  await session.quiet;
  await settle(countedRefusals(session));
  await lull(session);
  const previous = before[type];
  await Promise.allSettled(previous === null ? [] : [driveKey(session, previous)]);
}

/** Until nobody has sent anything for a second: what waited for a quiet deployment is done then, too. */
async function lull({ client, clock }: Session): Promise<void> {
  for (let sent = -1; sent !== client.sent; ) {
    sent = client.sent;
    await clock.sleep(1_000);
  }
}

const labelsSoFar = ({ evidence }: Session): readonly string[] => [
  ...new Set(keyedExchanges(evidence).flatMap(({ keyLabel }) => keyLabel ?? [])),
];

/** Throws Skipped where the settings forbid it. */
function assertMayDrive(session: Session, type: KeyType): void {
  if (type === 'live' && session.settings.WRITES !== 'all') {
    const message = `WRITES is ${session.settings.WRITES}: making a live key, to drive it over its limit, needs WRITES=all`;
    throw new Skipped(message, { setting: 'WRITES', value: 'all' });
  }
  const own: ApiKey = { secret: '', label: `${withArticle(type)} key of this run`, environment: type, origin: 'own' };
  session.client.assertMayExhaust(type === 'enterprise' ? requireKey(session, 'ENTERPRISE_API_KEY') : own);
}

/** A throw-away key, where one can be made; an enterprise key cannot. */
async function keyToDrive(session: Session, type: KeyType): Promise<RunKey | { readonly key: ApiKey }> {
  if (type === 'enterprise') {
    return { key: requireKey(session, 'ENTERPRISE_API_KEY') };
  }
  return makeKey(session, `${type} over the limit`, scopes, { environment: type });
}

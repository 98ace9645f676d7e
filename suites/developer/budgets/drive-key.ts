import { withArticle } from '../../../common/words.ts';
import { type KeyType, minuteAt, perMinuteOf } from '../../../contract/limits.ts';
import { scopes } from '../../../contract/scopes.ts';
import { minuteRemaining } from '../../../limits/judge/headers.ts';
import { Inconclusive, Skipped } from '../../../results/stop.ts';
import { resultOrNull, settle } from '../../engine/parts.ts';
import { workingRead } from '../../records/reads.ts';
import { callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { requireKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { step, stepFor } from '../../session/step.ts';
import { type Drive, driveOver } from '../../shared/limits/drive.ts';
import { keyedExchanges } from '../../shared/limits/limit-samples.ts';
import { dropKey } from '../keys/creation.ts';
import { makeKey } from '../keys/lending.ts';
import type { RunKey } from '../keys/run-key.ts';
import { type BudgetSharing, budgetSharing } from './budget-sharing.ts';
import { otherCalls } from './calls-on-one-budget.ts';
import { countedRefusals } from './counted-refusals.ts';

/** Which key type is driven before another, where they are driven one after the other. */
const drivenBefore: Readonly<Record<KeyType, KeyType | null>> = { sandbox: null, live: 'sandbox', enterprise: 'live' };

/** Drives a key of a type over its limit. Throws Skipped where the settings forbid it, and as `makeKey` does. */
export const driveKey: (session: Session, type: KeyType) => Promise<Drive> = stepFor(
  (type: KeyType) => type,
  async (session, type): Promise<Drive> => {
    assertMayDrive(session, type);
    const sharing = await budgetSharing(session);
    await waitForTurn(session, type, sharing.shared === false);
    // Made no sooner than it is needed: an account may have room for few keys.
    const driven = await keyToDrive(session, type);
    const { key } = driven;
    const call = callOf(await workingRead(session), key);
    // A new key may not be known at first, and calls that it refuses do not count.
    await session.clock.sleep((key.changedAt ?? -Infinity) + session.settings.KEY_SETTLE_MS - session.clock.now());
    const calls = { key, call, others: await otherCalls(session, driven, call) };
    const isOwnBudget = key.origin === 'own' && sharing.shared === false;
    const isShared = sharing.shared === true;
    const firstSharers = sharersOf(session, key, sharing);
    const first = await drive(session, type, { ...calls, isOwnBudget, isShared, sharers: firstSharers });
    // The sharing that was found may be wrong, and concurrent calls may be limited: where a key is refused too early, it is
    // driven again while the run is quiet, and the calls of all keys may count.
    const isDoubted = sharing.shared === false && first.verdict.perMinute.verdict === 'fewer';
    if (isDoubted) {
      await waitForTurn(session, type, false);
    }
    const sharers = sharersOf(session, key, { ...sharing, shared: null });
    const found = isDoubted
      ? withRemainingOf(session, first, await drive(session, type, { ...calls, isOwnBudget, sharers }))
      : first;
    if (isDoubted && found.verdict.perMinute.verdict !== 'fewer') {
      (await notOwnBudgets(session)).add(type);
    }
    if ('record' in driven) {
      await dropKey(session, driven);
    }
    return found;
  },
);

/** The types of keys whose drives showed that they need not have budgets of their own, against what was found before. */
const notOwnBudgets = step(async () => new Set<KeyType>());

/** Whether the run found out that each key has a budget of its own, and no drive so far spoke against it. */
export const haveOwnBudgets = async (session: Session): Promise<boolean> =>
  (await resultOrNull(budgetSharing(session)))?.shared === false && (await notOwnBudgets(session)).size === 0;

/** A key that is driven; enterprise keys are given, others the run makes. */
type DrivenKey = RunKey | { readonly key: ApiKey };

/** A key, the calls that draw on its budget, and who may do so. */
type DrivenBudget = Omit<Parameters<typeof driveOver>[1], 'subject' | 'limit' | 'blames'>;

/** Drives a key over its limit. */
const drive = (session: Session, type: KeyType, budget: DrivenBudget): Promise<Drive> =>
  driveOver(session, {
    ...budget,
    subject: `${type} key`,
    limit: perMinuteOf(type, session.settings.ENTERPRISE_PER_MINUTE),
    blames: 'developer.keys.create',
  });

/** How many calls of one key may be counted twice, or not at all, at the edges of the minute. */
const uncertainCalls = 3;

/** The second drive. Remaining fails if several keys used up one budget when the first drive was refused. */
function withRemainingOf(session: Session, first: Drive, second: Drive): Drive {
  const { firstRefused } = first.verdict.exceeded;
  const callsLeft = firstRefused === null ? null : minuteRemaining(firstRefused, first.limit);
  if (firstRefused === null || !callsLeft || second.verdict.perMinute.verdict === 'fewer') {
    return second;
  }
  const { evidence, client, settings } = session;
  const since = firstRefused.sentAt - minuteAt(settings.CLOCK_SPEED);
  const environment = client.keyByLabel(firstRefused.key)?.environment;
  const counted = keyedExchanges(evidence).filter(
    ({ keyLabel, sentAt, response }) =>
      sentAt >= since &&
      sentAt <= firstRefused.sentAt &&
      client.keyByLabel(keyLabel ?? '')?.environment === environment &&
      ![401, 429].includes(response?.status ?? 0),
  );
  if (Math.abs(counted.length - first.limit) > uncertainCalls) {
    return second;
  }
  const says = `Remaining was ${firstRefused.remaining} with the first 429: it counts one key's calls, but several keys share the limit.`;
  return {
    ...second,
    verdict: { ...second.verdict, remaining: { verdict: 'fails', says, foreignCalls: 0, sample: firstRefused } },
    answerTo: (sample) => second.answerTo(sample) ?? first.answerTo(sample),
  };
}

/**
 * Keys with budgets of their own are driven at the same time, while the run goes on. Otherwise a drive waits for all
 * other calls and for the drives before it: a limiter by account or address would count them together.
 * `areSeparate`: each key has its own.
 */
async function waitForTurn(session: Session, type: KeyType, areSeparate: boolean): Promise<void> {
  if (areSeparate && session.settings.CLOCK_SPEED === 1) {
    return;
  }
  await session.until('quiet');
  await settle(countedRefusals(session));
  await silence(session);
  const previous = drivenBefore[type];
  await Promise.allSettled(previous === null ? [] : [driveKey(session, previous)]);
}

/** Waits until the run has sent nothing for a second: others, too, waited for quiet to send their calls. */
async function silence({ client, clock }: Session): Promise<void> {
  for (let sent = -1; sent !== client.sent; ) {
    sent = client.sent;
    await clock.sleep(1_000);
  }
}

/** The labels of the keys whose calls so far may have used up a key's budget. */
function sharersOf({ client, evidence }: Session, key: ApiKey, { shared, budget }: BudgetSharing): readonly string[] {
  if (shared === false) {
    return [key.label];
  }
  const labels = [...new Set(keyedExchanges(evidence).flatMap(({ keyLabel }) => keyLabel ?? []))];
  return budget === 'per address'
    ? labels
    : labels.filter((label) => client.keyByLabel(label)?.environment === key.environment);
}

/** Throws Skipped where the settings forbid it. */
function assertMayDrive(session: Session, type: KeyType): void {
  if (type === 'live' && session.settings.WRITES !== 'all') {
    const message = `WRITES is ${session.settings.WRITES}: making a live key, to drive it over its limit, needs WRITES=all`;
    throw new Skipped(message, { setting: 'WRITES', value: 'all' });
  }
  const own: ApiKey = { secret: '', label: `${withArticle(type)} key of this run`, environment: type, origin: 'own' };
  session.client.assertMayExhaust(type === 'enterprise' ? requireKey(session, 'ENTERPRISE_API_KEY') : own);
}

/** Throws Inconclusive where the made key has the prefix of the other environment. */
async function keyToDrive(session: Session, type: KeyType): Promise<DrivenKey> {
  if (type === 'enterprise') {
    return { key: requireKey(session, 'ENTERPRISE_API_KEY') };
  }
  const own = await makeKey(session, `${type} over the limit`, scopes, { environment: type });
  if (own.key.madeFor !== undefined) {
    const message = `${own.key.label} has the prefix of the other environment, so its limit is unknown`;
    throw new Inconclusive({ message, blames: `developer.auth.${type}-prefix` });
  }
  return own;
}

import { withArticle } from '../../../common/words.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { type KeyType, minuteAt, perMinuteOf } from '../../../contract/limits.ts';
import { scopes } from '../../../contract/scopes.ts';
import { keyBody } from '../../../fixtures/developer-bodies.ts';
import { Inconclusive, Skipped } from '../../../results/stop.ts';
import { resultOrNull, settle } from '../../engine/parts.ts';
import { isPlainRead, workingRead } from '../../records/reads.ts';
import { type Call, callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { requireKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { step, stepFor } from '../../session/step.ts';
import { type Drive, type DrivePlan, driveOver } from '../../shared/limits/drive.ts';
import { createCall, deleteCall, type OtherCall, plainCall } from '../../shared/limits/other-calls.ts';
import { remarked, twinOf } from '../calls/twins.ts';
import { deleterOf, dropKey, keyName } from '../keys/creation.ts';
import { makeKey } from '../keys/lending.ts';
import { keysPath, type RunKey } from '../keys/run-key.ts';
import { budgetSharing, countedRefusals, secondCountingKey } from './budget-sharing.ts';

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
    const budget = { ...calls, isOwnBudget, isUnused: isOwnBudget };
    const first = await drive(session, type, budget);
    // The sharing that was found may be wrong, and concurrent calls may be limited: where a key is refused too early, it is
    // driven again while the run is quiet, once no call of any key counts any more.
    const isDoubted = sharing.shared === false && first.verdict.perMinute.verdict === 'fewer';
    if (isDoubted) {
      await waitForTurn(session, type, false);
      await session.clock.sleep(2 * minuteAt(session.settings.CLOCK_SPEED));
    }
    const found = isDoubted ? await drive(session, type, budget) : first;
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

/** A key, and the calls that draw on its budget. */
type DrivenBudget = Omit<DrivePlan, 'subject' | 'limit' | 'blames'>;

/** Drives a key over its limit. */
const drive = (session: Session, type: KeyType, budget: DrivenBudget): Promise<Drive> =>
  driveOver(session, {
    ...budget,
    subject: `${type} key`,
    limit: perMinuteOf(type, session.settings.ENTERPRISE_PER_MINUTE),
    blames: 'developer.keys.create',
  });

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
  const own = await makeKey(session, `${type} over the limit`, scopes, type);
  if (own.key.madeFor !== undefined) {
    const message = `${own.key.label} has the prefix of the other environment, so its limit is unknown`;
    throw new Inconclusive({ message, blames: `developer.auth.${type}-prefix` });
  }
  return own;
}

/** Writes that leave no record behind. */
const tracelessWrites = [
  'POST /api/v1/inbox/draft',
  'POST /api/v1/inbox/categorize',
  'POST /api/v1/content/generate',
  'POST /api/v1/content/review',
] as const;

/**
 * Calls besides `call` that draw on the same budget of a key, whichever endpoint is called and however the key is sent:
 * every plain read, one with a parameter, one by the key's `id`, one in the other mode and, where WRITES allows them,
 * writes that change only what the run made.
 */
async function otherCalls(
  session: Session,
  { key, id }: { readonly key: ApiKey; readonly id?: string },
  call: Call,
): Promise<readonly OtherCall[]> {
  const reads = session.api.endpoints.filter((endpoint) => isPlainRead(endpoint) && endpoint.id !== call.endpoint?.id);
  const usage = endpointOf(`GET ${keysPath}/:id/usage`);
  const isInHeader = (call.mode ?? (await session.api.usualMode(session))) === 'header';
  return [
    ...reads.map((endpoint) => plainCall(callOf(endpoint, key))),
    plainCall(callOf(endpointOf('GET /api/v1/ads/campaigns'), key, { query: { status: 'ENABLED' } })),
    ...(id === undefined ? [] : [plainCall(callOf(usage, key, { id }))]),
    plainCall({ ...call, mode: isInHeader ? 'query' : 'header' }, isInHeader ? ' in query mode' : ' in header mode'),
    ...(mayWriteWith(session, key) ? await writes(session, key) : []),
  ];
}

function mayWriteWith({ settings: { WRITES } }: Session, { environment }: ApiKey): boolean {
  return WRITES === 'all' || (WRITES === 'sandbox' && environment === 'sandbox');
}

async function writes(session: Session, key: ApiKey): Promise<readonly OtherCall[]> {
  const twins = await Promise.all(
    tracelessWrites.map(async (endpoint) => ({ endpoint, twin: await resultOrNull(twinOf(session, endpoint)) })),
  );
  // No step needs it any more when drives begin.
  const spare = key.environment === 'sandbox' ? await resultOrNull(secondCountingKey(session)) : null;
  return [
    ...twins.flatMap(({ endpoint, twin }) =>
      twin?.answer.accepted === true
        ? [plainCall(callOf(endpointOf(endpoint), key, { body: remarked(session, twin.body, key.label) }))]
        : [],
    ),
    createCall(session, keysPath, async () => {
      const tag = keyName(session, 'beyond the limit');
      const environment = key.environment === 'sandbox' ? 'sandbox' : 'live';
      return { tag, body: keyBody(tag, environment, ['ads:read']), key, maker: deleterOf(session, key) };
    }),
    ...(spare === null ? [] : [deleteCall(session, key, spare.record)]),
  ];
}

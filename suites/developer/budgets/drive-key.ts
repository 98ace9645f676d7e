import { withArticle } from '../../../common/words.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { type KeyType, perMinuteOf } from '../../../contract/limits.ts';
import { scopes } from '../../../contract/scopes.ts';
import { Inconclusive, Skipped } from '../../../results/stop.ts';
import { resultOrNull, settle } from '../../engine/parts.ts';
import { isPlainRead, workingRead } from '../../records/reads.ts';
import { type Call, callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { requireKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { type Drive, deleteCall, driveOver, type OtherCall, plainCall } from '../../shared/limits/drive.ts';
import { remarked, twinOf } from '../calls/twins.ts';
import { dropKey } from '../keys/creation.ts';
import { makeKey } from '../keys/lending.ts';
import { keysPath, type RunKey } from '../keys/run-key.ts';
import { workingWrite } from '../keys/ways.ts';
import { budgetSharing, countedRefusals } from './budget-sharing.ts';

/** The order of the drives. A limiter by account or address would count the calls of two at once together. */
const drivenBefore: Readonly<Record<KeyType, KeyType | null>> = { sandbox: null, live: 'sandbox', enterprise: 'live' };

/**
 * Drives a key of a type over its limit, when no other clause sends calls: a new one, but for enterprise keys, which are
 * given. Throws Skipped where the settings forbid it, and as `makeKey` does.
 */
export const driveKey: (session: Session, type: KeyType) => Promise<Drive> = stepFor(
  (type: KeyType) => type,
  async (session, type): Promise<Drive> => {
    assertMayDrive(session, type);
    await session.until('quiet');
    await settle(countedRefusals(session));
    const previous = drivenBefore[type];
    await Promise.allSettled(previous === null ? [] : [driveKey(session, previous)]);
    const own = type === 'enterprise' ? null : await keyToDrive(session, type);
    const key = own?.key ?? requireKey(session, 'ENTERPRISE_API_KEY');
    const call = callOf(await workingRead(session), key);
    // A new key may not be known at first, and calls that it refuses do not count.
    await session.clock.sleep((key.changedAt ?? -Infinity) + session.settings.KEY_SETTLE_MS - session.clock.now());
    const drive = await driveOver(session, {
      key,
      call,
      others: await otherCalls(session, key, call),
      isUnused: own !== null && (await haveOwnBudgets(session)),
      subject: `${type} key`,
      limit: perMinuteOf(type, session.settings.ENTERPRISE_PER_MINUTE),
      blames: 'developer.keys.create',
    });
    await (own === null ? undefined : dropKey(session, own));
    return drive;
  },
);

/** Whether the run found out that each key has a budget of its own. */
export const haveOwnBudgets = async (session: Session): Promise<boolean> =>
  (await resultOrNull(budgetSharing(session)))?.shared === false;

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
async function keyToDrive(session: Session, type: 'sandbox' | 'live'): Promise<RunKey> {
  const own = await makeKey(session, `${type} over the limit`, scopes, type);
  if (own.key.madeFor !== undefined) {
    const message = `${own.key.label} has the prefix of the other environment, so its limit is unknown`;
    throw new Inconclusive({ message, blames: `developer.auth.${type}-prefix` });
  }
  return own;
}

/**
 * Calls besides `call` that draw on the same budget of a key, whichever endpoint is called and however the key is sent:
 * every plain read, one with a parameter, one by the key's id, one in the other mode and, where WRITES allows them,
 * writes that change only what the run made.
 */
async function otherCalls(session: Session, key: ApiKey, call: Call): Promise<readonly OtherCall[]> {
  const reads = session.api.endpoints.filter((endpoint) => isPlainRead(endpoint) && endpoint.id !== call.endpoint?.id);
  const { id } = key;
  const isInHeader = (await session.api.usualMode(session)) === 'header';
  const { WRITES } = session.settings;
  return [
    ...reads.map((endpoint) => plainCall(callOf(endpoint, key))),
    plainCall(callOf(endpointOf('GET /api/v1/ads/campaigns'), key, { query: { status: 'ENABLED' } })),
    ...(id === undefined ? [] : [plainCall(callOf(endpointOf(`GET ${keysPath}/:id/usage`), key, { id }))]),
    plainCall({ ...call, mode: isInHeader ? 'query' : 'header' }, isInHeader ? ' in query mode' : ' in header mode'),
    ...(WRITES === 'all' || (WRITES === 'sandbox' && key.environment === 'sandbox') ? await writes(session, key) : []),
  ];
}

/** A write that works, and the deletion of a key that nothing else needs. */
async function writes(session: Session, key: ApiKey): Promise<readonly OtherCall[]> {
  const environment = key.environment === 'sandbox' ? 'sandbox' : 'live';
  const endpoint = await workingWrite(session);
  const twin = await resultOrNull(twinOf(session, endpoint.id));
  const spare = await resultOrNull(makeKey(session, `${environment} beyond the limit`, scopes, environment));
  return [
    ...(twin?.answer.accepted
      ? [plainCall(callOf(endpoint, key, { body: remarked(session, twin.body, key.label) }))]
      : []),
    ...(spare === null ? [] : [deleteCall(session, key, spare.record)]),
  ];
}

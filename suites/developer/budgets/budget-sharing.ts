import { keyLimits, minuteAt } from '../../../contract/limits.ts';
import { scopes, scopesWithout } from '../../../contract/scopes.ts';
import { firstNumber, hasSeveralLimits, headersOfLimit } from '../../../limits/judge/headers.ts';
import { notMet } from '../../../results/drift.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { workingRead } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import { callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { mainKey } from '../../session/keys.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { exchangeSample } from '../../shared/limits/limit-samples.ts';
import { neverIssuedKeys } from '../../shared/refusals/never-issued.ts';
import { dropKey, mainEnvironment } from '../keys/creation.ts';
import { lendKey, makeKey } from '../keys/lending.ts';
import { lifeOf } from '../keys/life.ts';
import { keysPath, type RunKey } from '../keys/run-key.ts';
import { tryKey } from '../keys/ways.ts';

/** Whose budget calls use up. */
interface BudgetSharing {
  /** Whether calls with one key use up another's budget; null: the headers do not show it. */
  readonly shared: boolean | null;
  /** `per key`, `per account`, `per address`, or that it is not known. */
  readonly budget: string;
  /** What was measured. */
  readonly says: string;
}

/** The number in X-RateLimit-Remaining of a key's minute, or as it comes where that is not told; null: there is none. */
function remainingOf({ exchange }: Answer): number | null {
  const sample = exchangeSample(exchange, '');
  const [ofMinute] = Object.values(keyLimits).flatMap(({ perMinute }) => headersOfLimit(sample, perMinute) ?? []);
  return ofMinute === undefined && hasSeveralLimits(sample) ? null : firstNumber((ofMinute ?? sample).remaining);
}

/** A key whose Remaining is watched. */
const countingKey = step(async (session): Promise<RunKey> => {
  // Other calls may draw on its budget, too.
  await session.until('quiet');
  return makeKey(session, 'for counting', scopes);
});

/**
 * How far the counting key's Remaining fell from one call to the next, with `between` called between them; null: the
 * headers do not show it. Tries three times: within half a window, at most one try meets the end of a window. A try that
 * lasts longer is left out.
 */
async function fallAround(session: Session, between: () => Promise<unknown>): Promise<number | null> {
  const { key } = await countingKey(session);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = await tryKey(session, key);
    await between();
    const after = await tryKey(session, key);
    const fall = (remainingOf(before) ?? NaN) - (remainingOf(after) ?? NaN);
    const lasted = after.exchange.receivedAt - before.exchange.sentAt;
    if (before.accepted && after.accepted && fall > 0 && lasted < minuteAt(session.settings.CLOCK_SPEED) / 2) {
      return fall;
    }
  }
  return null;
}

const callsBetween = 3;

/** How far it fell around some calls with another key. */
const fallAroundKey = (session: Session, key: ApiKey): Promise<number | null> =>
  fallAround(session, async () => {
    for (let call = 0; call < callsBetween; call += 1) {
      await tryKey(session, key, key.origin === 'unknown' ? { purpose: 'refusal' } : {});
    }
  });

/**
 * Finds out whose budget calls use up: calls another key between two calls of the counting key and, where that one's
 * Remaining falls for them, a key that was never issued.
 */
export const budgetSharing = step(async (session): Promise<BudgetSharing> => {
  await countingKey(session);
  // An account may have no room for a second key.
  const second = await resultOrNull(makeKey(session, 'beside counting', scopes));
  const fall = await fallAroundKey(session, second?.key ?? mainKey(session));
  await (second === null ? undefined : dropKey(session, second));
  if (fall === null) {
    return { shared: null, budget: notMet, says: 'Remaining does not show it' };
  }
  const says = `Remaining of one key fell by ${fall} from one of its own calls to the next, with ${callsBetween} calls of another key in between`;
  if (fall <= callsBetween) {
    return fall === 1 ? { shared: false, budget: 'per key', says } : { shared: null, budget: notMet, says };
  }
  const ofUnknown = await fallAroundKey(session, neverIssuedKeys(session)[0]);
  return ofUnknown !== null && ofUnknown > callsBetween
    ? { shared: true, budget: 'per address', says: `${says}; by ${ofUnknown} with a key that was never issued` }
    : { shared: true, budget: 'per account', says };
});

/** Which refused calls use up a key's budget, by status: each is sent between two calls whose Remaining shows it. */
export const countedRefusals = step(async (session): Promise<Record<string, string>> => {
  await budgetSharing(session);
  const { key } = await countingKey(session);
  const probes: Record<string, () => Promise<Answer>> = {
    400: () => send(session, 'POST /api/v1/inbox/draft', { key, body: {}, purpose: 'refusal' }),
    401: async () =>
      session.client.send(callOf(await workingRead(session), neverIssuedKeys(session)[0], { purpose: 'refusal' })),
    404: async () => {
      const { made } = await lifeOf(session, mainEnvironment(session));
      return send(session, `GET ${keysPath}/:id/usage`, { key, id: made.id, purpose: 'refusal' });
    },
  };
  const counted: Record<string, string> = {};
  // One after the other, since Remaining is watched around each.
  for (const [status, probe] of Object.entries(probes)) {
    counted[status] = await isCounted(session, Number(status), probe);
  }
  await dropKey(session, await countingKey(session));
  return { ...counted, 403: await isForbiddenCounted(session) };
});

/** `counts`, `does not count`, or why that is not known. */
async function isCounted(session: Session, status: number, probe: () => Promise<Answer>): Promise<string> {
  let last: Answer | undefined;
  const fall = await fallAround(session, async () => {
    // A key that a probe needs may be gone, where the account may hold few.
    last = (await resultOrNull(probe())) ?? undefined;
  });
  if (last?.status !== status) {
    return `not seen: ${last ? describeAnswer(last) : 'no call'}`;
  }
  return fall === null ? unknown : inWords(fall > 1);
}

const unknown = 'unknown: the headers do not show it';
const inWords = (counts: boolean): string => (counts ? 'counts' : 'does not count');

/** Whether a 403 counts: on the key that lacks the scope, so that key's own Remaining is watched. */
async function isForbiddenCounted(session: Session): Promise<string> {
  return lendKey(session, ['without ads', scopesWithout('ads')], async ({ key }) => {
    const call = (): Promise<Answer> => send(session, 'GET /api/v1/ads/health-score', { key, purpose: 'refusal' });
    const first = await call();
    const second = await call();
    if (first.status !== 403 || second.status !== 403) {
      return `not seen: ${describeAnswer(second)}`;
    }
    const fall = (remainingOf(first) ?? NaN) - (remainingOf(second) ?? NaN);
    return fall >= 0 ? inWords(fall > 0) : unknown;
  });
}

import { minuteMs } from '../../../../contract/limits.ts';
import { scopes } from '../../../../contract/scopes.ts';
import { firstNumber } from '../../../../limits/judge/headers.ts';
import { notMet } from '../../../../results/drift.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { keyedExchanges, sampleOf } from '../../../shared/limits/limit-samples.ts';
import { neverIssued } from '../../../shared/refusals/never-issued.ts';
import { tryKey } from '../keys/first-key.ts';
import { makeKey } from '../keys/make-key.ts';
import type { RunKey } from '../keys/run-key.ts';

/** Whether calls with one key use up another's budget. */
interface Sharing {
  /** null: the headers do not show it. */
  readonly shared: boolean | null;
  /** Whose budget it is. */
  readonly budget: string;
  readonly says: string;
}

/** The number in X-RateLimit-Remaining; null where there is none. */
export const remainingOf = (answer: Answer): number | null => firstNumber(answer.header('X-RateLimit-Remaining'));

/** The throw-away key on which counting is watched. */
export const countingKey = step((session): Promise<RunKey> => makeKey(session, 'counted', scopes, { turn: 'quiet' }));

/** Another one, called between; where an account has no room for it, the main key does. */
export const secondCountingKey = step(
  (session): Promise<RunKey> => makeKey(session, 'counted beside', scopes, { turn: 'never' }),
);

/** How far Remaining fell from one answer to another; null: the headers do not show it. Below one, a new window began between them. */
function fallOf(before: Answer, after: Answer): number | null {
  const [high, low] = [remainingOf(before), remainingOf(after)];
  return high === null || low === null || !before.accepted || !after.accepted ? null : high - low;
}

/**
 * How far the first key's Remaining fell from one call to the next, with the given calls between; null: unknown. In half a window
 * it may rise once, where the window ends; what it says of a longer time is chance.
 */
export async function fallAround(session: Session, between: () => Promise<unknown>): Promise<number | null> {
  const { key } = await countingKey(session);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = await tryKey(session, key);
    await between();
    const after = await tryKey(session, key);
    const fall = fallOf(before, after);
    const lasted = after.exchange.receivedAt - before.exchange.sentAt;
    if ((fall ?? 0) > 0 && lasted < minuteMs / session.settings.CLOCK_SPEED / 2) {
      return fall;
    }
  }
  return null;
}

/** What the fall of one key's Remaining, over calls of another key between two of its own, says of the budget. */
function sharingOf(fall: number | null, calls: number): Sharing {
  if (fall === null) {
    return { shared: null, budget: notMet, says: 'Remaining does not show it' };
  }
  const says = `Remaining of one key fell by ${fall} over two calls of its own end to end, with ${calls} calls of another key between`;
  if (fall > calls) {
    return { shared: true, budget: 'per account', says };
  }
  return fall === 1 ? { shared: false, budget: 'per key', says } : { shared: null, budget: notMet, says };
}

/** The most that Remaining told of each key that the run made, by its label. */
function highestOfOwn({ evidence, client }: Session): ReadonlyMap<string, number> {
  const highest = new Map<string, number>();
  for (const exchange of keyedExchanges(evidence)) {
    const { key, remaining, status } = sampleOf(exchange, '');
    const told = firstNumber(remaining);
    // What a key is told that is not known yet is a stranger's.
    if (told !== null && status !== 401 && client.keyOf(key)?.origin === 'own') {
      highest.set(key, Math.max(highest.get(key) ?? 0, told));
    }
  }
  return highest;
}

/** Keys that share a budget are not told the same Remaining this often by chance, as long as it has much room. */
const enoughAlike = 3;

/**
 * Whether the calls of the first key alone explain what was used up when the last one was answered; or else Remaining begins with
 * the same number for each key.
 */
async function hasOwnBudget(session: Session): Promise<boolean> {
  const { key } = await countingKey(session);
  const told = keyedExchanges(session.evidence)
    .filter(({ keyLabel }) => keyLabel === key.label)
    .map((exchange) => sampleOf(exchange, ''));
  const [limit, remaining] = [firstNumber(told.at(-1)?.limit ?? null), firstNumber(told.at(-1)?.remaining ?? null)];
  const explains = limit !== null && remaining !== null && remaining >= limit - told.length;
  const highest = highestOfOwn(session);
  const first = highest.get(key.label) ?? 0;
  const alike = [...highest.values()].filter((value) => value === first);
  return explains || (alike.length >= enoughAlike && first > (limit ?? 0) / 2);
}

const callsBetween = 3;

/** Calls a second key between two calls of the first, and looks whether the first one's Remaining fell further than by its own. */
export const sharing = step(async (session): Promise<Sharing> => {
  const beside = resultOrNull(secondCountingKey(session));
  await countingKey(session);
  const key = (await beside)?.key ?? mainKey(session);
  // A new key may take a while to be known, in which a sliding window gives calls back: it is waited for beforehand.
  await tryKey(session, key);
  const fall = await fallAround(session, async () => {
    for (let call = 0; call < callsBetween; call += 1) {
      await tryKey(session, key);
    }
  });
  // Where others draw on the budget too, a window that gives back meanwhile may leave a fall of one by chance.
  const isChance = fall === 1 && !(await hasOwnBudget(session));
  const found = sharingOf(isChance ? null : fall, callsBetween);
  return found.shared === true ? byAddress(session, found) : found;
});

/** A budget that calls without a valid key use up, too, is the address's. */
async function byAddress(session: Session, found: Sharing): Promise<Sharing> {
  // Until then other calls of the run draw on the budget, too.
  await session.quiet;
  const unknown = neverIssued(session)[0];
  const fall = await fallAround(session, async () => {
    for (let call = 0; call < callsBetween; call += 1) {
      await tryKey(session, unknown, { purpose: 'refusal' });
    }
  });
  const says = `${found.says}; by ${fall} with ${callsBetween} calls of a key that was never issued between`;
  return fall !== null && fall > callsBetween ? { shared: true, budget: 'per address', says } : found;
}

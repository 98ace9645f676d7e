import { firstNumber } from '../../load/judge/headers.ts';
import { scopes } from '../../contract/scopes.ts';
import type { Answer } from '../kit/call.ts';
import { accepted } from '../kit/expect.ts';
import type { Session } from '../kit/session.ts';
import { tryKey } from './lifecycle.ts';
import { makeKey } from './make-key.ts';
import type { OwnKey } from './own-keys.ts';

/** Whether calls with one key use up another's budget. */
export interface Sharing {
  /** null: the headers do not tell. */
  readonly shared: boolean | null;
  readonly says: string;
}

const remainingOf = (answer: Answer): number | null => firstNumber(answer.header('X-RateLimit-Remaining'));

/** The two throw-away keys on which counting is watched. */
export const countingKeys = (session: Session): Promise<readonly [OwnKey, OwnKey]> => session.once('counting keys', async () => {
  const [first, second] = await Promise.all(['counted', 'counted beside'].map((purpose) => makeKey(session, purpose, scopes)));
  return [first, second] as [OwnKey, OwnKey];
});

/** How far the first key's Remaining fell from one call to the next, with the given calls between; null: a new window began. */
export async function fallAround(session: Session, between: () => Promise<unknown>): Promise<number | null> {
  const [watched] = await countingKeys(session);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = await tryKey(session, watched.key);
    await between();
    const after = await tryKey(session, watched.key);
    const [high, low] = [remainingOf(before), remainingOf(after)];
    if (high === null || low === null || !accepted(before) || !accepted(after)) return null;
    if (low < high) return high - low;
  }
  return null;
}

/** Calls a second key between two calls of the first, and looks whether the first one's Remaining fell further than by its own. */
export const sharing = (session: Session): Promise<Sharing> => session.once('shared budgets', async () => {
  const [, beside] = await countingKeys(session);
  const calls = 3;
  // A new key may take a while to be known, in which a sliding window gives calls back: it is waited for beforehand.
  await tryKey(session, beside.key);
  const fall = await fallAround(session, async () => {
    for (let i = 0; i < calls; i += 1) await tryKey(session, beside.key);
  });
  if (fall === null) return { shared: null, says: 'Remaining does not tell' };
  const shared = fall > calls ? true : fall === 1 ? false : null;
  return { shared, says: `Remaining of one key fell by ${fall} over two calls of its own end to end, with ${calls} calls of another key between` };
});

/** For the gap clause. */
export async function budgetsShared(session: Session): Promise<unknown> {
  const { shared, says } = await sharing(session);
  return { budget: shared === null ? 'not told by the headers' : shared ? 'per account' : 'per key', says };
}

import { scopes } from '../../contract/scopes.ts';
import { firstNumber } from '../../limits/judge/headers.ts';
import { accepted } from '../engine/expect.ts';
import type { Answer } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { tryKey } from './lifecycle.ts';
import { makeKey } from './make-key.ts';
import type { OwnKey } from './own-keys.ts';

/** Whether calls with one key use up another's budget. */
export interface Sharing {
  /** null: the headers do not tell. */
  readonly shared: boolean | null;
  /** Whose budget it is. */
  readonly budget: string;
  readonly says: string;
}

/** The number in X-RateLimit-Remaining; null where there is none. */
export const remainingOf = (answer: Answer): number | null => firstNumber(answer.header('X-RateLimit-Remaining'));

/** The two throw-away keys on which counting is watched. */
export const countingKeys = (session: Session): Promise<readonly [OwnKey, OwnKey]> =>
  session.once('counting keys', async () => {
    const [first, second] = await Promise.all(
      ['counted', 'counted beside'].map((purpose) => makeKey(session, purpose, scopes)),
    );
    return [first, second] as [OwnKey, OwnKey];
  });

/** How far Remaining fell from one answer to another; null: the headers do not tell. Below one, a new window began between them. */
export function fallOf(before: Answer, after: Answer): number | null {
  const [high, low] = [remainingOf(before), remainingOf(after)];
  return high === null || low === null || !accepted(before) || !accepted(after) ? null : high - low;
}

/** How far the first key's Remaining fell from one call to the next, with the given calls between; null: nobody can tell. */
export async function fallAround(session: Session, between: () => Promise<unknown>): Promise<number | null> {
  const [watched] = await countingKeys(session);
  for (const _ of ['first', 'second', 'third']) {
    const before = await tryKey(session, watched.key);
    await between();
    const fall = fallOf(before, await tryKey(session, watched.key));
    if ((fall ?? 0) > 0) {
      return fall;
    }
  }
  return null;
}

/** What the fall of one key's Remaining over a call of its own tells of so many calls of another key before it. */
export function sharingOf(fall: number | null, calls: number): Sharing {
  if (fall === null) {
    return { shared: null, budget: 'not told by the headers', says: 'Remaining does not tell' };
  }
  const says = `Remaining of one key fell by ${fall} over two calls of its own end to end, with ${calls} calls of another key between`;
  if (fall > calls) {
    return { shared: true, budget: 'per account', says };
  }
  return fall === 1
    ? { shared: false, budget: 'per key', says }
    : { shared: null, budget: 'not told by the headers', says };
}

/** Calls a second key between two calls of the first, and looks whether the first one's Remaining fell further than by its own. */
export const sharing = (session: Session): Promise<Sharing> =>
  session.once('shared budgets', async () => {
    const [, { key }] = await countingKeys(session);
    const besides = [key, key, key];
    // A new key may take a while to be known, in which a sliding window gives calls back: it is waited for beforehand.
    await tryKey(session, key);
    const fall = await fallAround(session, async () => {
      for (const beside of besides) {
        await tryKey(session, beside);
      }
    });
    return sharingOf(fall, besides.length);
  });

/** For the gap clause. */
export async function budgetsShared(session: Session): Promise<unknown> {
  const { budget, says } = await sharing(session);
  return { budget, says };
}

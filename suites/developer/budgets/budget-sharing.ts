import { keyLimits, minuteAt } from '../../../contract/limits.ts';
import { scopes } from '../../../contract/scopes.ts';
import { firstNumber, hasSeveralLimits, headersOfLimit } from '../../../limits/judge/headers.ts';
import type { Sample } from '../../../limits/judge/trace.ts';
import { notMet } from '../../../results/drift.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import { mainKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { exchangeSample, keyedExchanges } from '../../shared/limits/limit-samples.ts';
import { neverIssuedKeys } from '../../shared/refusals/never-issued.ts';
import { makeKey } from '../keys/lending.ts';
import type { RunKey } from '../keys/run-key.ts';
import { tryKey } from '../keys/ways.ts';

/** Whose budget calls use up. */
export interface BudgetSharing {
  /** Whether calls with one key use up another's budget; null: the headers do not show it. */
  readonly shared: boolean | null;
  /** `per key`, `per account`, `per address`, or that it is not known. */
  readonly budget: string;
  /** What was measured. */
  readonly says: string;
}

/** The headers of a key's minute; as they came, where they show something else, such as a day. */
function shownIn(sample: Sample): Pick<Sample, 'limit' | 'remaining'> {
  const ofMinute = Object.values(keyLimits).flatMap(({ perMinute }) => headersOfLimit(sample, perMinute) ?? []);
  return ofMinute[0] ?? (hasSeveralLimits(sample) ? { limit: null, remaining: null } : sample);
}

/** The number in X-RateLimit-Remaining; null where there is none. */
export const remainingOf = ({ exchange }: Answer): number | null =>
  firstNumber(shownIn(exchangeSample(exchange, '')).remaining);

/** A key whose Remaining is watched. */
export const countingKey = step(async (session): Promise<RunKey> => {
  // Other calls may draw on its budget, too.
  await session.until('quiet');
  return makeKey(session, 'for counting', scopes);
});

/** A second key, called between two calls of the counting key. */
export const secondCountingKey = step((session): Promise<RunKey> => makeKey(session, 'beside counting', scopes));

/** How far Remaining fell between two answers; null: the headers do not show it. Below 1: a new window began. */
function fallOf(before: Answer, after: Answer): number | null {
  const high = remainingOf(before);
  const low = remainingOf(after);
  return high === null || low === null || !before.accepted || !after.accepted ? null : high - low;
}

/**
 * How far the counting key's Remaining fell from one call to the next, with `between` called between them; null:
 * unknown. Tries three times: within half a window, at most one try meets the end of a window. A try that lasts longer
 * is left out.
 */
export async function fallAround(session: Session, between: () => Promise<unknown>): Promise<number | null> {
  const { key } = await countingKey(session);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = await tryKey(session, key);
    await between();
    const after = await tryKey(session, key);
    const fall = fallOf(before, after);
    const lasted = after.exchange.receivedAt - before.exchange.sentAt;
    if ((fall ?? 0) > 0 && lasted < minuteAt(session.settings.CLOCK_SPEED) / 2) {
      return fall;
    }
  }
  return null;
}

/** What the fall of one key's Remaining says, with that many calls of another key between two of its own. */
function sharingOf(fall: number | null, calls: number): BudgetSharing {
  if (fall === null) {
    return { shared: null, budget: notMet, says: 'Remaining does not show it' };
  }
  const says = `Remaining of one key fell by ${fall} from one of its own calls to the next, with ${calls} calls of another key in between`;
  if (fall > calls) {
    return { shared: true, budget: 'per account', says };
  }
  return fall === 1 ? { shared: false, budget: 'per key', says } : { shared: null, budget: notMet, says };
}

/** The highest Remaining of each key that the run made, by label. */
function highestRemaining({ evidence, client }: Session): ReadonlyMap<string, number> {
  const highest = new Map<string, number>();
  for (const exchange of keyedExchanges(evidence)) {
    const sample = exchangeSample(exchange, '');
    const { key, status } = sample;
    const number = firstNumber(shownIn(sample).remaining);
    // A key that is not known yet may be counted as an unknown caller.
    if (number !== null && status !== 401 && client.keyByLabel(key)?.origin === 'own') {
      highest.set(key, Math.max(highest.get(key) ?? 0, number));
    }
  }
  return highest;
}

/** This many keys do not begin with the same Remaining by chance, as long as much of the budget is left. */
const enoughKeys = 3;

/** Whether the counting key's calls alone explain its Remaining, or several keys begin with the same one. */
async function hasOwnBudget(session: Session): Promise<boolean> {
  const { key } = await countingKey(session);
  const samples = keyedExchanges(session.evidence)
    .filter(({ keyLabel }) => keyLabel === key.label)
    .map((exchange) => exchangeSample(exchange, ''));
  const last = samples.at(-1);
  const shown = last && shownIn(last);
  const limit = firstNumber(shown?.limit ?? null);
  const remaining = firstNumber(shown?.remaining ?? null);
  if (limit !== null && remaining !== null && remaining >= limit - samples.length) {
    return true;
  }
  const highest = highestRemaining(session);
  const ofKey = highest.get(key.label) ?? 0;
  const same = [...highest.values()].filter((number) => number === ofKey);
  return same.length >= enoughKeys && ofKey > (limit ?? 0) / 2;
}

const callsBetween = 3;

/** Finds out whose budget calls use up: calls another key between two calls of the counting key. */
export const budgetSharing = step(async (session): Promise<BudgetSharing> => {
  const second = resultOrNull(secondCountingKey(session));
  await countingKey(session);
  // An account may have no room for a second one.
  const key = (await second)?.key ?? mainKey(session);
  // A new key may take a while to be known, in which a sliding window would give calls back.
  await tryKey(session, key);
  const fall = await fallAround(session, async () => {
    for (let call = 0; call < callsBetween; call += 1) {
      await tryKey(session, key);
    }
  });
  // Where other calls draw on the budget too, a window that gives calls back meanwhile may leave a fall of 1 by chance.
  const isChance = fall === 1 && !(await hasOwnBudget(session));
  const found = sharingOf(isChance ? null : fall, callsBetween);
  return found.shared === true ? accountOrAddress(session, found) : found;
});

/** A shared budget is the address's where calls with an unknown key use it up, too; otherwise it is as it was found. */
async function accountOrAddress(session: Session, found: BudgetSharing): Promise<BudgetSharing> {
  // Before that, other calls of the run draw on the budget, too.
  await session.until('quiet');
  const unknown = neverIssuedKeys(session)[0];
  const fall = await fallAround(session, async () => {
    for (let call = 0; call < callsBetween; call += 1) {
      await tryKey(session, unknown, { purpose: 'refusal' });
    }
  });
  const says = `${found.says}; by ${fall} with ${callsBetween} calls of a key that was never issued in between`;
  return fall !== null && fall > callsBetween ? { shared: true, budget: 'per address', says } : found;
}

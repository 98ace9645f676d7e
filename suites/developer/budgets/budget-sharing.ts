import { keyLimits, minuteAt } from '../../../contract/limits.ts';
import { scopes, scopesWithout } from '../../../contract/scopes.ts';
import { firstNumber, hasSeveralLimits, headersOfLimit } from '../../../limits/judge/headers.ts';
import { notMet } from '../../../results/drift.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { mainKey } from '../../session/keys.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { exchangeSample } from '../../shared/limits/drive.ts';
import { neverIssuedKeys } from '../../shared/refusals/never-issued.ts';
import { dropKey } from '../keys/creation.ts';
import { lendKey, makeKey } from '../keys/lending.ts';
import { mainLife } from '../keys/life.ts';
import { keysPath, type RunKey } from '../keys/run-key.ts';
import { tryKey } from '../keys/ways.ts';

/** Whose budget calls use up. */
interface BudgetSharing {
  /** Whether calls with one key use up another's budget; null: the headers do not show it. */
  readonly shared: boolean | null;
  /** `per key`, `per account`, or that it is not known. */
  readonly budget: string;
  /** What was measured. */
  readonly says: string;
}

/** The number in X-RateLimit-Remaining of a key's minute, or as it comes where that is not told. NaN: there is none. */
function remainingOf({ exchange }: Answer): number {
  const sample = exchangeSample(exchange, '');
  const [ofMinute] = Object.values(keyLimits).flatMap(({ perMinute }) => headersOfLimit(sample, perMinute) ?? []);
  const remaining = ofMinute === undefined && hasSeveralLimits(sample) ? null : (ofMinute ?? sample).remaining;
  return firstNumber(remaining) ?? Number.NaN;
}

/** A key whose Remaining is watched. */
const countingKey = step(async (session): Promise<RunKey> => {
  // Other calls may draw on its budget, too.
  await session.until('quiet');
  return makeKey(session, 'for counting', scopes);
});

/**
 * How far a key's Remaining fell from the first of some answers to the last; null: the headers do not show it. Tries
 * three times: within half a window, at most one try meets the end of a window. A try that lasts longer is left out.
 */
async function fallOver(session: Session, calls: () => Promise<readonly Answer[]>): Promise<number | null> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const answers = await calls();
    const [before, after] = [answers[0], answers.at(-1)] as [Answer, Answer];
    const fall = remainingOf(before) - remainingOf(after);
    const lasted = after.exchange.receivedAt - before.exchange.sentAt;
    if (fall >= 0 && lasted < minuteAt(session.settings.CLOCK_SPEED) / 2) {
      return fall;
    }
  }
  return null;
}

const callsBetween = 3;

/** How far the counting key's Remaining fell from one call to the next, with some calls of another key in between. */
async function fallAround(session: Session, other: ApiKey): Promise<number | null> {
  const { key } = await countingKey(session);
  const details = other.origin === 'unknown' ? ({ purpose: 'refusal' } as const) : {};
  return fallOver(session, async () => {
    const before = await tryKey(session, key);
    for (let call = 0; call < callsBetween; call += 1) {
      await tryKey(session, other, details);
    }
    return [before, await tryKey(session, key)];
  });
}

/** Finds out whose budget calls use up: calls another key between two calls of the counting key. */
export const budgetSharing = step(async (session): Promise<BudgetSharing> => {
  await countingKey(session);
  // An account may have no room for a second key.
  const second = await resultOrNull(makeKey(session, 'beside counting', scopes));
  const fall = await fallAround(session, second?.key ?? mainKey(session));
  await (second === null ? undefined : dropKey(session, second));
  if (fall === null || fall === 0) {
    return { shared: null, budget: notMet, says: 'Remaining does not show it' };
  }
  const says = `Remaining of one key fell by ${fall} from one of its own calls to the next, with ${callsBetween} calls of another key in between`;
  if (fall > callsBetween) {
    return { shared: true, budget: 'per account', says };
  }
  return fall === 1 ? { shared: false, budget: 'per key', says } : { shared: null, budget: notMet, says };
});

/**
 * Which refused calls use up a key's budget, by status: two of them in a row, whose own Remaining shows it. Where no key
 * is known, it is that of the counting key.
 */
export const countedRefusals = step(async (session): Promise<Record<string, string>> => {
  await budgetSharing(session);
  const counting = await countingKey(session);
  const { made } = await mainLife(session);
  const refused = { purpose: 'refusal' } as const;
  const { key } = counting;
  const counted = {
    400: await isCounted(session, 400, () => send(session, 'POST /api/v1/inbox/draft', { key, body: {}, ...refused })),
    401: inWords(await fallAround(session, neverIssuedKeys(session)[0]), 1),
    404: await isCounted(session, 404, () =>
      send(session, `GET ${keysPath}/:id/usage`, { key, id: made.id, ...refused }),
    ),
  };
  await dropKey(session, counting);
  const forbidden = await lendKey(session, ['not for ads', scopesWithout('ads')], (own) =>
    isCounted(session, 403, () => send(session, 'GET /api/v1/ads/health-score', { key: own.key, ...refused })),
  );
  return { ...counted, 403: forbidden };
});

/** Whether a call that gets a status counts, or why that is not known. */
async function isCounted(session: Session, status: number, call: () => Promise<Answer>): Promise<string> {
  let last: Answer | undefined;
  const fall = await fallOver(session, async () => {
    const first = await call();
    last = await call();
    return [first, last];
  });
  return last?.status === status ? inWords(fall, 0) : `not seen: ${last ? describeAnswer(last) : 'no call'}`;
}

/** `atLeast`: what Remaining falls by anyway. */
function inWords(fall: number | null, atLeast: number): string {
  if (fall === null || fall < atLeast) {
    return 'unknown: the headers do not show it';
  }
  return fall > atLeast ? 'counts' : 'does not count';
}

import { keyLimits, minuteAt } from '../../../contract/limits.ts';
import { scopes, scopesWithout } from '../../../contract/scopes.ts';
import { firstNumber, hasSeveralLimits, headersOfLimit } from '../../../limits/judge/headers.ts';
import type { Sample } from '../../../limits/judge/trace.ts';
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

/** The headers of a key's minute; as they came, where they show something else, such as a day. */
function shownIn(sample: Sample): Pick<Sample, 'limit' | 'remaining'> {
  const ofMinute = Object.values(keyLimits).flatMap(({ perMinute }) => headersOfLimit(sample, perMinute) ?? []);
  return ofMinute[0] ?? (hasSeveralLimits(sample) ? { limit: null, remaining: null } : sample);
}

/** The number in X-RateLimit-Remaining; null where there is none. */
const remainingOf = ({ exchange }: Answer): number | null =>
  firstNumber(shownIn(exchangeSample(exchange, '')).remaining);

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

const callsBetween = 3;

/** Finds out whose budget calls use up: calls another key between two calls of the counting key. */
export const budgetSharing = step(async (session): Promise<BudgetSharing> => {
  await countingKey(session);
  // An account may have no room for a second key.
  const second = await resultOrNull(makeKey(session, 'beside counting', scopes));
  const fall = await fallAround(session, () => callInBetween(session, second?.key ?? mainKey(session)));
  await (second === null ? undefined : dropKey(session, second));
  const found = sharingOf(fall, callsBetween);
  return found.shared === true ? accountOrAddress(session, found) : found;
});

async function callInBetween(session: Session, key: ApiKey): Promise<void> {
  for (let call = 0; call < callsBetween; call += 1) {
    await tryKey(session, key, key.origin === 'unknown' ? { purpose: 'refusal' } : {});
  }
}

/** A shared budget is the address's where calls with an unknown key use it up, too; otherwise it is as it was found. */
async function accountOrAddress(session: Session, found: BudgetSharing): Promise<BudgetSharing> {
  const fall = await fallAround(session, () => callInBetween(session, neverIssuedKeys(session)[0]));
  const says = `${found.says}; by ${fall} with ${callsBetween} calls of a key that was never issued in between`;
  return fall !== null && fall > callsBetween ? { shared: true, budget: 'per address', says } : found;
}

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

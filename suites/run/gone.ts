import { endpointOf } from '../../contract/endpoints.ts';
import { minuteAt } from '../../contract/limits.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { resultOrNull } from '../engine/parts.ts';
import { callOf } from '../session/call.ts';
import { isGatewayError } from '../session/evidence/accidents.ts';
import { mainKeys } from '../session/keys.ts';
import type { OpenSession } from '../session/open-session.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';

/** What is looked at of a run with a target. */
interface GoneRun {
  readonly target: { readonly setting: string };
  readonly opened: { readonly session: OpenSession };
}

/** What became of a target that stopped answering, or accepting a given key, during a run. */
interface GoneTarget {
  /** What happened, and what to do. */
  readonly text: string;
  /** Numbers of the calls that the target no longer answered, or accepted. */
  readonly unanswered: ReadonlySet<number>;
}

/**
 * Whether a call got no usable answer of the deployment: the connection failed, what came cannot be read, or a gateway
 * says that it is away.
 */
const isLost = ({ failure, response }: Exchange): boolean => failure !== null || isGatewayError(response?.status ?? 0);

/**
 * Finds out whether the target stopped answering, admitting calls, or accepting a given key, during the run. null: none of
 * these. A run that is stopped (`isStopped`) makes no call for that.
 */
export const findGone = async (run: GoneRun, isStopped: boolean): Promise<GoneTarget | null> =>
  (await findSilence(run, isStopped)) ?? findClosedLimit(run) ?? (isStopped ? null : await findRefusedKey(run));

/** This many calls without an answer, the last of all, show without another call that a target is down. */
const manyUnanswered = 5;

/**
 * Finds out whether the target stopped answering during the run: its last calls got no answer, and a read that was
 * answered before gets none now. A limiter may refuse with the statuses of a gateway, so a second read, a minute later,
 * decides. null: the target answers.
 */
async function findSilence({ target, opened: { session } }: GoneRun, isStopped: boolean): Promise<GoneTarget | null> {
  const { exchanges } = session.evidence;
  // Many calls are under way at once, so a lost call may end before an answered one that was sent earlier.
  const lastAnswered = exchanges.reduce((last, one) => (isLost(one) ? last : Math.max(last, one.sentAt)), -Infinity);
  const unanswered = exchanges.filter((exchange) => isLost(exchange) && exchange.receivedAt >= lastAnswered);
  const [probe] = session.api.probes;
  const wasAnswered = exchanges.some(
    (exchange) => exchange.endpoint === probe && exchange.response !== null && !isLost(exchange),
  );
  if (unanswered.length === 0 || probe === undefined || !wasAnswered) {
    return null;
  }
  const last = isStopped
    ? unanswered.length < manyUnanswered
      ? undefined
      : unanswered.at(-1)
    : await readNow(session, probe);
  if (last === undefined || !isLost(last)) {
    return null;
  }
  const how = last.failure?.message ?? `${last.response?.status} to everything`;
  return {
    text: `${target.setting} stopped answering during the run (${how}): restart it and run again`,
    unanswered: new Set(unanswered.map(({ number }) => number)),
  };
}

/** Whether the limiter admits nobody any more. What the run had found out of it until then still counts. */
const findClosedLimit = ({ target, opened: { session } }: GoneRun): GoneTarget | null =>
  session.client.isClosed()
    ? {
        text: `${target.setting} answered 429 to every call for minutes: run again when its limits admit calls`,
        unanswered: new Set(),
      }
    : null;

/** What a read gets now or, where a gateway answers it, a minute later. */
async function readNow(session: Session, probe: string): Promise<Exchange | undefined> {
  const read = async (): Promise<Exchange | undefined> => (await resultOrNull(send(session, probe)))?.exchange;
  const first = await read();
  if (!isGatewayError(first?.response?.status ?? 0)) {
    return first;
  }
  await session.clock.sleep(minuteAt(session.settings.CLOCK_SPEED));
  return read();
}

/** This many refusals in a row, the last of all, suggest that a key is dead. */
const manyRefusals = 3;

/**
 * Finds out whether a given key was revoked, or expired, during the run: its last calls got 401, and so does a read that
 * it was accepted on before. null: none was.
 */
async function findRefusedKey({ opened: { session } }: GoneRun): Promise<GoneTarget | null> {
  const [probe] = session.api.probes;
  for (const key of mainKeys(session)) {
    const answered = session.evidence.exchanges.filter(
      ({ keyLabel, keyValid, response }) => keyLabel === key.label && keyValid && response !== null,
    );
    const isAccepted = ({ response }: Exchange): boolean => response !== null && response.status < 400;
    const lastAccepted = answered.reduce(
      (last, one) => (isAccepted(one) ? Math.max(last, one.sentAt) : last),
      -Infinity,
    );
    const refused = answered.filter(({ response, sentAt }) => response?.status === 401 && sentAt > lastAccepted);
    const wasAccepted = answered.some((exchange) => exchange.endpoint === probe && isAccepted(exchange));
    const isSuspect = wasAccepted && refused.length >= manyRefusals;
    const call = isSuspect && probe !== undefined ? callOf(endpointOf(probe), key) : null;
    // Not at the client's pace, which takes refusals for a lockout: that may end within two minutes.
    const isRefused = async (): Promise<boolean> =>
      call !== null && (await resultOrNull(session.client.sendNow(call)))?.status === 401;
    const wait = (): Promise<void> => session.clock.sleep(2 * minuteAt(session.settings.CLOCK_SPEED));
    if ((await isRefused()) && (await wait().then(isRefused))) {
      return {
        text: `${key.label} was refused with 401 from call ${refused[0]?.number} on, and was accepted before: set a key that stays valid`,
        unanswered: new Set(refused.map(({ number }) => number)),
      };
    }
  }
  return null;
}

/** The results, those inconclusive whose failures all rest on calls that the target no longer answered. */
export const withoutUnanswered = ({ text, unanswered }: GoneTarget, results: readonly ClauseResult[]): ClauseResult[] =>
  results.map((result) =>
    ['fail', 'warn'].includes(result.verdict) && result.findings.every(({ exchange = 0 }) => unanswered.has(exchange))
      ? { ...result, verdict: 'inconclusive', findings: result.findings.map((one) => ({ ...one, cause: text })) }
      : result,
  );

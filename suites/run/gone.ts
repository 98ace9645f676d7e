import { endpointOf } from '../../contract/endpoints.ts';
import type { Exchange } from '../../results/exchange.ts';
import { quoteIfOutside } from '../../results/likely-cause.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { resultOrNull } from '../engine/check.ts';
import { callOf } from '../session/call.ts';
import { isGatewayError } from '../session/evidence/evidence.ts';
import { mainKeys, type Session, send } from '../session/session.ts';

/** What became of a target that stopped answering, admitting calls, or accepting a given key, during a run. */
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
 * Finds out whether the target, which that setting names, stopped answering during the run, or accepting a given key.
 * Or its limiter admits nobody any more: what the run had found out until then still counts. null: none of these.
 */
export async function findGone(session: Session, setting: string): Promise<GoneTarget | null> {
  if (session.client.isClosed()) {
    const last = session.evidence.exchanges.findLast(({ response }) => response?.status === 429);
    const { cause } = quoteIfOutside(last);
    const quoted = cause === undefined ? '' : ` (${cause})`;
    const text = `${setting} answered 429 to every call for minutes${quoted}: run again when its limits admit calls`;
    return { text, unanswered: new Set() };
  }
  return (await findSilence(session, setting)) ?? (await findRefusedKey(session));
}

/** So many calls with bad keys as the last that were answered suggest that the address is banned for them. */
const signOfBan = 5;

/** The last calls got no answer, and a read that was answered before gets none now. */
async function findSilence(session: Session, setting: string): Promise<GoneTarget | null> {
  const { exchanges } = session.evidence;
  // Many calls are under way at once, so a lost call may end before an answered one that was sent earlier.
  const lastAnswered = exchanges.reduce((last, one) => (isLost(one) ? last : Math.max(last, one.sentAt)), -Infinity);
  const unanswered = exchanges.filter((exchange) => isLost(exchange) && exchange.receivedAt >= lastAnswered);
  const [probe] = session.api.probes;
  const wasAnswered = exchanges.some((exchange) => exchange.endpoint === probe && !isLost(exchange));
  if (unanswered.length === 0 || probe === undefined || !wasAnswered) {
    return null;
  }
  const last = (await resultOrNull(send(session, probe)))?.exchange;
  if (last === undefined || !isLost(last)) {
    return null;
  }
  const how = last.failure?.message ?? `${last.response?.status} to everything`;
  const answered = exchanges.filter((one) => !isLost(one)).toSorted((a, b) => a.receivedAt - b.receivedAt);
  const isBanned = last.failure !== null && answered.slice(-signOfBan).every((one) => one.response?.status === 401);
  const what = isBanned ? 'lift the ban of this address, if calls with bad keys led to one (fail2ban), or ' : '';
  return {
    text: `${setting} stopped answering during the run (${how}): ${what}restart it and run again`,
    unanswered: new Set(unanswered.map(({ number }) => number)),
  };
}

/** This many refusals in a row, the last of all, suggest that a key is dead. */
const manyRefusals = 3;

/** The last calls with a given key got 401, and so does a read that it was accepted on before: it was revoked. */
async function findRefusedKey(session: Session): Promise<GoneTarget | null> {
  const [probe = ''] = session.api.probes;
  for (const key of mainKeys(session)) {
    const sent = session.evidence.exchanges.filter(({ keyLabel, keyValid }) => keyLabel === key.label && keyValid);
    const accepted = sent.filter(({ response }) => response !== null && response.status < 400);
    const lastAccepted = Math.max(...accepted.map(({ sentAt }) => sentAt));
    const refused = sent.filter(({ response, sentAt }) => response?.status === 401 && sentAt > lastAccepted);
    if (refused.length >= manyRefusals && accepted.some(({ endpoint }) => endpoint === probe)) {
      // Not through `send`, which takes refusals for a lockout, and waits for its end.
      const now = await resultOrNull(session.client.sendNow(callOf(endpointOf(probe), key)));
      if (now?.status === 401) {
        const text = `${key.label} was refused with 401 from call ${refused[0]?.number} on, and was accepted before: set a key that stays valid`;
        return { text, unanswered: new Set(refused.map(({ number }) => number)) };
      }
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

import type { Exchange } from '../../results/exchange.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { resultOrNull } from '../engine/check.ts';
import { isGatewayError } from '../session/evidence/evidence.ts';
import { type Session, send } from '../session/session.ts';

/** What became of a target that stopped answering, or admitting calls, during a run. */
interface GoneTarget {
  /** What happened, and what to do. */
  readonly text: string;
  /** Numbers of the calls that the target no longer answered. */
  readonly unanswered: ReadonlySet<number>;
}

/**
 * Whether a call got no usable answer of the deployment: the connection failed, what came cannot be read, or a gateway
 * says that it is away.
 */
const isLost = ({ failure, response }: Exchange): boolean => failure !== null || isGatewayError(response?.status ?? 0);

/**
 * Finds out whether the target, which that setting names, stopped answering during the run: the last calls got no
 * answer, and a read that was answered before gets none now. Or its limiter admits nobody any more: what the run had
 * found out until then still counts. null: none of these.
 */
export async function findGone(session: Session, setting: string): Promise<GoneTarget | null> {
  if (session.client.isClosed()) {
    const text = `${setting} answered 429 to every call for minutes: run again when its limits admit calls`;
    return { text, unanswered: new Set() };
  }
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
  return {
    text: `${setting} stopped answering during the run (${how}): restart it and run again`,
    unanswered: new Set(unanswered.map(({ number }) => number)),
  };
}

/** The results, those inconclusive whose failures all rest on calls that the target no longer answered. */
export const withoutUnanswered = ({ text, unanswered }: GoneTarget, results: readonly ClauseResult[]): ClauseResult[] =>
  results.map((result) =>
    ['fail', 'warn'].includes(result.verdict) && result.findings.every(({ exchange = 0 }) => unanswered.has(exchange))
      ? { ...result, verdict: 'inconclusive', findings: result.findings.map((one) => ({ ...one, cause: text })) }
      : result,
  );

import type { FailureKind } from '../../common/transport-failure.ts';
import { minuteMs } from '../../contract/limits.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { resultOrNull } from '../engine/parts.ts';
import { isGatewayError } from '../session/evidence/accidents.ts';
import { send } from '../session/send.ts';
import type { TargetRun } from './target-run.ts';

/** What became of a target that stopped answering during a run. */
interface GoneTarget {
  /** What happened, and what to do. */
  readonly text: string;
  /** Numbers of the calls that the target no longer answered. */
  readonly unanswered: ReadonlySet<number>;
}

const lostKinds: readonly (FailureKind | undefined)[] = ['refused', 'dns', 'tls', 'closed', 'reset'];

/** Whether a call got no answer of the deployment: the connection failed, or a gateway says that it is away. */
const isLost = ({ failure, response }: Exchange): boolean =>
  lostKinds.includes(failure?.kind) || isGatewayError(response?.status ?? 0);

/**
 * Finds out whether the target stopped answering during the run: its last calls got no answer, and a read that was
 * answered before gets none now. A limiter may refuse with the statuses of a gateway, so a second read, a minute later,
 * decides. null: the target answers.
 */
export async function findGone({ target, opened: { session } }: TargetRun): Promise<GoneTarget | null> {
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
  const readProbe = async (): Promise<Exchange | undefined> => (await resultOrNull(send(session, probe)))?.exchange;
  let last = await readProbe();
  if (isGatewayError(last?.response?.status ?? 0)) {
    await session.clock.sleep(minuteMs / session.settings.CLOCK_SPEED);
    last = await readProbe();
  }
  if (last === undefined || !isLost(last)) {
    return null;
  }
  const how = last.failure?.message ?? `${last.response?.status} to everything`;
  return {
    text: `${target.setting} stopped answering during the run (${how}): start it and run it again`,
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

import type { FailureKind } from '../../common/transport-failure.ts';
import { minuteMs } from '../../contract/limits.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { resultOrNull } from '../engine/parts.ts';
import { isGatewayError } from '../session/evidence/accidents.ts';
import { send } from '../session/send.ts';
import type { TargetRun } from './target-run.ts';

const kinds: readonly (FailureKind | undefined)[] = ['refused', 'dns', 'tls', 'closed', 'reset'];

/** A target that has gone away during a run. */
interface Gone {
  /** What keeps the run from an outcome, and what to do. */
  readonly text: string;
  /** Numbers of the calls that it did not answer any more. */
  readonly unanswered: ReadonlySet<number>;
}

/** No connection, or a server before the deployment says that it is away. */
const isLost = ({ failure, response }: Exchange): boolean =>
  kinds.includes(failure?.kind) || isGatewayError(response?.status ?? 0);

/**
 * Whether the target has gone away meanwhile: the last calls of the run got no answer of its own, and a read that got
 * one before gets none now. A limiter may refuse as servers do that are away: then a read a minute later decides. null:
 * it is there.
 */
export async function goneIn({ target, opened: { session } }: TargetRun): Promise<Gone | null> {
  const { exchanges } = session.evidence;
  // Many calls are under way at once: a good answer may come after a lost one, to a call that was sent before.
  const lastSent = exchanges.reduce((last, one) => (isLost(one) ? last : Math.max(last, one.sentAt)), -Infinity);
  const unanswered = exchanges.filter((exchange) => isLost(exchange) && exchange.receivedAt >= lastSent);
  const [probe] = session.api.probes;
  const wasThere = exchanges.some(
    (exchange) => exchange.endpoint === probe && exchange.response !== null && !isLost(exchange),
  );
  if (unanswered.length === 0 || probe === undefined || !wasThere) {
    return null;
  }
  const look = async (): Promise<Exchange | undefined> => (await resultOrNull(send(session, probe)))?.exchange;
  let last = await look();
  if (isGatewayError(last?.response?.status ?? 0)) {
    await session.clock.sleep(minuteMs / session.settings.CLOCK_SPEED);
    last = await look();
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

/** What was judged on nothing but calls that a target did not answer any more is not decided. */
export const undecidedSince = ({ text, unanswered }: Gone, results: readonly ClauseResult[]): ClauseResult[] =>
  results.map((result) =>
    ['fail', 'warn'].includes(result.verdict) && result.findings.every(({ exchange = 0 }) => unanswered.has(exchange))
      ? { ...result, verdict: 'inconclusive', findings: result.findings.map((one) => ({ ...one, cause: text })) }
      : result,
  );

import { systemClock } from '../../common/clock.ts';
import { messageOf, stackOf } from '../../common/message-of.ts';
import { resultOf } from '../../results/clause-result.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { Target } from '../../settings/target.ts';
import type { Suite } from '../engine/check.ts';
import type { OnResult } from '../engine/engine.ts';
import { memoryLedger } from '../session/ledger/ledger.ts';
import { type LedgerFile, ledgerFolder, openLedger, tryLedgers } from '../session/ledger/ledger-file.ts';
import { ledgerName } from '../session/ledger/ledger-name.ts';
import { type SocketTransport, socketTransport } from '../session/transport/undici-transport.ts';
import type { Cleaned } from '../shared/clean-up/clean-up.ts';
import type { Halt } from './halt.ts';
import { leftBehind, leftInLiveData } from './left-behind.ts';
import { type OpenSuite, openSuite } from './open-suite.ts';
import type { Preparation } from './prepare.ts';

/** One API of a run that is under way. */
export interface TargetRun {
  readonly target: Target;
  readonly opened: OpenSuite;
  /** Deletes what the run made and closes the connections, once. Gives lines on what is left behind. Never throws. */
  close(): Promise<string[]>;
}

/** How long a stopped run waits for its checks to end, ms. */
const noticeMs = 3_000;
/** How long a stopped run waits for its clean-up, ms: a used-up minute has to pass first. */
const cleanUpMs = 90_000;

/** Opens the session of a target; sends nothing. Throws CannotRun where it cannot write a ledger or has no key. */
export async function openTarget(
  target: Target,
  prepared: Preparation,
  { suite, halt, startedAt }: { suite: Suite; halt: Halt; startedAt: Date },
): Promise<TargetRun> {
  const { settings, selection, seed, tag, userBodies } = prepared;
  if (!prepared.embedded && settings.WRITES !== 'none') {
    tryLedgers();
  }
  const sockets = socketTransport({ connections: 64, timeoutMs: settings.TIMEOUT_MS });
  const ledger = prepared.embedded
    ? inMemory()
    : openLedger(ledgerName(target.api, startedAt), ledgerFolder, (why) => halt.stop(why));
  const opened = await openSuite(suite, {
    origin: target.origin,
    settings,
    clauses: selection.idsOf(target.api),
    seed,
    tag,
    userBodies,
    ledger: ledger.ledger,
    clock: halt.clock(prepared.clock),
    transport: halt.transport(prepared.wrap(sockets.transport)),
  });
  let closing: Promise<string[]> | null = null;
  return { target, opened, close: () => (closing ??= close({ opened, sockets, ledger }, halt)) };
}

/** The ledger for a deployment that ends with the run: no later run has to find it. */
const inMemory = (): LedgerFile => ({ ledger: memoryLedger(), path: '', close: () => {} });

/**
 * Judges the clauses of a target. Gives a result for each of them, whatever happens: where the suite breaks as a whole,
 * the undecided ones are `broken`; where a stopped run does not end by itself, they are `inconclusive`.
 */
export async function judgeTarget(
  { opened: { session, run } }: TargetRun,
  halt: Halt,
  onResult: OnResult,
): Promise<ClauseResult[]> {
  const decided = new Map<string, ClauseResult>();
  const decide: OnResult = (found) => {
    if (!decided.has(found.id)) {
      const isCutShort = halt.reason !== null && found.verdict === 'inconclusive';
      const result: ClauseResult = isCutShort ? { ...found, cutShort: true } : found;
      decided.set(result.id, result);
      onResult(result);
    }
  };
  const decideRest = (verdict: 'broken' | 'inconclusive', message: string): void => {
    for (const id of session.clauses) {
      decide(resultOf(id, verdict, [{ message: session.redactor.clean(message) }]));
    }
  };
  const overdue = halt.stopped.then(() => systemClock.sleep(noticeMs));
  try {
    await Promise.race([run(decide), overdue]);
    decideRest('inconclusive', `Stopped before it was decided: ${halt.reason}`);
  } catch (error) {
    const text = stackOf(error);
    decideRest('broken', `The suite itself broke: ${text.slice(0, 2_000)}`);
  }
  return [...session.clauses].flatMap((id) => decided.get(id) ?? []);
}

interface Closable {
  readonly opened: OpenSuite;
  readonly sockets: SocketTransport;
  readonly ledger: LedgerFile;
}

/** Deletes what the run made, in bounded time where the run was stopped. Gives lines on what it left behind. */
async function close({ opened, sockets, ledger }: Closable, halt: Halt): Promise<string[]> {
  const { session } = opened;
  const overdue = async (): Promise<CleanUp> => {
    await halt.stopped;
    await systemClock.sleep(cleanUpMs);
    return { cleaned: [], trouble: ['Clean-up timed out'] };
  };
  const cleanUp = async (): Promise<CleanUp> => {
    try {
      return { cleaned: await halt.exempt(() => opened.close()), trouble: [] };
    } catch (error) {
      const text = messageOf(error);
      return { cleaned: [], trouble: [`Clean-up failed: ${session.redactor.clean(text)}`] };
    }
  };
  const { cleaned, trouble } = await Promise.race([cleanUp(), overdue()]);
  const notes = [...trouble, ...leftBehind(ledger.ledger, cleaned), ...leftInLiveData(session)];
  ledger.close();
  await sockets.close();
  return notes;
}

interface CleanUp {
  readonly cleaned: readonly Cleaned[];
  readonly trouble: readonly string[];
}

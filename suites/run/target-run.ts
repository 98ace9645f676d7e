import { systemClock } from '../../common/clock.ts';
import { resultOf } from '../../results/clause-result.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { Target } from '../../settings/target.ts';
import type { Suite } from '../engine/check.ts';
import type { OnResult } from '../engine/engine.ts';
import { memoryLedger } from '../session/ledger/ledger.ts';
import { type LedgerFile, openLedger, tryLedgers } from '../session/ledger/ledger-file.ts';
import { ledgerName } from '../session/ledger/ledger-name.ts';
import { type SocketTransport, socketTransport } from '../session/transport/undici-transport.ts';
import type { Halt } from './halt.ts';
import { leftBehind, leftInLiveData } from './left-behind.ts';
import { type Opened, openSuite } from './open-suite.ts';
import type { Preparation } from './prepare.ts';

/** One API of a run that is under way. */
export interface TargetRun {
  readonly target: Target;
  readonly opened: Opened;
  /** Deletes what the run made and ends the connections, once; gives lines on what is left behind. Never throws. */
  close(): Promise<string[]>;
}

/** Most time that a stopped run gives its checks to notice, and then its cleaning up: a used-up minute has to pass first. */
const noticeMs = 3_000;
const cleanUpMs = 90_000;

/** Opens the session of a target. Nothing is sent. Throws CannotRun. */
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
  const ledger = prepared.embedded ? inMemory() : openLedger(ledgerName(target.api, startedAt));
  const opened = await openSuite(suite, {
    origin: target.origin,
    settings,
    clauses: selection.idsOf(target.api),
    seed,
    tag,
    userBodies,
    ledger: ledger.ledger,
    clock: halt.clock(prepared.clock),
    transport: halt.transport(prepared.around(sockets.transport)),
  });
  let closing: Promise<string[]> | null = null;
  return { target, opened, close: () => (closing ??= close({ opened, sockets, ledger }, halt)) };
}

/** What is created in a deployment that ends with the run needs no file. */
const inMemory = (): LedgerFile => ({ ledger: memoryLedger(), path: '', close: () => {} });

/**
 * Judges the clauses of a target; a result for each of them, whatever happens. A suite that breaks as a whole makes
 * them `broken`; a stopped run that does not end by itself leaves those `inconclusive` that are not decided yet.
 */
export async function judgeTarget(
  { opened: { session, run } }: TargetRun,
  halt: Halt,
  onResult: OnResult,
): Promise<ClauseResult[]> {
  const decided = new Map<string, ClauseResult>();
  const tell: OnResult = (found) => {
    if (!decided.has(found.id)) {
      const isCutShort = halt.reason !== null && found.verdict === 'inconclusive';
      const result: ClauseResult = isCutShort ? { ...found, cutShort: true } : found;
      decided.set(result.id, result);
      onResult(result);
    }
  };
  const giveUp = (verdict: 'broken' | 'inconclusive', message: string): void => {
    for (const id of session.clauses) {
      tell(resultOf(id, verdict, [{ message: session.redactor.clean(message) }]));
    }
  };
  const overdue = halt.stopped.then(() => systemClock.sleep(noticeMs));
  try {
    await Promise.race([run(tell), overdue]);
    giveUp('inconclusive', `Stopped before it was decided: ${halt.reason}`);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    giveUp('broken', `The suite itself broke: ${text.slice(0, 2_000)}`);
  }
  return [...session.clauses].flatMap((id) => decided.get(id) ?? []);
}

interface Closable {
  readonly opened: Opened;
  readonly sockets: SocketTransport;
  readonly ledger: LedgerFile;
}

/** Deletes what the run made, in bounded time where the run was stopped. Gives lines on what it left behind. */
async function close({ opened, sockets, ledger }: Closable, halt: Halt): Promise<string[]> {
  const { session } = opened;
  const late = halt.stopped
    .then(() => systemClock.sleep(cleanUpMs))
    .then(() => ({ cleaned: [], trouble: ['Cleaning up did not end in time'] }));
  const done = halt
    .exempt(() => opened.close())
    .then(
      (cleaned) => ({ cleaned, trouble: [] }),
      (error: unknown) => ({
        cleaned: [],
        trouble: [`Cleaning up broke off: ${session.redactor.clean(messageOf(error))}`],
      }),
    );
  const { cleaned, trouble } = await Promise.race([done, late]);
  const notes = [...trouble, ...leftBehind(ledger.ledger, cleaned), ...leftInLiveData(session)];
  ledger.close();
  await sockets.close();
  return notes;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

import { systemClock } from '../../common/clock.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { Target } from '../../settings/target.ts';
import { resultOf } from '../engine/engine.ts';
import { type Entry, type LedgerFile, memoryLedger, openLedger } from '../session/ledger.ts';
import { ledgerName } from '../session/ledger-name.ts';
import { preflight } from '../session/preflight.ts';
import { type SocketTransport, socketTransport } from '../session/undici-transport.ts';
import type { Halt } from './halt.ts';
import type { Preparation } from './preparation.ts';
import type { Opened, Runner } from './runner.ts';

/** One API of a run that is under way. */
export interface Judging {
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
  startedAt: Date,
  parts: { runner: Runner; halt: Halt },
): Promise<Judging> {
  const { settings, seed, tag, userBodies } = prepared;
  const sockets = socketTransport({ connections: 64, timeoutMs: settings.TIMEOUT_MS });
  const ledger = prepared.embedded ? inMemory() : openLedger(ledgerName(target.api, startedAt));
  const opened = await parts.runner({
    origin: target.origin,
    settings,
    seed,
    tag,
    userBodies,
    ledger: ledger.ledger,
    clock: parts.halt.clock(prepared.clock),
    transport: parts.halt.transport(prepared.around(sockets.transport)),
  });
  let closing: Promise<string[]> | null = null;
  return { target, opened, close: () => (closing ??= close({ opened, sockets, ledger }, parts.halt)) };
}

/** What is created in a deployment that ends with the run needs no file. */
const inMemory = (): LedgerFile => ({ ledger: memoryLedger(), path: '', close: () => {} });

/** Throws CannotRun where the target is out of reach, is no API, or refuses its key. */
export const inspect = ({ target, opened }: Judging): Promise<void> => preflight(opened.session, target);

/**
 * Judges the clauses chosen; a result for each of them, whatever happens. A suite that breaks as a whole makes them
 * `broken`; a stopped run that does not end by itself leaves them `inconclusive`.
 */
export async function judge(
  { opened }: Judging,
  ids: readonly string[],
  halt: Halt,
  publish: (result: ClauseResult) => void,
): Promise<ClauseResult[]> {
  const left = (verdict: 'broken' | 'inconclusive', message: string): ClauseResult[] => {
    const results = ids.map((id) => resultOf(id, verdict, [{ message: opened.session.redactor.clean(message) }]));
    results.forEach(publish);
    return results;
  };
  const overdue = halt.stopped.then(() => systemClock.sleep(noticeMs)).then(() => null);
  try {
    const results = await Promise.race([opened.run(ids, publish), overdue]);
    return results ?? left('inconclusive', `Stopped before it was decided: ${halt.reason}`);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return left('broken', `The suite itself broke: ${text.slice(0, 2_000)}`);
  }
}

interface Closable {
  readonly opened: Opened;
  readonly sockets: SocketTransport;
  readonly ledger: LedgerFile;
}

/**
 * Deletes what the run made, in bounded time where the run was stopped. Gives lines on what it left behind, and on what
 * went wrong with that.
 */
async function close({ opened, sockets, ledger }: Closable, halt: Halt): Promise<string[]> {
  const { redactor, notes } = opened.session;
  const late = halt.stopped.then(() => systemClock.sleep(cleanUpMs)).then(() => ['Cleaning up did not end in time']);
  const done = halt
    .exempt(() => opened.close())
    .then(
      () => [],
      (error: unknown) => [
        `Cleaning up broke off: ${redactor.clean(error instanceof Error ? error.message : String(error))}`,
      ],
    );
  const lines = await Promise.race([done, late]);
  const untold = ledger.ledger.open().filter((entry) => !notes.some((note) => note.includes(entry.id ?? entry.tag)));
  ledger.close();
  await sockets.close();
  return [...notes, ...lines, ...(untold.length === 0 ? [] : [leftBehind(untold)])];
}

const leftBehind = (entries: readonly Entry[]): string =>
  `Left behind: ${entries.map(({ collection, id, tag }) => (id === undefined ? `"${tag}" in ${collection}` : `${collection}/${id}`)).join(', ')}; ` +
  'npm run cleanup deletes it';

import { systemClock } from '../kit/clock.ts';
import { resultOf } from '../kit/engine.ts';
import type { Ledger } from '../kit/ledger.ts';
import { preflight } from '../kit/preflight.ts';
import type { Target } from '../kit/target.ts';
import { socketTransport, type SocketTransport } from '../kit/undici-transport.ts';
import type { ClauseResult } from '../kit/verdict.ts';
import type { Halt } from './halt.ts';
import type { Preparation } from './preparation.ts';
import type { Opened, Runner } from './runner.ts';

/** One API of a run that is under way. */
export interface Judging {
  readonly target: Target;
  readonly opened: Opened;
  readonly sockets: SocketTransport;
}

/** Most time that a stopped run gives its checks to notice, and then its cleaning up. */
const noticeMs = 3_000;
const cleanUpMs = 15_000;

/** Opens the session of a target. Nothing is sent. Throws CannotRun. */
export async function openTarget(target: Target, prepared: Preparation, parts: { runner: Runner; ledger: Ledger; halt: Halt }): Promise<Judging> {
  const { settings, seed, tag, userBodies } = prepared;
  const sockets = socketTransport({ connections: 64, timeoutMs: settings.TIMEOUT_MS });
  const opened = await parts.runner({
    origin: target.origin, settings, seed, tag, userBodies, ledger: parts.ledger,
    clock: parts.halt.clock(systemClock), transport: parts.halt.transport(sockets.transport),
  });
  return { target, opened, sockets };
}

/** Throws CannotRun where the target is out of reach, is no API, or refuses its key. */
export const inspect = ({ target, opened }: Judging): Promise<void> => preflight(opened.session, target);

/**
 * Judges the clauses chosen; a result for each of them, whatever happens. A suite that breaks as a whole makes them
 * `broken`; a stopped run that does not end by itself leaves them `inconclusive`.
 */
export async function judge({ opened }: Judging, ids: readonly string[], halt: Halt, publish: (result: ClauseResult) => void): Promise<ClauseResult[]> {
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
    const text = error instanceof Error ? error.stack ?? error.message : String(error);
    return left('broken', `The suite itself broke: ${text.slice(0, 2_000)}`);
  }
}

/** Deletes what the run made, in bounded time where the run was stopped. Gives lines on what went wrong with that. */
export async function close({ opened, sockets }: Judging, halt: Halt): Promise<string[]> {
  const late = halt.stopped.then(() => systemClock.sleep(cleanUpMs)).then(() => ['Cleaning up did not end in time']);
  const done = halt.exempt(() => opened.close()).then(() => [], (error: unknown) => [
    `Cleaning up broke off: ${opened.session.redactor.clean(error instanceof Error ? error.message : String(error))}`,
  ]);
  const lines = await Promise.race([done, late]);
  await sockets.close();
  return lines;
}

import type { CliOptions } from 'vitest/node';
import { CannotRun } from '../../common/cannot-run.ts';
import { systemClock } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import type { ApiName } from '../../contract/clause.ts';
import { type Timing, timingOf } from '../../results/timing.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Suite } from '../engine/check.ts';
import type { OnResult } from '../engine/engine.ts';
import type { OpenSession } from '../session/open-session.ts';
import { preflight } from '../shared/preflight.ts';
import { openPublisher } from './channel.ts';
import { finishedEvidence } from './finished-evidence.ts';
import { findGone, withoutUnanswered } from './gone.ts';
import type { Halt } from './halt.ts';
import { type ChosenClauses, type OpenEmbedded, type Preparation, prepare } from './prepare.ts';
import type { RunRecord } from './run-record.ts';
import { judgeTarget, openTarget, type TargetRun } from './target-run.ts';

/** What a run needs besides its settings. */
interface RunInput {
  /** The choices of the command line. `options`: Vitest's own; null: the run does without Vitest. */
  readonly arguments: ChosenClauses & { readonly options: CliOptions | null };
  readonly suites: Readonly<Record<ApiName, Suite>>;
  readonly openEmbedded: OpenEmbedded;
  readonly halt: Halt;
  /** Filled in as the run goes on, so that it can be reported whenever it ends. */
  readonly record: RunRecord;
  /** Called before anything is sent. */
  readonly onPrepared: (record: RunRecord) => void;
  /** Called when the judging begins; gives a function that is called when it ends. */
  readonly onJudging: (targets: readonly TargetRun[]) => () => void;
  readonly onResult?: OnResult;
}

/**
 * Conducts a run: prepares it, checks that the targets are there, judges the clauses, and cleans up, also when
 * something breaks or the run is stopped. Throws CannotRun where the judging cannot begin.
 */
export async function conductRun(input: RunInput, given: Settings): Promise<void> {
  const { record } = input;
  record.settings = given;
  const prepared = await prepare(input.arguments, given, input.openEmbedded);
  const { settings, targets, embedded, selection, waivers, profile, seed } = prepared;
  Object.assign(record, { settings, targets, embedded, selection, waivers, profile, seed });
  input.onPrepared(record);
  const opened: TargetRun[] = [];
  try {
    await judgeTargets(input, prepared, opened);
  } finally {
    const notes = await Promise.all(opened.map((one) => one.close()));
    const sessions = opened.map((one) => one.opened.session);
    record.requests = requestsOf(opened);
    record.timing = sessions.length === 0 ? null : timingOfAll(sessions, settings.CLOCK_SPEED);
    record.notes.push(...notes.flat());
    Object.assign(record, finishedEvidence(sessions, record.results));
    await prepared.release();
  }
}

/** Opens and judges the targets of which clauses were chosen. Adds each to `opened`, so that it is always closed. */
async function judgeTargets(input: RunInput, prepared: Preparation, opened: TargetRun[]): Promise<void> {
  const { halt, suites, record } = input;
  const { startedAt } = record;
  for (const target of prepared.targets.filter(({ api }) => prepared.selection.idsOf(api).length > 0)) {
    opened.push(await openTarget(target, prepared, { suite: suites[target.api], halt, startedAt }));
  }
  const endJudging = input.onJudging(opened);
  try {
    if (!prepared.embedded) {
      await Promise.all(opened.map((one) => preflight(one.opened.session)));
    }
    const { options } = input.arguments;
    const judge = (onResult: OnResult): Promise<ClauseResult[]> => judgeAll(input, opened, onResult);
    record.results = await (options === null
      ? judge((result) => input.onResult?.(result))
      : judgeUnderVitest(input, { ...prepared, options }, judge));
  } finally {
    endJudging();
  }
  if (halt.reason !== null) {
    record.trouble ??= halt.reason;
  }
}

/** Judges all targets at once. Each is cleaned up as soon as it is judged, since the other may take longer. */
async function judgeAll(
  { halt, record }: RunInput,
  targets: readonly TargetRun[],
  onResult: OnResult,
): Promise<ClauseResult[]> {
  const judgeAndClose = async (target: TargetRun): Promise<ClauseResult[]> => {
    const results = await judgeTarget(target, halt, onResult);
    const gone = await findGone(target, halt.reason !== null);
    record.trouble ??= gone?.text ?? null;
    await target.close();
    return gone === null ? results : withoutUnanswered(gone, results);
  };
  return (await Promise.all(targets.map(judgeAndClose))).flat();
}

/** Runs Vitest beside the engine: the engine judges, Vitest's tests wait for the results. */
async function judgeUnderVitest(
  { halt, onResult }: RunInput,
  { selection, settings, options }: Pick<Preparation, 'selection' | 'settings'> & { readonly options: CliOptions },
  judge: (onResult: OnResult) => Promise<ClauseResult[]>,
): Promise<ClauseResult[]> {
  const { runVitest } = await import('./vitest-front.ts');
  const publisher = openPublisher();
  const ready = Promise.withResolvers<void>();
  const results = ready.promise.then(() =>
    judge((result) => {
      publisher.publish(result);
      onResult?.(result);
    }),
  );
  results.catch(() => {});
  const vitest = runVitest({ options, selection, settings, publisher, onReady: ready.resolve });
  try {
    await Promise.race([
      vitestIsOverdue(halt),
      vitest.catch((error: unknown) => {
        ready.reject(error);
        halt.stop(messageOf(error), !(error instanceof CannotRun));
      }),
    ]);
    ready.reject(new CannotRun(halt.reason ?? 'Cannot start Vitest: it exited before it started'));
    return await results;
  } finally {
    publisher.close();
  }
}

/** Resolves a while after the run was stopped: Vitest may hang, on a pipe that nobody reads. */
const vitestIsOverdue = (halt: Halt): Promise<void> => halt.stopped.then(() => systemClock.sleep(vitestMs));
const vitestMs = 5_000;

const timingOfAll = (sessions: readonly OpenSession[], clockSpeed: number): Timing =>
  timingOf(
    sessions.flatMap(({ book }) => book.budgets()),
    sessions.flatMap(({ book }) => book.waits()),
    clockSpeed,
  );

function requestsOf(opened: readonly TargetRun[]): RunRecord['requests'] {
  const sentTo = (api: ApiName): number =>
    opened.find(({ target }) => target.api === api)?.opened.session.evidence.exchanges.length ?? 0;
  return { developer: sentTo('developer'), workspace: sentTo('workspace') };
}

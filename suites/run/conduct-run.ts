import type { CliOptions } from 'vitest/node';
import { CannotRun } from '../../common/cannot-run.ts';
import { systemClock } from '../../common/clock.ts';
import { createRedactor, type Redactor } from '../../common/redact.ts';
import type { Api as ApiName } from '../../contract/clause.ts';
import { type Timing, timingOf } from '../../results/timing.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Suite } from '../engine/check.ts';
import type { OnResult } from '../engine/engine.ts';
import { receivedBy } from '../session/evidence/received.ts';
import type { OpenSession } from '../session/open-session.ts';
import { preflight } from '../shared/preflight.ts';
import { openPublisher } from './channel.ts';
import { goneIn, undecidedSince } from './gone.ts';
import type { Halt } from './halt.ts';
import { type Choice, type OpenEmbedded, type Preparation, prepare } from './prepare.ts';
import type { RunRecord } from './run-record.ts';
import { judgeTarget, openTarget, type TargetRun } from './target-run.ts';

/** A run, and who hears of it. */
interface Conduct {
  /** What the command line chose; `options`: Vitest's own, null where it is asked for nothing. */
  readonly arguments: Choice & { readonly options: CliOptions | null };
  readonly suites: Readonly<Record<ApiName, Suite>>;
  readonly openEmbedded: OpenEmbedded;
  readonly halt: Halt;
  /** Filled in as the run goes on, so that it can be reported whenever it ends. */
  readonly record: RunRecord;
  /** Before anything is sent. */
  readonly onPrepared: (record: RunRecord) => void;
  /** When the judging begins; the function that it gives is called at its end. */
  readonly onJudging: (targets: readonly TargetRun[]) => () => void;
  /** With each result as soon as it stands. */
  readonly onResult?: OnResult;
}

/**
 * Conducts a run: prepares it, looks at the targets, judges the clauses, and cleans up, also when something breaks or
 * the run is stopped. Throws CannotRun where it does not get as far as judging.
 */
export async function conductRun(conduct: Conduct, given: Settings): Promise<void> {
  const { record } = conduct;
  record.settings = given;
  const prepared = await prepare(conduct.arguments, given, conduct.openEmbedded);
  const { settings, targets, embedded, selection, waivers, profile, seed } = prepared;
  Object.assign(record, { settings, targets, embedded, selection, waivers, profile, seed });
  conduct.onPrepared(record);
  const opened: TargetRun[] = [];
  try {
    await judgeTargets(conduct, prepared, opened);
  } finally {
    const notes = await Promise.all(opened.map((one) => one.close()));
    const sessions = opened.map((one) => one.opened.session);
    record.requests = requestsOf(opened);
    record.timing = sessions.length === 0 ? null : timingOfAll(sessions, settings.CLOCK_SPEED);
    record.exchanges = sessions.flatMap(({ evidence }) => evidence.exchanges);
    record.deliveries = sessions.flatMap(receivedBy);
    record.clean = redactorOf(sessions).clean;
    record.notes.push(...notes.flat());
    await prepared.release();
  }
}

/** One that knows what all sessions have learnt, those first that learnt little: reports are long, and looked through once. */
function redactorOf(sessions: readonly Pick<OpenSession, 'redactor' | 'tag'>[]): Redactor {
  const joint = createRedactor(sessions.map(({ tag }) => tag));
  const known = sessions.map(({ redactor }) => redactor.secrets).sort((a, b) => a.size - b.size);
  for (const secret of known.flatMap((secrets) => [...secrets])) {
    joint.learn(secret);
  }
  return joint;
}

/** Opens and judges the targets that clauses were chosen of. `opened` gains each of them, so that it is closed whatever happens. */
async function judgeTargets(conduct: Conduct, prepared: Preparation, opened: TargetRun[]): Promise<void> {
  const { halt, suites, record } = conduct;
  const { startedAt } = record;
  for (const target of prepared.targets.filter(({ api }) => prepared.selection.idsOf(api).length > 0)) {
    opened.push(await openTarget(target, prepared, { suite: suites[target.api], halt, startedAt }));
  }
  const endJudging = conduct.onJudging(opened);
  try {
    if (!prepared.embedded) {
      await Promise.all(opened.map((one) => preflight(one.opened.session)));
    }
    const { options } = conduct.arguments;
    const judge = (onResult: OnResult): Promise<ClauseResult[]> => judgeAll(conduct, opened, onResult);
    record.results = await (options === null
      ? judge((result) => conduct.onResult?.(result))
      : judgeUnderVitest(conduct, { ...prepared, options }, judge));
  } finally {
    endJudging();
  }
  if (halt.reason !== null) {
    record.trouble ??= halt.reason;
  }
}

/** Judges all targets. Each API is cleaned up as soon as it is judged: the other one may take its time. */
async function judgeAll(
  { halt, record }: Conduct,
  targets: readonly TargetRun[],
  onResult: OnResult,
): Promise<ClauseResult[]> {
  const judgeAndClose = async (target: TargetRun): Promise<ClauseResult[]> => {
    const results = await judgeTarget(target, halt, onResult);
    const gone = halt.reason === null ? await goneIn(target) : null;
    record.trouble ??= gone?.text ?? null;
    await target.close();
    return gone === null ? results : undecidedSince(gone, results);
  };
  return (await Promise.all(targets.map(judgeAndClose))).flat();
}

/** Vitest and the engine side by side: the engine judges, Vitest's tests wait for the verdicts. It is loaded for them alone. */
async function judgeUnderVitest(
  { halt, onResult }: Conduct,
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
      overdue(halt),
      vitest.catch((error: unknown) => {
        ready.reject(error);
        halt.stop(error instanceof Error ? error.message : String(error), !(error instanceof CannotRun));
      }),
    ]);
    ready.reject(new CannotRun(halt.reason ?? 'Cannot start Vitest: it exited before it started'));
    return await results;
  } finally {
    publisher.close();
  }
}

/** Vitest is not waited for much longer than a stopped run: it may hang on a pipe that nobody reads. */
const overdue = (halt: Halt): Promise<void> => halt.stopped.then(() => systemClock.sleep(vitestMs));
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

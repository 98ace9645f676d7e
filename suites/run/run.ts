import type { Arguments } from '../../cli/test/arguments.ts';
import { systemClock } from '../../common/clock.ts';
import type { Api } from '../../contract/clause.ts';
import { CannotRun } from '../../results/stop.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { Settings } from '../../settings/settings.ts';
import { openPublisher } from './channel.ts';
import { inspect, type Judging, judge, openTarget } from './conduct.ts';
import type { Halt } from './halt.ts';
import type { Record } from './outcome.ts';
import { type Preparation, prepare } from './preparation.ts';
import type { Runner } from './runner.ts';
import { runVitest } from './vitest-front.ts';

export interface Conduct {
  readonly arguments: Arguments;
  readonly runners: Readonly<globalThis.Record<Api, Runner>>;
  readonly halt: Halt;
  /** Filled in as the run goes on, so that it can be reported whenever it ends. */
  readonly record: Record;
  readonly onJudging: (judged: readonly Judging[]) => () => void;
  /** With each result as soon as it stands. */
  readonly onResult: (result: ClauseResult) => void;
  /** Before anything is sent. */
  readonly onPrepared: (record: Record) => void;
}

/**
 * Carries a run through: prepares it, looks at the targets, judges the clauses, and cleans up, also when something breaks
 * or the run is stopped. Throws CannotRun where it does not get as far as judging.
 */
export async function conductRun(conduct: Conduct, given: Settings): Promise<void> {
  const { record, arguments: args } = conduct;
  record.settings = given;
  const prepared = await prepare(args, given);
  const { settings, targets, embedded, selection, waivers, profile, seed } = prepared;
  Object.assign(record, { settings, targets, embedded, selection, waivers, profile, seed });
  conduct.onPrepared(record);
  const judged: Judging[] = [];
  try {
    await judgeTargets(conduct, prepared, judged);
  } finally {
    const lines = await Promise.all(judged.map((one) => one.close()));
    record.requests = requestsOf(judged);
    record.exchanges = judged.flatMap(({ opened }) => opened.session.evidence.exchanges);
    record.deliveries = judged.flatMap(({ opened }) => opened.deliveries());
    record.clean = (text) => judged.reduce((shown, { opened }) => opened.session.redactor.clean(shown), text);
    record.notes.push(...lines.flat());
    await prepared.release();
  }
}

async function judgeTargets(conduct: Conduct, prepared: Preparation, judged: Judging[]): Promise<void> {
  const { halt, runners, record } = conduct;
  const chosen = prepared.targets.filter(({ api }) => prepared.selection.idsOf(api).length > 0);
  for (const target of chosen) {
    judged.push(await openTarget(target, prepared, record.startedAt, { runner: runners[target.api], halt }));
  }
  const hideProgress = conduct.onJudging(judged);
  try {
    if (!prepared.embedded) {
      await Promise.all(judged.map(inspect));
    }
    record.results = await judgeUnderVitest(conduct, prepared, judged);
  } finally {
    hideProgress();
  }
  if (halt.reason !== null) {
    record.trouble ??= halt.reason;
  }
}

/** Vitest and the engine side by side: the engine judges, Vitest's tests wait for the verdicts. */
async function judgeUnderVitest(
  conduct: Conduct,
  prepared: Preparation,
  judged: readonly Judging[],
): Promise<ClauseResult[]> {
  const {
    halt,
    arguments: { options },
  } = conduct;
  const { selection, settings } = prepared;
  const publisher = openPublisher();
  const ready = Promise.withResolvers<void>();
  // Each API is cleaned up as soon as it is judged: the other one may take its time.
  const judgeAndClose = async (one: Judging): Promise<ClauseResult[]> => {
    const results = await judge(one, selection.idsOf(one.target.api), halt, (result) => {
      publisher.publish(result);
      conduct.onResult(result);
    });
    await one.close();
    return results;
  };
  const results = ready.promise.then(() => Promise.all(judged.map(judgeAndClose)));
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
    ready.reject(new CannotRun(halt.reason ?? 'Cannot start Vitest: it ended before it began'));
    return (await results).flat();
  } finally {
    publisher.close();
  }
}

/** Vitest is not waited for much longer than a stopped run: it may hang on a pipe that nobody reads. */
const overdue = (halt: Halt): Promise<void> => halt.stopped.then(() => systemClock.sleep(vitestMs));
const vitestMs = 5_000;

function requestsOf(judged: readonly Judging[]): Record['requests'] {
  const sentTo = (api: Api): number => judged.find(({ target }) => target.api === api)?.opened.session.permit.sent ?? 0;
  return { developer: sentTo('developer'), workspace: sentTo('workspace') };
}

import { once } from 'node:events';
import { beforeAll, describe, type RunnerTestFile, test } from 'vitest';
import { readJsonFile } from '../../common/json-file.ts';
import { counted } from '../../common/words.ts';
import type { Clause } from '../../contract/clause.ts';
import { apiOf, chapterOf, clauses } from '../../contract/clauses.ts';
import { type ClauseResult, type Finding, findingFacts } from '../../results/verdict.ts';
import { applyWaivers, parseWaivers, type Waiver } from '../../results/waivers.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Suite } from '../engine/check.ts';
import { type ApiRun, openApiRun } from './api-run.ts';
import { stopOnOwnSignals, stoppedByCommand } from './halt.ts';
import type { OpenEmbedded } from './prepare.ts';
import { testName } from './selection.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** On a test: what became of its clause. */
    clause?: ClauseResult;
    /** On a file: what the run of its API found. */
    run?: ApiRun;
  }
  interface ProvidedContext {
    /** The settings that `npm test` has read, with a seed that both APIs share. */
    settings?: Settings;
  }
}

/** Why a run ends that Vitest or the command stops. */
const stopped = 'the run was stopped; run it again to judge the rest';

/** How often a run tells how far it is, ms. */
const progressMs = 1_000;

/**
 * Declares a test for each clause of an API, in a block for each chapter. The checks begin together, before the first
 * test, and a test waits for its own: `fail`, `broken` and a waiver that no longer holds fail it; `skip` and
 * `inconclusive`, which a waived failure is, skip it, with the finding; `warn` annotates it. With STRICT=1, `warn` and
 * a must that stays inconclusive fail it too. What else the run found is in the file's `meta.run`. `tell` gets a line
 * where there is news of how far the run is. Throws CannotRun for a WAIVERS file that cannot be used.
 */
export function declareClauses(
  suite: Suite,
  settings: Settings,
  openEmbedded: OpenEmbedded,
  tell?: (line: string) => void,
): void {
  const { WAIVERS, STRICT } = settings;
  const waivers = WAIVERS === undefined ? [] : readJsonFile('WAIVERS', WAIVERS, parseWaivers);
  const own = clauses.filter(({ id }) => apiOf(id) === suite.api.name);
  const judged = new Map(own.map(({ id }) => [id as string, Promise.withResolvers<ClauseResult | null>()]));

  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from this parameter which fixtures a hook uses
  beforeAll(async ({}, suiteOfFile) => {
    const file = suiteOfFile as RunnerTestFile;
    const chosen = chosenIn(file).filter((id) => judged.has(id));
    if (chosen.length === 0) {
      return undefined;
    }
    const opened = await openApiRun(suite, chosen, settings, openEmbedded);
    const stop = (): void => opened.halt.stop(stopped);
    void stoppedByCommand().then(stop);
    const endSignals = stopOnOwnSignals(stop);
    const undecided = new Set(chosen);
    const decide = (id: string, result: ClauseResult | null): void => {
      undecided.delete(id);
      judged.get(id)?.resolve(result);
    };
    // Not awaited here: Vitest ends a test that it cancels, but no hook.
    const ended = opened.run((result) => decide(result.id, result));
    void ended.then(() => chosen.forEach((id) => void decide(id, null)));
    const timer = tell && setInterval(() => tell(opened.progress()), progressMs).unref();
    return async () => {
      if (undecided.size > 0) {
        // Vitest was cancelled: its tests did not wait for their clauses.
        stop();
      }
      const { unusable, ...found } = await ended;
      endSignals();
      file.meta.run = found;
      clearInterval(timer);
      if (unusable !== null) {
        throw unusable;
      }
    };
  }, 0);

  for (const [chapter, rows] of Map.groupBy(own, ({ id }) => chapterOf(id))) {
    describe.concurrent(chapter, () => {
      for (const clause of rows) {
        const excused = waivers.filter((waiver) => waiver.clause === clause.id);
        declareClause(clause, judged.get(clause.id)?.promise, excused, STRICT === '1');
      }
    });
  }
}

/** Declares the test of a clause. `judged`: its result; null, the target cannot be judged. `waivers`: its own. */
function declareClause(
  clause: Clause,
  judged: Promise<ClauseResult | null> | undefined,
  waivers: readonly Waiver[],
  strict: boolean,
): void {
  test(testName(clause), { timeout: 0 }, async ({ task, skip, annotate, signal }) => {
    const aborted = once(signal, 'abort').then(() => null);
    const found = (await Promise.race([judged, aborted])) ?? skip('the target cannot be judged');
    const { results, problems } = applyWaivers([found], waivers, new Date());
    const [result = found] = results;
    task.meta.clause = result;
    const { verdict, findings, title, level, waiver } = result;
    const isOpen = verdict === 'inconclusive' && level === 'must' && waiver === undefined;
    if (verdict === 'fail' || verdict === 'broken' || (strict && (verdict === 'warn' || isOpen))) {
      throw failure(result);
    }
    if (verdict === 'skip' || verdict === 'inconclusive') {
      skip(`${verdict}: ${findings[0]?.message ?? 'no reason given'}`);
    }
    if (problems.length > 0) {
      throw failure({ ...result, findings: problems.map((message) => ({ message })) });
    }
    if (verdict === 'warn') {
      await annotate(findings[0]?.message ?? title, 'warning');
    }
  });
}

/** The clauses of a file that Vitest is about to run: -t has chosen them. */
const chosenIn = ({ tasks }: Pick<RunnerTestFile, 'tasks'>): string[] =>
  tasks.flatMap((task) => {
    if (task.type === 'suite') {
      return chosenIn(task);
    }
    return task.mode === 'run' || task.mode === 'queued' ? [task.name.split(' ', 1)[0] ?? ''] : [];
  });

/** Most findings that one failure shows. */
const mostShown = 5;

/** The error that fails a test. It has no stack: what is wrong is in the deployment. */
function failure({ title, source, findings }: ClauseResult): Error {
  const left = findings.length - mostShown;
  const error = new Error(
    [
      `${title} (${source})`,
      ...findings.slice(0, mostShown).map(textOf),
      ...(left > 0 ? [`… and ${counted(left, 'more finding')}`] : []),
    ].join('\n\n'),
  );
  error.name = 'Clause';
  error.stack = '';
  return error;
}

/** A finding as text. Exchanges have their numbers only when all of a run are known. */
const textOf = ({ exchange: _, ...finding }: Finding): string =>
  [finding.message, ...findingFacts(finding).map(([label, text]) => `${label}: ${text.slice(0, 2_000)}`)].join('\n');

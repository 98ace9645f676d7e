import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { CannotRun } from '../../common/cannot-run.ts';
import { systemClock } from '../../common/clock.ts';
import { readJsonFile } from '../../common/json-file.ts';
import { commandOf } from '../../common/suite.ts';
import { apiNames } from '../../contract/clause.ts';
import { consoleReport } from '../../reports/console/console.ts';
import { capital } from '../../reports/text.ts';
import { writeReports } from '../../reports/write.ts';
import { parseProfile } from '../../results/drift.ts';
import type { Run } from '../../results/verdict.ts';
import { parseWaivers } from '../../results/waivers.ts';
import { refuseUnreadFile } from '../../settings/env-file.ts';
import { readGiven, reportsFolder, secretsIn, settingsOf } from '../../settings/settings.ts';
import { noneTargeted, targetsOf } from '../../settings/target.ts';
import { cleanUpMs } from '../../suites/run/halt.ts';
import { newRunRecord, type RunRecord, runOf } from '../../suites/run/run-record.ts';
import { runVitest } from '../../suites/run/run-vitest.ts';
import { select } from '../../suites/run/selection.ts';
import { explain, say } from '../command.ts';
import { onSignals } from '../signals.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import { keepWholeRun } from './kept-runs.ts';
import { createReporter } from './reporter.ts';

/** `npm test`: judges the deployment that the settings name. Prints, and returns the exit status. */
export async function runTests(argv: readonly string[]): Promise<number> {
  const record = newRunRecord(new Date(), reportsFolder(process.env));
  const stop = new AbortController();
  stopOnSignals(stop);
  try {
    const given = await parseArguments(argv);
    if (given === null) {
      return 0;
    }
    await judge(given, record, stop.signal);
    return finish(record, given);
  } catch (error) {
    return giveUp(record, stoppedOr(stop.signal, error));
  }
}

/** Stops the run on a signal or a crash; it then cleans up and writes its reports. A second signal ends it at once. */
function stopOnSignals(stop: AbortController): void {
  onSignals(
    (signal) => {
      say(
        `\n${signal}: deleting what the run created (up to a minute if a limit is used up), then writing the reports. Press Ctrl-C again to stop at once`,
      );
      stop.abort(`the run was stopped by ${signal}; run it again to judge the rest`);
    },
    () => {
      say(`Stopped without clean-up: run ${commandOf('cleanup')}`);
      process.exit(2);
    },
  );
  const crash = (error: unknown): void => {
    stop.abort(`the suite itself crashed (${explain(error).split('\n', 1)[0]}): report it`);
  };
  process.on('uncaughtException', crash).on('unhandledRejection', crash);
  // If the reader of the output went away (npm test | head), nobody would learn how the run ends.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => stop.abort('the output pipe was closed: run it again'));
  }
}

/** Where the run was stopped before its end, the error that says so; else `error`. */
const stoppedOr = ({ aborted, reason }: AbortSignal, error: unknown): unknown =>
  aborted ? new CannotRun(capital(String(reason))) : error;

async function judge(given: Arguments, record: RunRecord, stop: AbortSignal): Promise<void> {
  const { settings, selection, targeted } = prepareRecord(given, record);
  const chosen = apiNames.filter((api) => selection.idsOf(api).length > 0);
  const reporter = createReporter({
    record,
    screen: given.ownReporters ? { write: () => true } : process.stderr,
    stop,
    clauses: selection.size,
    onStart: (apis) => {
      if (apis.length < chosen.length) {
        record.selection = select({ ...given, filters: apis }, targeted);
      }
    },
  });
  try {
    const { options, patterns } = given;
    const run = runVitest({ apis: chosen, settings, options, patterns, reporter });
    await Promise.race([run, isOverdue(stop)]);
  } catch (error) {
    // Vitest calls a run that it cancels a failed one.
    if (!stop.aborted) {
      throw error;
    }
  } finally {
    reporter.endProgress();
  }
  record.trouble = stop.aborted ? String(stop.reason) : record.trouble;
  const isJudged = record.runs.some(({ results }) => results.length > 0);
  const trouble = reporter.unusable ?? (isJudged ? null : 'Vitest ended without judging anything');
  if (trouble !== null) {
    // What the other API showed until then is no verdict.
    record.runs = record.runs.map((run) => ({ ...run, results: [] }));
    throw stoppedOr(stop, new CannotRun(reporter.unusable ?? record.trouble ?? trouble));
  }
}

/** Resolves when a stopped run should have ended: Vitest may hang, on a pipe that nobody reads. */
async function isOverdue(stop: AbortSignal): Promise<void> {
  if (!stop.aborted) {
    await new Promise((resolve) => {
      stop.addEventListener('abort', resolve);
    });
  }
  await systemClock.sleep(cleanUpMs + 10_000);
}

/** Fills in all that is known before anything is sent, and writes a first report. Throws CannotRun. */
function prepareRecord(given: Arguments, record: RunRecord) {
  const read = readGiven();
  record.folder = reportsFolder(read);
  const settings = settingsOf(read);
  const targets = targetsOf(settings);
  const embedded = targets.length === 0;
  if (embedded) {
    refuseUnreadFile(process.env.INIT_CWD, process.cwd());
  }
  const { WAIVERS, PROFILE } = settings;
  const targeted = embedded ? apiNames : targets.map(({ api }) => api);
  const selection = select(given, targeted);
  const seed = settings.SEED ?? randomInt(2 ** 31);
  Object.assign(record, {
    settings,
    seed,
    embedded,
    selection,
    waivers: WAIVERS === undefined ? [] : readJsonFile('WAIVERS', WAIVERS, parseWaivers),
    profile: PROFILE === undefined ? null : readJsonFile('PROFILE', PROFILE, parseProfile),
  });
  if (embedded) {
    say(noneTargeted);
  }
  keepWholeRun(record.folder);
  secretsIn(settings).forEach(record.redactor.learn);
  // If the run is killed, this report remains.
  const trouble = 'the run did not finish: it was killed or is still running';
  writeReports(runOf({ ...record, trouble }), record.folder);
  return { settings: { ...settings, SEED: seed }, selection, targeted };
}

/** Writes the reports, then the console report, even if the files cannot be. Returns the exit status. */
function finish(record: RunRecord, { ownReporters }: Arguments): number {
  const { run, isWritten } = publish(record);
  const screen = ownReporters ? process.stderr : process.stdout;
  const { FORCE_COLOR: forced } = process.env;
  const colour = forced === undefined ? screen.isTTY && screen.hasColors() : forced !== '0';
  const width = Math.min(Math.max(screen.columns ?? 100, 60), 120);
  const page = isWritten ? { page: join(record.folder, 'conformance.html') } : {};
  screen.write(consoleReport(run, { colour, width, ...page }));
  return run.exitCode;
}

/** Reports a run that could not begin, or broke, with the reason in every report. Returns 2. */
function giveUp(record: RunRecord, error: unknown): number {
  const explanation = record.redactor.clean(explain(error));
  const [reason = ''] = explanation.split('\n');
  record.trouble = error instanceof CannotRun ? reason : `${reason}: report it`;
  say(explanation);
  keepWholeRun(record.folder);
  publish(record);
  return 2;
}

/** Writes the reports. That they cannot be written is said, and becomes the run's trouble. */
function publish(record: RunRecord): { readonly run: Run; readonly isWritten: boolean } {
  let isWritten = true;
  try {
    writeReports(runOf(record), record.folder);
  } catch (error) {
    if (!(error instanceof CannotRun)) {
      throw error;
    }
    if (error.message !== record.trouble) {
      say(error.message);
    }
    record.trouble ??= error.message;
    isWritten = false;
  }
  return { run: runOf(record), isWritten };
}

import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { consoleReport } from '../../reports/console.ts';
import { writeReports } from '../../reports/write.ts';
import { CannotRun } from '../../results/stop.ts';
import type { Run } from '../../results/verdict.ts';
import { readSettings } from '../../settings/settings.ts';
import { developerSuite } from '../../suites/developer/suite.ts';
import { conductRun } from '../../suites/run/conduct-run.ts';
import { createHalt, type Halt } from '../../suites/run/halt.ts';
import { newRecord, type RunRecord, runOf } from '../../suites/run/run-record.ts';
import { select } from '../../suites/run/selection.ts';
import { workspaceSuite } from '../../suites/workspace/suite.ts';
import { onSignals } from '../signals.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import { openEmbedded } from './embedded.ts';
import { helpText, listText } from './help.ts';
import { showProgress } from './progress.ts';

const suites = { developer: developerSuite, workspace: workspaceSuite };

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');

/** `npm test`: judges the deployment that the settings name. This file alone prints; it gives the exit status. */
export async function main(argv: readonly string[]): Promise<number> {
  const record = newRecord(new Date());
  const halt = createHalt();
  watch(halt);
  try {
    const given = parseArguments(argv);
    if (given.help) {
      return print(helpText());
    }
    if (given.list) {
      return print(listText(select(given.pattern, given.filters, ['developer', 'workspace'])));
    }
    await conductRun(
      {
        arguments: given,
        suites,
        openEmbedded,
        halt,
        record,
        onPrepared: () => {
          write(
            runOf({ ...record, trouble: 'the run has not ended: it was killed, or is still under way' }, new Date()),
            record,
          );
        },
        onJudging: (judged) => showProgress(judged, given.ownReporters ? { write: () => true } : process.stderr),
      },
      readSettings(),
    );
    return finish(record, given);
  } catch (error) {
    return giveUp(record, error);
  }
}

/** The run went its way: reports, console, exit status. Throws CannotRun where the reports cannot be written. */
function finish(record: RunRecord, { ownReporters }: Arguments): number {
  const run = runOf(record, new Date());
  write(run, record);
  const screen = ownReporters ? process.stderr : process.stdout;
  const colour =
    process.env.FORCE_COLOR !== undefined ? process.env.FORCE_COLOR !== '0' : screen.isTTY && screen.hasColors();
  screen.write(record.clean(consoleReport(run, { colour, width: Math.min(Math.max(screen.columns ?? 100, 60), 120) })));
  return run.exitCode;
}

/** The run could not begin, or broke: one line that says why, the same in every report, and 2. */
function giveUp(record: RunRecord, error: unknown): number {
  record.trouble =
    error instanceof CannotRun ? error.message : `The suite itself broke: ${messageOf(error)}: report it`;
  say(
    record.clean(
      error instanceof CannotRun || !(error instanceof Error)
        ? record.trouble
        : `${record.trouble}\n${error.stack ?? ''}`,
    ),
  );
  try {
    write(runOf(record, new Date()), record);
  } catch (second) {
    if (second instanceof CannotRun && second.message !== record.trouble) {
      say(second.message);
    }
  }
  return 2;
}

/** Settings that could not be read still say where reports go. */
function write(run: Run, { settings, exchanges, clean }: RunRecord): void {
  const file = existsSync('.env') ? parse(readFileSync('.env', 'utf8')) : {};
  writeReports(
    run,
    exchanges,
    settings?.REPORTS_DIR ?? (process.env.REPORTS_DIR || file.REPORTS_DIR || 'reports/latest'),
    clean,
  );
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** Stops the run on a signal or a crash; cleaning up and reports follow. A second signal ends it at once. */
function watch(halt: Halt): void {
  onSignals(
    (signal) => {
      say(
        `\nStopping on ${signal}: deleting what the run created, which a used-up limit holds up for a minute; then the reports (once more to end at once)`,
      );
      halt.stop(`the run was stopped by ${signal}; run it again to judge the rest`);
    },
    () => {
      say('Ended at once: what the run created is left behind, and npm run cleanup deletes it');
      process.exit(2);
    },
  );
  const crash = (error: unknown): void => {
    halt.stop(`the suite itself crashed (${messageOf(error)}): report it`, true);
  };
  process.on('uncaughtException', crash).on('unhandledRejection', crash);
  // A reader that went away (npm test | head): nobody would learn how the run ends. Later on it is no trouble.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => {
      halt.stop('the output was closed: run it again');
    });
  }
}

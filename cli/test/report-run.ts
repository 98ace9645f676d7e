import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRun } from '../../common/cannot-run.ts';
import { fileTrouble } from '../../common/files.ts';
import { githubAnnotations } from '../../reports/annotations.ts';
import { consoleReport } from '../../reports/console/console.ts';
import { markdownReport } from '../../reports/markdown.ts';
import { writeReports } from '../../reports/write.ts';
import type { Run } from '../../results/verdict.ts';
import { type RunRecord, runOf } from '../../suites/run/run-record.ts';
import { explain, say } from '../command.ts';
import type { Arguments } from './arguments.ts';
import { keepWholeRun } from './kept-runs.ts';

/** Writes the reports, then the console report, even if the files cannot be. Returns the exit status. */
export function finish(record: RunRecord, { ownReporters, observed }: Arguments): number {
  const { run, isWritten } = publish(record);
  const screen = ownReporters ? process.stderr : process.stdout;
  const { FORCE_COLOR: forced } = process.env;
  const colour = forced === undefined ? screen.isTTY && screen.hasColors() : forced !== '0';
  const width = Math.min(Math.max(screen.columns ?? 100, 60), 120);
  const page = isWritten ? { page: join(record.folder, 'conformance.html') } : {};
  screen.write(consoleReport(run, { colour, width, observed, ...page }));
  return run.exitCode;
}

/** Reports a run that could not begin, or broke, with the reason in every report. Returns 2. */
export function giveUp(record: RunRecord, error: unknown): number {
  const explanation = record.redactor.clean(explain(error));
  const [reason = ''] = explanation.split('\n');
  record.trouble = error instanceof CannotRun ? reason : `${reason}: report it`;
  say(explanation);
  keepWholeRun(record.folder);
  publish(record);
  return 2;
}

/** Writes the reports. What cannot be written is said, becomes the run's trouble, and so stands in those that can be. */
function publish(record: RunRecord): { readonly run: Run; readonly isWritten: boolean } {
  let run = runOf(record, new Date());
  const couldBe = (write: (run: Run) => void): boolean => {
    try {
      write(run);
      return true;
    } catch (error) {
      if (!(error instanceof CannotRun)) {
        throw error;
      }
      if (error.message !== record.trouble) {
        say(error.message);
      }
      record.trouble ??= error.message;
      run = runOf(record, new Date());
      return false;
    }
  };
  const writeFiles = (made: Run): void => writeReports(made, record.folder);
  const isWritten = couldBe(writeFiles);
  if (!couldBe(writeToGithub)) {
    couldBe(writeFiles);
  }
  return { run, isWritten };
}

/** On GitHub, writes the job's summary, and annotations for the causes. */
function writeToGithub(run: Run): void {
  const { GITHUB_STEP_SUMMARY: summary, GITHUB_ACTIONS: actions } = process.env;
  if (summary) {
    try {
      appendFileSync(summary, markdownReport(run));
    } catch (error) {
      throw new CannotRun(
        `Cannot write GITHUB_STEP_SUMMARY ${summary}: ${fileTrouble(error)}; set it to a file that can be written`,
      );
    }
  }
  if (actions === 'true') {
    process.stderr.write(githubAnnotations(run));
  }
}

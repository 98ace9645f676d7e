import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRun } from '../../common/cannot-run.ts';
import { fileTrouble } from '../../common/file-trouble.ts';
import { githubAnnotations } from '../../reports/annotations.ts';
import { consoleReport } from '../../reports/console/console.ts';
import { markdownReport } from '../../reports/markdown.ts';
import { writeReports } from '../../reports/write.ts';
import type { Run } from '../../results/verdict.ts';
import { type RunRecord, runOf } from '../../suites/run/run-record.ts';
import { explain, say } from '../command.ts';
import { earlierRun } from '../read-file.ts';
import type { Arguments } from './arguments.ts';
import { keepWholeRun } from './kept-runs.ts';

/**
 * Writes the reports, then the console report, which is written even if the files cannot be. Returns the exit status.
 * GitHub's summary cannot be taken back, so it comes after the files; if it fails, they are written once more.
 */
export function finish(record: RunRecord, { ownReporters, observed }: Arguments): number {
  const toFiles = (run: Run): void => write(run, record);
  const written = tryToReport(record, runOf(record, new Date()), toFiles);
  const annotated = tryToReport(record, written.run, writeToGithub);
  const { run, trouble } = annotated.trouble === null ? written : tryToReport(record, annotated.run, toFiles);
  const screen = ownReporters ? process.stderr : process.stdout;
  const colour =
    process.env.FORCE_COLOR !== undefined ? process.env.FORCE_COLOR !== '0' : screen.isTTY && screen.hasColors();
  const width = Math.min(Math.max(screen.columns ?? 100, 60), 120);
  const page = trouble === null ? { page: join(record.folder, 'conformance.html') } : {};
  screen.write(consoleReport(run, { colour, width, observed, ...page }));
  return run.exitCode;
}

/** Reports a run. If that fails, the reason becomes the run's trouble, and the run that is returned has it. */
function tryToReport(
  record: RunRecord,
  run: Run,
  to: (run: Run) => void,
): { readonly run: Run; readonly trouble: string | null } {
  try {
    to(run);
    return { run, trouble: null };
  } catch (error) {
    if (!(error instanceof CannotRun)) {
      throw error;
    }
    say(error.message);
    record.trouble ??= error.message;
    return { run: runOf(record, new Date()), trouble: error.message };
  }
}

/** Reports a run that could not begin, or broke, with the reason in every report. Returns 2. */
export function giveUp(record: RunRecord, error: unknown): number {
  const explanation = record.redactor.clean(explain(error));
  const [reason = ''] = explanation.split('\n');
  record.trouble = error instanceof CannotRun ? reason : `${reason}: report it`;
  say(explanation);
  keepWholeRun(record.folder, earlierRun(record.folder));
  const run = runOf(record, new Date());
  for (const handTo of [write, writeToGithub]) {
    try {
      handTo(run, record);
    } catch (second) {
      if (second instanceof CannotRun && second.message !== record.trouble) {
        say(second.message);
      }
    }
  }
  return 2;
}

/** Writes the report files. Throws CannotRun if it cannot. */
export const write = (run: Run, record: RunRecord): void => writeReports(run, record.folder);

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

import type { Run } from '../results/verdict.ts';
import { deliveriesHar, exchangesHar } from './har.ts';
import { htmlReport } from './html/page.ts';
import { jsonReport, profileReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { writeTogether } from './write-files.ts';

/** The report files of a run: what each is for, and what writes it. Programs wait for conformance.json, the last. */
export const reportFiles: Readonly<Record<string, readonly [purpose: string, write: (run: Run) => string]>> = {
  'conformance.html': ['people: a self-contained page', htmlReport],
  'summary.md': ['the page of a CI job', markdownReport],
  'junit.xml': ['the test list of a CI system', junitReport],
  'exchanges.har': ['evidence: the calls', exchangesHar],
  'deliveries.har': ['evidence: the webhook deliveries received', deliveriesHar],
  'profile.json': ["the next run's `PROFILE`", profileReport],
  'conformance.json': ['programs, and `npm run compare -- BEFORE AFTER`', jsonReport],
};

/** The texts of the report files of a run by name, conformance.json last. The run must be without secrets. */
export const reportTexts = (run: Run): ReadonlyMap<string, string> =>
  new Map(Object.entries(reportFiles).map(([name, [, write]]) => [name, write(run)]));

/** Writes all reports into a folder. Throws CannotRun, which names folder and cause, if a file cannot be written. */
export const writeReports = (run: Run, folder: string): void => writeTogether(folder, reportTexts(run));

import type { Run } from '../results/verdict.ts';
import type { ReportFile } from './files.ts';
import { deliveriesHar, exchangesHar } from './har.ts';
import { htmlReport } from './html/page.ts';
import { jsonReport, profileReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { writeTogether } from './write-files.ts';

/** In the order of writing: other programs wait for conformance.json. */
const writers: Readonly<Record<ReportFile, (run: Run) => string>> = {
  'exchanges.har': exchangesHar,
  'deliveries.har': deliveriesHar,
  'profile.json': profileReport,
  'junit.xml': junitReport,
  'summary.md': markdownReport,
  'conformance.html': htmlReport,
  'conformance.json': jsonReport,
};

/** The texts of the report files of a run by name, conformance.json last. The run must be without secrets. */
export const reportTexts = (run: Run): ReadonlyMap<string, string> =>
  new Map(Object.entries(writers).map(([name, write]) => [name, write(run)]));

/** Writes all reports into a folder. Throws CannotRun, which names folder and cause, if a file cannot be written. */
export const writeReports = (run: Run, folder: string): void => writeTogether(folder, reportTexts(run));

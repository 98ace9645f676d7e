import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CannotRun } from '../common/cannot-run.ts';
import { cleanScript } from '../common/clean-script.ts';
import { fileTrouble } from '../common/file-trouble.ts';
import { cleanJson, shortenKeyLike } from '../common/redact.ts';
import type { Run } from '../results/verdict.ts';
import { badgeReport } from './badge.ts';
import type { ReportFile } from './files.ts';
import { deliveriesHar, exchangesHar, type Piece } from './har.ts';
import { htmlReport } from './html/page.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { profileReport } from './profile.ts';
import { repeatScript } from './repeat.ts';

/** The content of a file: its text, or the pieces of it in order. */
type Text<P = string> = string | Iterable<P>;

const piecesOf = <P>(text: Text<P>): Iterable<P | string> => (typeof text === 'string' ? [text] : text);

/**
 * The report files of a run (docs/ci.md) by name, conformance.json last. Evidence was redacted when it was recorded;
 * `clean` is applied to every text once more, in case a secret got past that.
 */
export const reportsOf = (run: Run, clean: (text: string) => string): ReadonlyMap<string, string> =>
  new Map([...eachReport(run, clean)].map(([name, pieces]) => [name, [...pieces].join('')]));

/** In the order of writing: other programs wait for conformance.json. */
const writers: Readonly<Record<ReportFile, (run: Run) => Text<Piece>>> = {
  'exchanges.har': exchangesHar,
  'deliveries.har': deliveriesHar,
  'profile.json': profileReport,
  'badge.json': badgeReport,
  'repeat.sh': repeatScript,
  'junit.xml': junitReport,
  'summary.md': markdownReport,
  'conformance.html': htmlReport,
  'conformance.json': jsonReport,
};

/** The report files, each made when it is asked for: all at once would take as much memory again as the run. */
function* eachReport(run: Run, clean: (text: string) => string): Generator<readonly [string, Iterable<string>]> {
  for (const [name, write] of Object.entries(writers)) {
    const text = write(run);
    if (name.endsWith('.json')) {
      yield [name, [cleanedJson(text, clean)]];
    } else if (typeof text === 'string' && name.endsWith('.sh')) {
      yield [name, [cleanScript(text, clean)]];
    } else {
      yield [name, cleaned(text, clean)];
    }
  }
}

/**
 * The pieces of a file as clean text. The texts of JSON are cleaned one by one: most are repeated, and so are cleaned
 * only once.
 */
function* cleaned(text: Text<Piece>, clean: (text: string) => string): Generator<string> {
  for (const piece of piecesOf(text)) {
    yield typeof piece === 'string' ? clean(piece) : JSON.stringify(cleanJson(piece, clean), null, 1);
  }
}

/** A JSON file, cleaned value by value: a list of numbers may be a secret's bytes, and would be no JSON without some. */
const cleanedJson = (text: Text<Piece>, clean: (text: string) => string): string =>
  `${JSON.stringify(cleanJson(JSON.parse([...piecesOf(text)].join('')), clean), null, 2)}\n`;

/** Writes all reports into a folder. Throws CannotRun, which names folder and cause, if a file cannot be written. */
export function writeReports(run: Run, folder: string, clean: (text: string) => string): void {
  writeTogether(folder, eachReport(run, clean));
}

/** Makes the folder, before a run that may take minutes. Throws CannotRun if it cannot be written to. */
export function prepareFolder(folder: string): void {
  try {
    makeFolder(resolve(folder));
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw cannotWrite(folder, cause);
  }
}

/**
 * Writes files into a folder, which is made if it does not exist. All are first written under temporary names and then
 * renamed in order, so that nobody reads half a report; the file that other programs wait for should come last. Throws
 * CannotRun, which names folder and cause, if a file cannot be written.
 */
export function writeTogether(folder: string, texts: Iterable<readonly [name: string, text: Text]>): void {
  const pending: { readonly temporary: string; readonly final: string }[] = [];
  try {
    makeFolder(resolve(folder));
    for (const [name, text] of texts) {
      const temporary = join(folder, `.${name}.${process.pid}.tmp`);
      pending.push({ temporary, final: join(folder, name) });
      writeNew(temporary, text);
    }
    for (const { temporary, final } of pending) {
      renameSync(temporary, final);
    }
  } catch (cause) {
    for (const { temporary } of pending) {
      discard(temporary);
    }
    throw cannotWrite(folder, cause);
  }
}

/**
 * Makes a folder and its parents. Node's recursive mkdir never returns on a file system that takes no new names, such
 * as /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    return;
  }
  if (dirname(folder) !== folder) {
    makeFolder(dirname(folder));
  }
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another run may have made the folder at the same time.
    if (!existsSync(folder)) {
      throw error;
    }
  }
}

/** Writes a new file. A link that somebody put there is not followed, since `wx` only opens files that do not exist. */
function writeNew(file: string, text: Text): void {
  rmSync(file, { force: true });
  const opened = openSync(file, 'wx');
  try {
    for (const piece of piecesOf(text)) {
      writeFileSync(opened, piece);
    }
  } finally {
    closeSync(opened);
  }
}

/** Removes a file if it can. The error that is reported is the one that came before. */
function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    /* If the folder cannot be reached, there is nothing to remove. */
  }
}

/** The absolute path of a folder; the path as given if the current folder no longer exists. */
function placeOf(folder: string): string {
  try {
    return resolve(folder);
  } catch {
    return folder;
  }
}

/** The error for reports that cannot be written. What is no trouble with files is a mistake of the suite, and stays so. */
function cannotWrite(folder: string, cause: unknown): unknown {
  if (cause instanceof Error && !('code' in cause)) {
    return cause;
  }
  const error = new CannotRun(
    `Cannot write the reports to ${shortenKeyLike(placeOf(folder))}: ${fileTrouble(cause)}; set REPORTS_DIR to a folder that can be written`,
  );
  error.cause = cause;
  return error;
}

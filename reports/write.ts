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
import { fileTrouble } from '../common/file-trouble.ts';
import { cleanJson } from '../common/redact.ts';
import type { Run } from '../results/verdict.ts';
import { badgeReport } from './badge.ts';
import { deliveriesHar, exchangesHar, type Piece } from './har.ts';
import { htmlReport } from './html/page.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { profileReport } from './profile.ts';
import { repeatScript } from './repeat.ts';

/** What a file is to hold: its text, or the pieces of it in their order. */
type Text<P = string> = string | Iterable<P>;

const piecesOf = <P>(text: Text<P>): Iterable<P | string> => (typeof text === 'string' ? [text] : text);

/**
 * The files that a run leaves behind (docs/ci.md), by name, conformance.json last. Every text goes through `clean` once
 * more: evidence was redacted when it was recorded, and a secret that got past that still reaches no file.
 */
export const reportsOf = (run: Run, clean: (text: string) => string): ReadonlyMap<string, string> =>
  new Map([...eachReport(run, clean)].map(([name, pieces]) => [name, [...pieces].join('')]));

/** Each is made when it is asked for: all of them at once would take as much memory again as the run. */
function* eachReport(run: Run, clean: (text: string) => string): Generator<readonly [string, Iterable<string>]> {
  const writers: readonly (readonly [string, (run: Run) => Text<Piece>])[] = [
    ['exchanges.har', exchangesHar],
    ['deliveries.har', deliveriesHar],
    ['profile.json', profileReport],
    ['badge.json', badgeReport],
    ['repeat.sh', repeatScript],
    ['junit.xml', junitReport],
    ['summary.md', markdownReport],
    ['conformance.html', htmlReport],
    ['conformance.json', jsonReport],
  ];
  for (const [name, write] of writers) {
    yield [name, cleaned(write(run), clean)];
  }
}

/** Of JSON each text by itself: most come again and again, and are looked through once. */
function* cleaned(text: Text<Piece>, clean: (text: string) => string): Generator<string> {
  for (const piece of piecesOf(text)) {
    yield typeof piece === 'string' ? clean(piece) : JSON.stringify(cleanJson(piece, clean), null, 1);
  }
}

/** Writes all reports into a folder. Throws CannotRun, naming folder and cause, when a file cannot be written. */
export function writeReports(run: Run, folder: string, clean: (text: string) => string): void {
  writeTogether(folder, eachReport(run, clean));
}

/** Makes the folder before a run that takes minutes. Throws CannotRun where it cannot be written to. */
export function prepareFolder(folder: string): void {
  try {
    makeFolder(resolve(folder));
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw cannotWrite(folder, cause);
  }
}

/**
 * Writes files, by name, into a folder, which is made where there is none. Each is written beside its place first and moved
 * there when all are whole, in their order, so that no reader finds half a report: the one that others read comes last.
 * Throws CannotRun, naming folder and cause, when a file cannot be written.
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

/** Folder by folder: Node's recursive mkdir never returns on a file system that takes no new names, such as /proc. */
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
    // Another run may have made it meanwhile.
    if (!existsSync(folder)) {
      throw error;
    }
  }
}

/** A link that somebody laid there is not followed: `wx` opens what is new alone. */
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

/** Best effort: the failure that is reported is the one that came first. */
function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    /* where the folder cannot be reached there is nothing to remove */
  }
}

/** Where the folder is, unless that in which the run began is gone: then nobody can say. */
function placeOf(folder: string): string {
  try {
    return resolve(folder);
  } catch {
    return folder;
  }
}

/** The one line for reports that cannot be written. */
function cannotWrite(folder: string, cause: unknown): CannotRun {
  const error = new CannotRun(
    `Cannot write the reports to ${placeOf(folder)}: ${fileTrouble(cause)}; set REPORTS_DIR to a folder that can be written`,
  );
  error.cause = cause;
  return error;
}

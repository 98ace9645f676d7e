import { accessSync, constants, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRun } from '../common/cannot-run.ts';
import { fileTrouble, makeFolder } from '../common/files.ts';
import { shortenKeyLike } from '../common/redaction/key-like.ts';

/** Makes the folder, before a run that may take minutes. Throws CannotRun if it cannot be written to. */
export function prepareFolder(folder: string): void {
  try {
    makeFolder(folder);
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
export function writeTogether(folder: string, texts: ReadonlyMap<string, string>): void {
  const pending: { readonly temporary: string; readonly final: string }[] = [];
  try {
    makeFolder(folder);
    for (const [name, text] of texts) {
      const temporary = join(folder, `.${name}.${process.pid}.tmp`);
      pending.push({ temporary, final: join(folder, name) });
      rmSync(temporary, { force: true });
      // A link that somebody put there is not followed: `wx` only opens files that do not exist.
      writeFileSync(temporary, text, { flag: 'wx' });
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

/** Removes a file if it can: if its folder cannot be reached, there is nothing to remove. */
function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    /* The error that is reported is the one that came before. */
  }
}

/** The error for reports that cannot be written. What is no trouble with files is a mistake of the suite, and stays so. */
function cannotWrite(folder: string, cause: unknown): unknown {
  if (cause instanceof Error && !('code' in cause)) {
    return cause;
  }
  const error = new CannotRun(
    `Cannot write the reports to ${shortenKeyLike(folder)}: ${fileTrouble(cause)}; set REPORTS_DIR to a folder that can be written`,
  );
  error.cause = cause;
  return error;
}

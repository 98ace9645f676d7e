import { accessSync, constants, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRun } from '../common/cannot-run.ts';
import { fileTrouble, makeFolder } from '../common/files.ts';
import { shortenKeyLike } from '../common/redaction/key-like.ts';

/** Makes the folder, before a run that may take minutes. Throws CannotRun if it cannot be written to. */
export function prepareFolder(folder: string): void {
  try {
    makeFolder(folder);
    accessSync(`${folder}/`, constants.W_OK);
  } catch (cause) {
    throw cannotWrite(folder, cause);
  }
}

/**
 * Writes files into a folder, which is made if it does not exist. All are first written into a folder of their own in it,
 * and then moved in order, so that nobody reads half a report; the file that other programs wait for should come last.
 * Throws CannotRun, which names folder and cause, if a file cannot be written.
 */
export function writeTogether(folder: string, texts: ReadonlyMap<string, string>): void {
  let unfinished: string | undefined;
  try {
    makeFolder(folder);
    unfinished = mkdtempSync(join(folder, '.unfinished-'));
    for (const [name, text] of texts) {
      writeFileSync(join(unfinished, name), text);
    }
    for (const name of texts.keys()) {
      renameSync(join(unfinished, name), join(folder, name));
    }
  } catch (cause) {
    throw cannotWrite(folder, cause);
  } finally {
    if (unfinished !== undefined) {
      rmSync(unfinished, { recursive: true, force: true });
    }
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

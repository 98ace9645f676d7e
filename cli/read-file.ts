import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRun } from '../common/cannot-run.ts';
import { fileText } from '../common/file-text.ts';
import { fileTrouble } from '../common/file-trouble.ts';
import { readBounded } from '../common/read-bounded.ts';
import { type EarlierRun, largestReport, parseRun } from '../results/earlier.ts';

/** The bytes of a file that the user names. Throws CannotRun if it cannot be read, or has more than `most` bytes. */
export function readNamedFile(file: string, most: number): Buffer {
  try {
    return readBounded(file, most);
  } catch (error) {
    throw new CannotRun(`Cannot read ${file}: ${fileTrouble(error)}`);
  }
}

/**
 * What `parse` makes of a run's report: a conformance.json, or the one in a folder. Throws CannotRun, which says what
 * cannot be done without (`Cannot compare A`).
 */
export function readReport<T>(path: string, cannot: string, parse: (report: unknown) => T): T {
  try {
    const file = statSync(path).isDirectory() ? join(path, 'conformance.json') : path;
    return parse(JSON.parse(fileText(readBounded(file, largestReport), file)));
  } catch (error) {
    const why = `${cannot}: ${fileTrouble(error)}; it must be a conformance.json or the folder of one, as npm test writes it`;
    throw new CannotRun(why.replace(/\s+/g, ' '));
  }
}

/** The run whose report is in a folder; null if there is none, or if it cannot be read, which must not fail a new run. */
export function earlierRun(folder: string): EarlierRun | null {
  try {
    const text = readBounded(join(folder, 'conformance.json'), largestReport, 'plain').toString('utf8');
    return parseRun(JSON.parse(text));
  } catch {
    return null;
  }
}

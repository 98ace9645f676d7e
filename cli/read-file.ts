import { CannotRun } from '../common/cannot-run.ts';
import { fileTrouble } from '../common/file-trouble.ts';
import { readBounded } from '../common/read-bounded.ts';

/** The bytes of a file that the user names, `most` of them at most. Throws CannotRun, which says what is wrong with it. */
export function readNamedFile(file: string, most: number): Buffer {
  try {
    return readBounded(file, most);
  } catch (error) {
    throw new CannotRun(`Cannot read ${file}: ${fileTrouble(error)}`);
  }
}

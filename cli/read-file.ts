import { CannotRun } from '../common/cannot-run.ts';
import { fileTrouble } from '../common/file-trouble.ts';
import { readBounded } from '../common/read-bounded.ts';

/** The bytes of a file that the user names. Throws CannotRun if it cannot be read, or has more than `most` bytes. */
export function readNamedFile(file: string, most: number): Buffer {
  try {
    return readBounded(file, most);
  } catch (error) {
    throw new CannotRun(`Cannot read ${file}: ${fileTrouble(error)}`);
  }
}

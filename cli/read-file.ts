import { readFileSync, statSync } from 'node:fs';
import { CannotRun } from '../common/cannot-run.ts';
import { fileTrouble } from '../common/file-trouble.ts';

/** The bytes of a file that the user names, `most` of them at most. Throws CannotRun, which says what is wrong with it. */
export function readNamedFile(file: string, most: number): Buffer {
  try {
    const { size } = statSync(file);
    if (size > most) {
      throw new CannotRun(`Cannot read ${file}: it has ${size} bytes, and ${most} are the most`);
    }
    return readFileSync(file);
  } catch (error) {
    if (error instanceof CannotRun) {
      throw error;
    }
    throw new CannotRun(`Cannot read ${file}: ${fileTrouble(error)}`);
  }
}

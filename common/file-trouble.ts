import { getSystemErrorMessage } from 'node:util';
import { messageOf } from './message-of.ts';

/** Why a file could not be read or written, in the system's words: `no such file or directory`. */
export function fileTrouble(error: unknown): string {
  const { errno } = (error ?? {}) as NodeJS.ErrnoException;
  return errno === undefined ? messageOf(error) : getSystemErrorMessage(errno);
}

import { readFileSync, statSync } from 'node:fs';

/**
 * The bytes of a file or pipe. Throws an Error if there are more than `mostBytes`; if `kind` is `plain` and it is a pipe
 * or device; and what the file system throws.
 */
export function readBounded(file: string, mostBytes: number, kind: 'any' | 'plain' = 'any'): Buffer {
  const stats = statSync(file);
  if (kind === 'plain' && !stats.isFile()) {
    throw new Error('it is not a file');
  }
  const bytes = stats.size > mostBytes ? null : readFileSync(file);
  if (bytes === null || bytes.length > mostBytes) {
    throw new Error(`it has more than ${mostBytes} bytes`);
  }
  return bytes;
}

import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { gunzipSync, inflateSync } from 'node:zlib';
import { CannotRun, messageOf } from './cannot-run.ts';

/** The most that a file may hold, packed or not, in bytes: a JavaScript string cannot be much longer. */
const mostBytes = 256 * 1_048_576;

/** Why a file could not be read or written, in the system's words: `no such file or directory`. */
export function fileTrouble(error: unknown): string {
  const { errno } = (error ?? {}) as NodeJS.ErrnoException;
  return errno === undefined ? messageOf(error) : getSystemErrorMessage(errno);
}

/** The bytes of a file or pipe that the user names. Throws CannotRun, which begins with what cannot be done without it. */
export function readNamed(file: string, cannot = `Cannot read ${file}`): Buffer {
  try {
    const stats = statSync(file);
    if (stats.isDirectory() || stats.size > mostBytes) {
      throw new Error(stats.isDirectory() ? 'it is a folder' : `it has more than ${mostBytes} bytes`);
    }
    return readFileSync(file);
  } catch (error) {
    throw new CannotRun(`${cannot}: ${fileTrouble(error)}`);
  }
}

/** The text in a file that the user names. Throws CannotRun as `readNamed` and `asWritten` do. */
export const readText = (file: string, cannot = `Cannot read ${file}`): string =>
  asWritten(readNamed(file, cannot), cannot).toString('utf8');

/**
 * The bytes of a text as tools write it: unpacked, if it is gzip or zlib, without a byte order mark, and in UTF-8 where it
 * is UTF-16, as PowerShell writes it. Throws CannotRun, which begins with `cannot`.
 */
export function asWritten(packed: Buffer, cannot: string): Buffer {
  const bytes = unpacked(packed, cannot);
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)) {
    return Buffer.from(new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes));
  }
  return bytes.subarray(startsWith(bytes, 0xef, 0xbb, 0xbf) ? 3 : 0);
}

const startsWith = (bytes: Buffer, ...start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

function unpacked(bytes: Buffer, cannot: string): Buffer {
  const isGzip = startsWith(bytes, 0x1f, 0x8b);
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) {
    throw new CannotRun(`${cannot}: it is a zip archive; unpack it, and name the file in it`);
  }
  if (!isGzip && !(startsWith(bytes, 0x78) && ((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)) % 31 === 0)) {
    return bytes;
  }
  try {
    return (isGzip ? gunzipSync : inflateSync)(bytes, { maxOutputLength: mostBytes });
  } catch (error) {
    throw new CannotRun(`${cannot}: it is compressed, and cannot be unpacked (${messageOf(error)})`);
  }
}

/**
 * Makes a folder, and those that it lies in, unless it is there. Throws what the file system throws. Node's own
 * `recursive` tries for ever where nothing can be made, as below /proc or where the working folder is gone.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder);
  if (existsSync(path)) {
    return;
  }
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another run may have made it meanwhile.
    if (!existsSync(path)) {
      throw error;
    }
  }
}

import { gunzipSync, inflateSync } from 'node:zlib';
import { CannotRun } from './cannot-run.ts';

/** The most that a packed file may hold, in bytes: a JavaScript string cannot be much longer. */
const mostBytes = 256 * 1_048_576;

const startsWith = (bytes: Buffer, ...start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

/**
 * The text of a file that a tool has written: unpacked, if it is gzip or zlib, and without a byte order mark. `name` is
 * the file's name for messages. Throws CannotRun for what is no UTF-8 text, and says what it is.
 */
export function fileText(bytes: Buffer, name: string): string {
  const plain = unpackedFile(bytes, name);
  if (startsWith(plain, 0xff, 0xfe) || startsWith(plain, 0xfe, 0xff)) {
    throw new CannotRun(`Cannot read ${name}: it is UTF-16; save it as UTF-8`);
  }
  return plain.toString('utf8').replace(/^\ufeff/, '');
}

/** The bytes of a file, unpacked if it is gzip or zlib. Throws CannotRun, also for a zip archive. */
export function unpackedFile(bytes: Buffer, name: string): Buffer {
  if (
    startsWith(bytes, 0x1f, 0x8b) ||
    (startsWith(bytes, 0x78) && ((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)) % 31 === 0)
  ) {
    return unpackedFile(unpacked(bytes, name), name);
  }
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) {
    throw new CannotRun(`Cannot read ${name}: it is a zip archive; unpack it, and name the file in it`);
  }
  return bytes;
}

function unpacked(bytes: Buffer, name: string): Buffer {
  const options = { maxOutputLength: mostBytes };
  try {
    return startsWith(bytes, 0x1f) ? gunzipSync(bytes, options) : inflateSync(bytes, options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CannotRun(`Cannot read ${name}: it is compressed, and cannot be unpacked (${why})`);
  }
}

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { gatherBytes } from './gather-bytes.ts';

const pieceBytes = 65_536;

/** How long to wait at a pipe, in ms: for a writer to open it, for the next bytes of a writer, and for its end. */
interface Patience {
  readonly forWriterMs: number;
  readonly forBytesMs: number;
  readonly forEndMs: number;
}
const defaultPatience: Patience = { forWriterMs: 5_000, forBytesMs: 30_000, forEndMs: 60_000 };
/** How long to wait between two attempts to read from a pipe. */
const pauseMs = 10;

/**
 * The bytes of a file. Throws an Error if there are more than `mostBytes`, since a device, or a file that somebody is
 * writing to, may never end; if `kind` is `plain` and the file is a pipe or device; if nothing comes through a pipe;
 * and what the file system throws.
 */
export function readBounded(
  file: string,
  mostBytes: number,
  kind: 'any' | 'plain' = 'any',
  patience = defaultPatience,
): Buffer {
  // Without O_NONBLOCK, opening a pipe that has no writer blocks the whole process, signal handlers included.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (kind === 'plain' && !stats.isFile()) {
      throw new Error('it is not a file');
    }
    return readAll(descriptor, mostBytes, { ...patience, isPipe: stats.isFIFO() });
  } finally {
    closeSync(descriptor);
  }
}

function readAll(
  descriptor: number,
  mostBytes: number,
  { isPipe, forWriterMs, forBytesMs, forEndMs }: Patience & { readonly isPipe: boolean },
): Buffer {
  const piece = Buffer.allocUnsafe(pieceBytes);
  const all = gatherBytes(mostBytes);
  /** How long was waited for the next bytes, and in all. */
  let [waitedMs, waitedInAllMs] = [0, 0];
  for (;;) {
    const read = readPiece(descriptor, piece);
    if (read !== null && read > 0) {
      if (!all.add(piece.subarray(0, read))) {
        throw new Error(`it has more than ${mostBytes} bytes`);
      }
      waitedMs = 0;
    } else if (read === 0 && (all.size > 0 || !isPipe)) {
      return all.bytes();
    } else {
      // A pipe that ends before anything came may not have been opened by its writer yet.
      const [mostMs, what] = read === 0 ? [forWriterMs, 'no writer'] : [forBytesMs, 'no data'];
      if (waitedMs >= mostMs) {
        throw new Error(`${what} for ${mostMs / 1_000} s`);
      }
      if (waitedInAllMs >= forEndMs) {
        throw new Error(`it did not end within ${forEndMs / 1_000} s`);
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      waitedMs += pauseMs;
      waitedInAllMs += pauseMs;
    }
  }
}

/** How many bytes were read: 0 at the end, null if none are there yet. */
function readPiece(descriptor: number, piece: Buffer): number | null {
  try {
    return readSync(descriptor, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
      return null;
    }
    throw error;
  }
}

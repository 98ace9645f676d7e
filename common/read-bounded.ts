import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { gatherBytes } from './gather-bytes.ts';

const pieceBytes = 65_536;

/** How long nothing may come through a pipe, ms: before somebody opens it to write, and from a writer. */
interface Patience {
  readonly forWriterMs: number;
  readonly forBytesMs: number;
}
const usual: Patience = { forWriterMs: 5_000, forBytesMs: 30_000 };
/** How often it is looked at, ms. */
const pauseMs = 10;

/**
 * The bytes of a file, at most so many: a device, or what is written to meanwhile, may never end. A pipe is read until its
 * writer closes it, as long as something comes, unless the file must be `plain`. Throws what the file system throws.
 */
export function readBounded(file: string, mostBytes: number, kind: 'any' | 'plain' = 'any', patience = usual): Buffer {
  // Nobody may write to a pipe: opened otherwise it would hold up all else, signals included.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const kept = fstatSync(descriptor);
    if (kind === 'plain' && !kept.isFile()) {
      throw new Error('it is no file');
    }
    return readAll(descriptor, mostBytes, { ...patience, isPipe: kept.isFIFO() });
  } finally {
    closeSync(descriptor);
  }
}

function readAll(
  descriptor: number,
  mostBytes: number,
  { isPipe, forWriterMs, forBytesMs }: Patience & { readonly isPipe: boolean },
): Buffer {
  const piece = Buffer.allocUnsafe(pieceBytes);
  const all = gatherBytes(mostBytes);
  let waitedMs = 0;
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
      // The end of a pipe, before anything came: its writer may not have opened it yet.
      const [mostMs, what] =
        read === 0 ? [forWriterMs, 'nobody writes to it'] : [forBytesMs, 'nothing comes through it'];
      if (waitedMs >= mostMs) {
        throw new Error(`${what}, for ${mostMs / 1_000} s now`);
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      waitedMs += pauseMs;
    }
  }
}

/** How many bytes came; null: none yet. */
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

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const pieceBytes = 65_536;

/**
 * The bytes of a file, at most so many: a device, or what is written to meanwhile, may never end. A pipe is read until its
 * writer closes it, unless the file must be `plain`: nobody may write to one that was laid there. Throws what the file system throws.
 */
export function readBounded(file: string, mostBytes: number, kind: 'any' | 'plain' = 'any'): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | (kind === 'plain' ? constants.O_NONBLOCK : 0));
  try {
    if (kind === 'plain' && !fstatSync(descriptor).isFile()) {
      throw new Error('it is no file');
    }
    return readAll(descriptor, mostBytes);
  } finally {
    closeSync(descriptor);
  }
}

function readAll(descriptor: number, mostBytes: number): Buffer {
  const pieces: Buffer[] = [];
  for (let size = 0; size <= mostBytes; ) {
    const piece = Buffer.allocUnsafe(pieceBytes);
    const read = readSync(descriptor, piece);
    if (read === 0) {
      return Buffer.concat(pieces);
    }
    pieces.push(piece.subarray(0, read));
    size += read;
  }
  throw new Error(`it has more than ${mostBytes} bytes`);
}

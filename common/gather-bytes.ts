/** Beyond so many bytes, room is reserved for all that may come. */
const largeBytes = 256 * 1024;

interface Gathered {
  readonly size: number;
  /** Takes a chunk in; false where it would be more than may come. */
  add(chunk: Uint8Array): boolean;
  /** What has come, as a view: take a copy of what is kept. */
  bytes(): Buffer;
}

/** Gathers at most so many bytes in one piece, however small the chunks are that they come in. */
export function gatherBytes(mostBytes: number): Gathered {
  let [bytes, size] = [Buffer.alloc(0), 0];
  return {
    get size() {
      return size;
    },
    add(chunk) {
      if (size + chunk.length > mostBytes) {
        return false;
      }
      if (size + chunk.length > bytes.length) {
        // Pages that nobody writes to take no memory; what is copied again and again does, until it is collected.
        const room = size + chunk.length > largeBytes ? mostBytes : Math.max(2 * bytes.length, size + chunk.length);
        const larger = Buffer.allocUnsafeSlow(Math.min(mostBytes, room));
        bytes.copy(larger, 0, 0, size);
        bytes = larger;
      }
      bytes.set(chunk, size);
      size += chunk.length;
      return true;
    },
    bytes: () => bytes.subarray(0, size),
  };
}

/** From this size on, room for all of `mostBytes` is reserved at once. */
const largeBytes = 256 * 1024;

interface Gathered {
  readonly size: number;
  /** Adds a chunk; returns false, and adds nothing, if there would be more than `mostBytes`. */
  add(chunk: Uint8Array): boolean;
  /** All bytes so far, as a view of a buffer that may be larger: copy what you keep. */
  bytes(): Buffer;
}

/** Gathers up to `mostBytes` bytes in one buffer, however small the chunks are. */
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
        // Reserved pages take no memory until they are written; repeated copies do, until they are collected.
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

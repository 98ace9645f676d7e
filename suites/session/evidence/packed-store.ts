import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Keeps plain values in little memory. */
export interface PackedStore {
  /** Puts a value away, packed, and gives a function that unpacks it. */
  put<T extends object>(value: T): () => T;
  /** Bytes of all values that were put away. */
  readonly size: number;
}

const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Steps remember answers for the whole run, and a parsed document may take fifty times the memory of its text. So only
 * the value that was used last is kept unpacked.
 */
export function createPackedStore(): PackedStore {
  let lastUsed: { readonly bytes: Buffer; readonly value: unknown } | null = null;
  let size = 0;
  return {
    get size() {
      return size;
    },
    put<T extends object>(value: T) {
      const bytes = Buffer.from(zstdCompressSync(serialize(value), fast));
      size += bytes.length;
      lastUsed = { bytes, value };
      return () => {
        if (lastUsed?.bytes !== bytes) {
          lastUsed = { bytes, value: deserialize(zstdDecompressSync(bytes)) };
        }
        return lastUsed.value as T;
      };
    },
  };
}

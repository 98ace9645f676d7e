import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export interface PackedStore {
  /** Puts a plain value away, packed; gives what gives it again. */
  put<T extends object>(value: T): () => T;
  /** Bytes that all that was put away takes. */
  readonly size: number;
}

const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Steps remember answers for the whole run, and a parsed document may take fifty times the memory of its text: all but the one
 * that was asked for last are kept packed.
 */
export function createPackedStore(): PackedStore {
  let atHand: { readonly bytes: Buffer; readonly value: unknown } | null = null;
  let size = 0;
  return {
    get size() {
      return size;
    },
    put<T extends object>(value: T) {
      const bytes = Buffer.from(zstdCompressSync(serialize(value), fast));
      size += bytes.length;
      atHand = { bytes, value };
      return () => {
        if (atHand?.bytes !== bytes) {
          atHand = { bytes, value: deserialize(zstdDecompressSync(bytes)) };
        }
        return atHand.value as T;
      };
    },
  };
}

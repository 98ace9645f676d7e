import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Keeps plain values in little memory. */
export interface PackedStore {
  /** Puts a value away, packed, and gives a function that unpacks it. `weight`: about how many bytes it takes unpacked. */
  put<T extends object>(value: T, weight: number): () => T;
  /** Bytes of all values that were put away. */
  readonly size: number;
  /** About how many bytes they would take unpacked. */
  readonly weight: number;
}

const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Steps remember answers for the whole run, and a parsed document may take fifty times the memory of its text. So only
 * the value that was used last is kept unpacked.
 */
export function createPackedStore(): PackedStore {
  let lastUsed: { readonly bytes: Buffer; readonly value: unknown } | null = null;
  let [size, weight] = [0, 0];
  return {
    get size() {
      return size;
    },
    get weight() {
      return weight;
    },
    put<T extends object>(value: T, ofValue: number) {
      const bytes = Buffer.from(zstdCompressSync(serialize(value), fast));
      size += bytes.length;
      weight += ofValue;
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

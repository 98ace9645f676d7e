import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Puts a plain value away, packed; gives what gives it again. */
export type Shelf = <T extends object>(value: T) => () => T;

const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** So many are at hand: who compares two answers asks for them in turn. */
const mostAtHand = 4;

/**
 * Steps remember answers for the whole run, and a parsed document may take fifty times the memory of its text: all but those
 * asked for last are kept packed.
 */
export function createShelf(): Shelf {
  const atHand: { readonly bytes: Buffer; readonly value: unknown }[] = [];
  const take = (bytes: Buffer, value: unknown): void => {
    atHand.unshift({ bytes, value });
    atHand.length = Math.min(atHand.length, mostAtHand);
  };
  return <T extends object>(value: T) => {
    const bytes = Buffer.from(zstdCompressSync(serialize(value), fast));
    take(bytes, value);
    return () => {
      const index = atHand.findIndex((one) => one.bytes === bytes);
      const [known] = index < 0 ? [] : atHand.splice(index, 1);
      const again = known === undefined ? deserialize(zstdDecompressSync(bytes)) : known.value;
      take(bytes, again);
      return again as T;
    };
  };
}

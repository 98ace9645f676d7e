import { createHash, hash } from 'node:crypto';
import { bounds } from './bounds.ts';
import type { Ingredient, Ingredients } from './ingredients.ts';
import type { Part } from './scheme.ts';

/** What stands in the place of the body in a content. */
export interface BodyPiece {
  readonly bytes: Buffer;
  readonly part: Part;
}

/** A content to try: pieces in order, joined. A piece that may come from several places has several parts. */
export interface Content {
  readonly pieces: readonly (Buffer | string)[];
  readonly joiner: string;
  readonly parts: readonly (readonly Part[])[];
}

const allJoiners = ['.', ':', '', '\n', ',', '|'];

/** The joiners of most services. */
export const usualJoiners = ['.', ':', ''];

/** The body as it was sent, and its SHA-256. */
export function bodyPieces(body: Buffer): readonly [raw: BodyPiece, ...hashes: BodyPiece[]] {
  const hashed = (encoding: 'hex' | 'base64'): BodyPiece => ({
    bytes: Buffer.from(createHash('sha256').update(body).digest(encoding)),
    part: { from: 'body', hash: encoding },
  });
  return [{ bytes: body, part: { from: 'body' } }, hashed('hex'), hashed('base64')];
}

/**
 * All contents of so many ingredients of different kinds and, if it is given, the body, in every order and with every
 * joiner.
 */
export function* contentsOf(
  from: Ingredients,
  sizes: readonly number[],
  body: BodyPiece | undefined,
  joiners: readonly string[] = allJoiners,
): Generator<Content> {
  const own = body === undefined ? [] : [{ text: body.bytes, parts: [body.part] }];
  for (const chosen of sizes.flatMap((size) => [
    ...arrangements([from.times, from.ids, from.words, from.urls, from.methods], size),
  ])) {
    for (let at = chosen.length; at >= (body === undefined ? chosen.length : 0); at -= 1) {
      const pieces = [...chosen.slice(0, at), ...own, ...chosen.slice(at)];
      for (const joiner of pieces.length === 1 ? [''] : joiners) {
        yield { pieces: pieces.map(({ text }) => text), joiner, parts: pieces.map(({ parts }) => parts) };
      }
    }
  }
}

/** Every ordered choice of `size` ingredients, each of another kind. */
function arrangements(kinds: readonly (readonly Ingredient[])[], size: number): (readonly Ingredient[])[] {
  return size === 0
    ? [[]]
    : kinds.flatMap((kind, index) =>
        kind.flatMap((first) => arrangements(kinds.toSpliced(index, 1), size - 1).map((rest) => [first, ...rest])),
      );
}

/** A content's bytes. */
export function bytesOf({ pieces, joiner }: Content): Buffer {
  const between = Buffer.from(joiner);
  return Buffer.concat(pieces.flatMap((piece, index) => [...(index === 0 ? [] : [between]), Buffer.from(piece)]));
}

/**
 * Makes HMAC-SHA256 (RFC 2104). Two calls of `hash` take half the time of an Hmac object, of which a search would need
 * many.
 */
export function hmacUnder(key: Buffer): (content: Buffer) => Buffer {
  const block = Buffer.alloc(64);
  block.set(key.length > block.length ? hash('sha256', key, 'buffer') : key);
  const [inner = block, outer = block] = [0x36, 0x5c].map((pad) => Buffer.from(block.map((byte) => byte ^ pad)));
  const hashed = (first: Buffer, second: Buffer): Buffer => hash('sha256', Buffer.concat([first, second]), 'buffer');
  return (content) => hashed(outer, hashed(inner, content));
}

/** How much a search has cost, and whether that was the most it may. */
export interface Budget {
  readonly contents: number;
  readonly hmacs: number;
  readonly spent: boolean;
  /** Notes a content of so many bytes that is tried under so many keys. */
  spend(bytes: number, keys: number): void;
}

/** `share`: how much of the bounds it may cost. */
export function createBudget(mostHmacs: number = bounds.hmacs, share = 1): Budget {
  let [contents, hmacs, hashed] = [0, 0, 0];
  return {
    get contents() {
      return contents;
    },
    get hmacs() {
      return hmacs;
    },
    get spent() {
      return hmacs >= mostHmacs * share || hashed >= bounds.hashedBytes * share;
    },
    spend(bytes, keys) {
      contents += 1;
      hmacs += keys;
      hashed += bytes * keys;
    },
  };
}

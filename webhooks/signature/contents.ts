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
 * All contents of `size` ingredients of different kinds and, if it is given, the body, in every order and with every
 * joiner.
 */
export function* contentsOf(
  from: Ingredients,
  size: number,
  body: BodyPiece | undefined,
  joiners: readonly string[] = allJoiners,
): Generator<Content> {
  const own = body === undefined ? [] : [{ text: body.bytes, parts: [body.part] }];
  for (const chosen of arrangements([from.times, from.ids, from.words, from.urls, from.methods], size)) {
    for (let at = chosen.length; at >= (body === undefined ? chosen.length : 0); at -= 1) {
      const pieces = [...chosen.slice(0, at), ...own, ...chosen.slice(at)];
      for (const joiner of pieces.length === 1 ? [''] : joiners) {
        yield { pieces: pieces.map(({ text }) => text), joiner, parts: pieces.map(({ parts }) => parts) };
      }
    }
  }
}

/** Every ordered choice of `size` ingredients, each of another kind. */
function* arrangements(kinds: readonly (readonly Ingredient[])[], size: number): Generator<readonly Ingredient[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (const [index, kind] of kinds.entries()) {
    for (const first of kind) {
      for (const rest of arrangements(kinds.toSpliced(index, 1), size - 1)) {
        yield [first, ...rest];
      }
    }
  }
}

/** The ids and the time that Mercado Pago signs, and nothing of the body beside an id. */
export function* manifests({ times, ids }: Ingredients, dataId: string | undefined): Generator<Content> {
  const text = (one: string): Part[] => [{ from: 'text', text: one }];
  for (const time of dataId === undefined ? [] : times) {
    for (const id of ids) {
      yield {
        pieces: ['id:', dataId ?? '', ';request-id:', id.text, ';ts:', time.text, ';'],
        joiner: '',
        parts: [
          text('id:'),
          [{ from: 'field', name: '/data/id' }],
          text(';request-id:'),
          id.parts,
          text(';ts:'),
          time.parts,
          text(';'),
        ],
      };
    }
  }
}

/** A content's bytes. */
export function bytesOf({ pieces, joiner }: Content): Buffer {
  const between = Buffer.from(joiner);
  return Buffer.concat(pieces.flatMap((piece, index) => [...(index === 0 ? [] : [between]), Buffer.from(piece)]));
}

type Hmac = (content: Buffer) => Buffer;

/** Makes HMACs (RFC 2104). Two calls of `hash` take half the time of an Hmac object, of which a search would need many. */
export function hmacUnder(key: Buffer, name: keyof typeof blockSizes = 'sha256'): Hmac {
  const block = Buffer.alloc(blockSizes[name]);
  block.set(key.length > block.length ? hash(name, key, 'buffer') : key);
  const [inner, outer] = [0x36, 0x5c].map((pad) => Buffer.from(block.map((byte) => byte ^ pad)));
  const hashed = (first: Buffer = block, second: Buffer = block): Buffer =>
    hash(name, Buffer.concat([first, second]), 'buffer');
  return (content) => hashed(outer, hashed(inner, content));
}

const blockSizes = { sha256: 64, sha1: 64, md5: 64, sha384: 128, sha512: 128 } as const;

/** How much a search has cost, and whether that was the most it may. */
export interface Budget {
  readonly contents: number;
  readonly hmacs: number;
  readonly spent: boolean;
  /** Notes a content of so many bytes that is tried under so many keys. */
  spend(bytes: number, keys: number): void;
}

export function createBudget(mostHmacs: number = bounds.hmacs, mostBytes: number = bounds.hashedBytes): Budget {
  let [contents, hmacs, hashed] = [0, 0, 0];
  return {
    get contents() {
      return contents;
    },
    get hmacs() {
      return hmacs;
    },
    get spent() {
      return hmacs >= mostHmacs || hashed >= mostBytes;
    },
    spend(bytes, keys) {
      contents += 1;
      hmacs += keys;
      hashed += bytes * keys;
    },
  };
}

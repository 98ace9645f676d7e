import { createHash } from 'node:crypto';
import { bounds } from './bounds.ts';
import { bodyPieces, bytesOf, type Content, contentsOf, createBudget, hmacUnder } from './contents.ts';
import { keysOf } from './keys.ts';
import { mistakenKeys } from './mistaken-keys.ts';
import { type Place, placeKey } from './scheme.ts';
import type { Scene } from './search.ts';
import { isSignatureNamed, macBytes, type Token } from './tokens.ts';

/** Something else than an HMAC-SHA256 under the secret that a token turned out to be. */
export interface OtherAlgorithm {
  readonly algorithm: string;
  readonly place: Place;
  /** It needs no key: anybody can make it, so another token that is unexplained may be the signature. */
  readonly unkeyed?: true;
  /** An HMAC-SHA256 under a mistaken key: it is the signature, and other tokens need no explanation. */
  readonly mistaken?: true;
  /** An HMAC-SHA256 all the same: under a mistaken key, or cut short. */
  readonly isHmacSha256?: true;
}

type Named = readonly [bytes: Buffer, algorithm: string, facts?: Omit<OtherAlgorithm, 'algorithm' | 'place'>];

const hashes = { sha256: 'SHA-256', sha1: 'SHA-1', sha512: 'SHA-512', sha384: 'SHA-384', md5: 'MD5' } as const;
const hashNames = Object.keys(hashes) as (keyof typeof hashes)[];

/**
 * Finds out what a delivery's tokens are if they are no HMAC-SHA256 under the secret: an HMAC with another hash, a
 * truncated one or one under a mistaken key, a hash of secret and body, a plain hash, a JWS or a public-key signature.
 */
export function otherAlgorithms(
  scene: Scene,
  secret: string,
  mistakenSecrets: Readonly<Record<string, string>>,
): OtherAlgorithm[] {
  const byBytes = Map.groupBy(scene.tokens, ({ bytes }) => bytes.toString('hex'));
  const cut = scene.tokens.filter(({ bytes, place }) => bytes.length < macBytes && isSignatureNamed(place));
  const found: OtherAlgorithm[] = [];
  const note = (tokens: readonly Token[], [, algorithm, facts]: Named): void => {
    found.push(...tokens.map(({ place }) => ({ algorithm, place, ...facts })));
  };
  for (const named of [...hmacs(scene, secret, mistakenSecrets), ...plainHashes(scene, secret)]) {
    const hex = named[0].toString('hex');
    note(byBytes.get(hex) ?? [], named);
    for (const token of named[1] === 'HMAC-SHA-256'
      ? cut.filter(({ bytes }) => hex.startsWith(bytes.toString('hex')))
      : []) {
      note([token], [named[0], `HMAC-SHA-256 cut to ${token.bytes.length} bytes`, { isHmacSha256: true }]);
    }
  }
  const distinct = Map.groupBy(
    [...found, ...publicKeySignatures(scene)],
    (one) => `${one.algorithm} ${placeKey(one.place)}`,
  );
  return [...distinct.values()].flatMap((group) => group.slice(0, 1));
}

/** HMACs of usual contents: with other hashes under the secret, and under mistaken keys. */
function* hmacs(scene: Scene, secret: string, mistakenSecrets: Readonly<Record<string, string>>): Generator<Named> {
  const { ingredients, delivery, tokens } = scene;
  const sizes = new Set(tokens.map(({ bytes }) => bytes.length));
  const keys = [
    ...keysOf(secret).map(({ bytes }) => ({ key: bytes, words: '' })),
    ...mistakenKeys(scene, secret, mistakenSecrets).map(({ key, words }) => ({
      key: Buffer.from(key),
      words: ` under ${words} instead of the secret`,
    })),
  ];
  const makers = hashNames
    .filter((hash) => hash === 'sha256' || sizes.has(createHash(hash).digest().length))
    .flatMap((hash) => keys.map(({ key, words }) => ({ hash, words, hmac: hmacUnder(key, hash) })));
  const budget = createBudget(bounds.hmacs / 4, bounds.hashedBytes / 4);
  const few = { ...ingredients, times: ingredients.times.slice(0, 2), ids: ingredients.ids.slice(0, 2) };
  for (const content of usual(few, delivery.body)) {
    const bytes = bytesOf(content);
    budget.spend(bytes.length, makers.length);
    for (const { hash, words, hmac } of budget.spent ? [] : makers) {
      const isMistaken = hash === 'sha256' && words !== '';
      yield [hmac(bytes), `HMAC-${hashes[hash]}${words}`, isMistaken ? { mistaken: true, isHmacSha256: true } : {}];
    }
  }
}

function* usual(from: Scene['ingredients'], body: Buffer): Generator<Content> {
  for (const size of [0, 1]) {
    yield* contentsOf(from, size, bodyPieces(body)[0]);
  }
  // Id and time, and version and time.
  const pairs = { ...from, urls: [], methods: [], words: from.words.slice(0, 2) };
  yield* contentsOf(pairs, 2, bodyPieces(body)[0], ['.', ':']);
}

/** Hashes of the body, without a key, or with the secret before or after it, as HubSpot's first version has it. */
function* plainHashes({ delivery: { body, method }, ingredients }: Scene, secret: string): Generator<Named> {
  for (const [hash, name] of Object.entries(hashes)) {
    const digest = (...pieces: (string | Buffer)[]): Buffer =>
      pieces.reduce((made, piece) => made.update(piece), createHash(hash)).digest();
    const of = (content: string): string => `${name} of ${content}, not an HMAC`;
    yield [digest(body), of('the body without a key'), { unkeyed: true }];
    yield [digest(secret), of('the secret alone')];
    for (const { bytes } of keysOf(secret).filter(({ form }) => !form.decode.startsWith('sha256'))) {
      for (const separator of ['', '.', ':']) {
        const words = separator === '' ? '' : ` with "${separator}"`;
        yield [digest(bytes, separator, body), of(`the secret and the body${words}`)];
        yield [digest(body, separator, bytes), of(`the body and the secret${words}`)];
      }
      for (const { text } of ingredients.urls) {
        yield [digest(bytes, method, text, body), of('secret, method, URL and body')];
      }
      for (const { text } of ingredients.times) {
        yield [digest(bytes, text, body), of('secret, timestamp and body')];
      }
    }
  }
}

/** Recognised by a JWS header, or by a size that no digest has in a place named for a signature. */
const publicKeySignatures = ({ delivery }: Scene): OtherAlgorithm[] =>
  delivery.headers.flatMap(([name, value]): OtherAlgorithm[] => {
    const place: Place = { from: 'header', name };
    const [, head = ''] = /(?<![\w-])(ey[\w-]+)\.[\w-]*\.[\w-]+/.exec(value.slice(0, 16_384)) ?? [];
    const [, algorithm] = /"alg":\s*"(\w+)"/.exec(Buffer.from(head, 'base64url').toString('latin1')) ?? [];
    if (algorithm !== undefined) {
      return algorithm === 'HS256' ? [] : [{ algorithm: `JWS ${algorithm}`, place }];
    }
    const run = isSignatureNamed(place) ? (/[A-Za-z0-9+/_-]{90,}={0,2}/.exec(value)?.[0] ?? '') : '';
    const size = /^(?:[0-9a-fA-F]{2})+$/.test(run) ? run.length / 2 : Buffer.from(run, 'base64').length;
    const kind = publicKeyKind(size);
    return kind === undefined ? [] : [{ algorithm: `a signature of ${size} bytes, the size of ${kind}`, place }];
  });

function publicKeyKind(bytes: number): string | undefined {
  if ([128, 256, 384, 512].includes(bytes)) {
    return 'RSA';
  }
  return bytes >= 68 && bytes <= 72 ? 'ECDSA' : undefined;
}

/** What a value may be that has another size than an HMAC-SHA256. */
export function sizeWords(bytes: number): string {
  const kinds: Readonly<Record<number, string>> = { 20: 'SHA-1', 48: 'SHA-384', 64: 'Ed25519 or SHA-512' };
  return `a value of ${bytes} bytes, the size of ${kinds[bytes] ?? 'another algorithm'}; an HMAC-SHA256 has ${macBytes}`;
}

import { createHash, getHashes } from 'node:crypto';
import { bounds } from '../read/bounds.ts';
import { type HashName, hmacUnder } from '../read/hmac.ts';
import { readJws } from '../read/jws.ts';
import { isUsualKey, keysOf } from '../read/keys.ts';
import { leavesOf } from '../read/leaves.ts';
import { isSignatureNamed, macBytes, type Token } from '../read/tokens.ts';
import { body } from '../recipe.ts';
import type { Scene } from '../scene.ts';
import type { Source } from '../scheme.ts';
import { sourceKey } from '../source.ts';
import { mistakenKeys } from './mistaken-keys.ts';
import { commonRecipes } from './usual.ts';

/** Something else than an HMAC-SHA256 under the secret that a token turned out to be. */
export interface OtherAlgorithm {
  readonly algorithm: string;
  readonly token: Source;
  /**
   * Whether it needs no key. Anybody can make such a value, so if another token is unexplained, that one may be the
   * signature.
   */
  readonly unkeyed: boolean;
  /**
   * Whether it is an HMAC-SHA256 under a mistaken key. Then it is the signature, and other tokens need no explanation.
   */
  readonly mistaken?: boolean;
  /** Whether it is an HMAC-SHA256 all the same: under a mistaken key, or cut short. */
  readonly isHmacSha256?: boolean;
}

const hashes = [
  ['sha256', 'SHA-256'],
  ['sha1', 'SHA-1'],
  ['sha512', 'SHA-512'],
  ['sha384', 'SHA-384'],
  ['md5', 'MD5'],
  ['sha512-256', 'SHA-512/256'],
  ['sha3-256', 'SHA3-256'],
] as const satisfies readonly (readonly [HashName, string])[];

/**
 * Finds out what a delivery's tokens are if they are no HMAC-SHA256 under the secret: an HMAC with another hash, a
 * truncated one or one under a mistaken key, a hash of secret and body, a plain hash, a JWS or a public-key signature.
 */
export function findOtherAlgorithms(
  scene: Scene,
  secret: string,
  mistakenSecrets?: Readonly<Record<string, string>>,
): OtherAlgorithm[] {
  const byBytes = Map.groupBy(scene.tokens, ({ bytes }) => bytes.toString('hex'));
  const short = scene.tokens.filter(({ bytes, source }) => bytes.length < macBytes && isSignatureNamed(source));
  const sizes = new Set(scene.tokens.map(({ bytes }) => bytes.length));
  const mistaken = mistakenKeys(scene, secret, mistakenSecrets).map(
    ({ key, words }): NamedKey => [Buffer.from(key), ` under ${words} instead of the secret`],
  );
  const named: OtherAlgorithm[] = [];
  const note = (tokens: readonly Token[], algorithm: string, facts: Partial<OtherAlgorithm> = {}): void => {
    named.push(...tokens.map(({ source }) => ({ algorithm, token: source, unkeyed: false, ...facts })));
  };
  for (const [hash, name] of hashes) {
    if (!getHashes().includes(hash) || !sizes.has(createHash(hash).digest().length)) {
      continue;
    }
    const keys = [...(hash === 'sha256' ? [] : secretKeys(secret)), ...mistaken];
    for (const [digest, key] of hmacsOf(scene, hash, keys)) {
      note(
        byBytes.get(digest) ?? [],
        `HMAC-${name}${key}`,
        hash === 'sha256' ? { mistaken: true, isHmacSha256: true } : {},
      );
    }
    for (const [digest, content, unkeyed] of hashesOf(scene, hash, secret)) {
      note(byBytes.get(digest.toString('hex')) ?? [], `${name} of ${content}, not an HMAC`, { unkeyed });
    }
  }
  for (const [digest] of short.length === 0 ? [] : hmacsOf(scene, 'sha256', secretKeys(secret))) {
    const truncated = short.filter(({ bytes }) => digest.startsWith(bytes.toString('hex')));
    note(truncated, `HMAC-SHA-256 cut to ${truncated[0]?.bytes.length ?? 0} bytes`, { isHmacSha256: true });
  }
  return distinct([...named, ...publicKeySignatures(scene)]);
}

type NamedKey = readonly [key: Buffer, words: string];

const secretKeys = (secret: string): NamedKey[] => keysOf(secret).map(({ bytes }) => [bytes, '']);

function* hmacsOf(
  scene: Scene,
  hash: HashName,
  keys: readonly NamedKey[],
): Generator<readonly [digest: string, words: string]> {
  const hmacs = keys.map(([key, words]) => [hmacUnder(key, hash), words] as const);
  let left = bounds.hashedBytes / 4;
  for (const recipe of commonRecipes(scene.ingredients)) {
    const pieces = recipe.map((piece) => (piece === body ? scene.delivery.body : piece.text));
    for (const [hmac, words] of hmacs) {
      left -= scene.delivery.body.length + 256;
      if (left < 0) {
        return;
      }
      yield [hmac(pieces), words];
    }
  }
}

function* hashesOf(
  { delivery: { body: sent, method }, ingredients }: Scene,
  hash: string,
  secret: string,
): Generator<readonly [digest: Buffer, content: string, unkeyed: boolean]> {
  const digest = (...pieces: (string | Buffer)[]): Buffer =>
    pieces.reduce((made, piece) => made.update(piece), createHash(hash)).digest();
  yield [digest(sent), 'the body without a key', true];
  yield [digest(secret), 'the secret alone', false];
  for (const { bytes } of keysOf(secret).filter(isUsualKey)) {
    for (const separator of ['', '.', ':']) {
      const words = separator === '' ? '' : ` with "${separator}"`;
      yield [digest(bytes, separator, sent), `the secret and the body${words}`, false];
      yield [digest(sent, separator, bytes), `the body and the secret${words}`, false];
    }
    for (const { text } of ingredients.urls) {
      yield [digest(bytes, method, text, sent), 'secret, method, URL and body', false];
    }
    for (const { text } of ingredients.timestamps) {
      yield [digest(bytes, text, sent), 'secret, timestamp and body', false];
    }
  }
}

/**
 * Public-key signatures, recognised by a JWS header, or by a size that no digest has in a place named for a signature.
 */
function publicKeySignatures({ delivery, bodies }: Scene): OtherAlgorithm[] {
  const inHeaders = delivery.headers.slice(0, bounds.headers).map(([name, value]): [Source, string] => {
    return [{ in: 'header', name, label: null }, value.slice(0, bounds.headerLength)];
  });
  const inBody = leavesOf(bodies.parsed).map(({ pointer, text }): [Source, string] => [{ in: 'body', pointer }, text]);
  return [...inHeaders, ...inBody].flatMap(([token, text]): OtherAlgorithm[] => {
    const jws = token.in === 'header' ? readJws(text) : undefined;
    if (jws !== undefined) {
      return jws.algorithm === 'HS256' ? [] : [{ algorithm: `JWS ${jws.algorithm}`, token, unkeyed: false }];
    }
    const run = isSignatureNamed(token) ? (/[A-Za-z0-9+/_-]{90,}={0,2}/.exec(text)?.[0] ?? '') : '';
    const size = /^(?:[0-9a-fA-F]{2})+$/.test(run) ? run.length / 2 : Buffer.from(run, 'base64').length;
    const kind = publicKeyKind(size);
    return kind === undefined
      ? []
      : [{ algorithm: `a signature of ${size} bytes, the size of ${kind}`, token, unkeyed: false }];
  });
}

function publicKeyKind(bytes: number): string | undefined {
  if ([128, 256, 384, 512].includes(bytes)) {
    return 'RSA';
  }
  return bytes >= 68 && bytes <= 72 ? 'ECDSA' : undefined;
}

/** What a value may be that has another size than an HMAC-SHA256. */
export function sizeWords(bytes: number): string {
  const kinds: Readonly<Record<number, string>> = {
    16: 'MD5',
    20: 'SHA-1',
    48: 'SHA-384',
    64: 'Ed25519 or SHA-512',
  };
  return `a value of ${bytes} bytes, the size of ${kinds[bytes] ?? 'another algorithm'}; an HMAC-SHA256 has ${macBytes}`;
}

function distinct(all: readonly OtherAlgorithm[]): OtherAlgorithm[] {
  const byKey = Map.groupBy(all, ({ algorithm, token }) => `${algorithm} ${sourceKey(token)}`);
  return [...byKey.values()].flatMap((group) => group.slice(0, 1));
}

import { createHash, createHmac } from 'node:crypto';
import { type Budget, bodyPieces, bytesOf, contentsOf } from './contents.ts';
import { headerValues } from './delivery.ts';
import type { Discovery } from './discovery.ts';
import { isGeneral } from './ingredients.ts';
import { keysOf } from './keys.ts';
import { notesWithoutScheme } from './notes.ts';
import { type Place, placeKey } from './scheme.ts';
import type { Scene } from './search.ts';
import { isSignatureNamed, macBytes, otherSizes, type Token } from './tokens.ts';

type Read = Pick<Scene, 'tokens' | 'delivery'>;

/**
 * The tokens that may be signatures. In a body only fields named for a signature count, since bodies are full of
 * hashes. Tokens of 16 bytes do not count, since trace ids have that size.
 */
export const signatureTokens = ({ tokens }: Read): Token[] =>
  tokens.filter(
    ({ place, bytes }) => bytes.length > 16 && (place.from !== 'field' || place.name === '' || isSignatureNamed(place)),
  );

/** The discovery if no content under the secret explains a token: what the tokens are, or that there are none. */
export function explainNothingFound(
  scenes: readonly Scene[],
  secret: string,
  mistakenSecrets: Readonly<Record<string, string>>,
  { contents, hmacs, spent }: Budget,
): Discovery {
  const known = scenes.slice(0, 1).flatMap((scene) => otherAlgorithms(scene, secret, mistakenSecrets));
  const constant = constantTokens(scenes);
  const notes = [...notesWithoutScheme(scenes, secret), ...constantNotes(scenes, constant)];
  const other = ({ algorithm, place, why }: Known): Discovery => ({
    ...{ kind: 'other-algorithm', algorithm, place, notes },
    ...(why === 'mistaken key' || why === 'cut' ? { isHmacSha256: true } : {}),
  });
  const tried = { hmacs, contents, keys: keysOf(secret).length, secrets: 1, complete: !spent };
  const open = scenes
    .flatMap(signatureTokens)
    .filter(({ bytes }) => !constant.has(bytes.toString('hex')))
    .filter(({ place }) => !known.some((one) => placeKey(one.place) === placeKey(place)));
  const sized = open.filter(({ bytes }) => bytes.length === macBytes);
  const unsized = open.find(({ place, bytes }) => bytes.length !== macBytes && isSignatureNamed(place));
  const unread = unreadHeaders(scenes);
  const mistaken = known.find(({ why }) => why === 'mistaken key');
  // If there is another kind of signature, a value of the right size counts only in a place named for a signature.
  const isOpen = sized.some(({ place }) => isSignatureNamed(place));
  const keyed = isOpen ? mistaken : (mistaken ?? known.find(({ why }) => why !== 'no key'));
  if (keyed !== undefined) {
    return other(keyed);
  }
  if (!isOpen && unsized !== undefined && !unread.some(isSignatureNamed)) {
    const { length } = unsized.bytes;
    const algorithm = `a value of ${length} bytes, the size of ${otherSizes[length]}; an HMAC-SHA256 has ${macBytes}`;
    return other({ algorithm, place: unsized.place, why: 'size' });
  }
  if (sized.length > 0) {
    const places = new Map(sized.map(({ place }) => [placeKey(place), place]));
    return { kind: 'unknown-content', places: [...places.values()].slice(0, 20), tried, notes };
  }
  // A digest of the body may be beside a signature that cannot be read.
  const plain = known.find(({ place }) => unread.length === 0 || /sign|hmac/i.test(place.name));
  if (plain !== undefined) {
    return other(plain);
  }
  return unread.length === 0
    ? { kind: 'unsigned', notes }
    : { kind: 'unknown-content', places: unread, tried: { ...tried, hmacs: 0, contents: 0 }, notes };
}

/** What a token is, if it is no HMAC-SHA256 under the secret. Without a key anybody can make it. */
interface Known {
  readonly algorithm: string;
  readonly place: Place;
  readonly why: 'other hash' | 'mistaken key' | 'cut' | 'no key' | 'size';
}

/**
 * What a delivery's tokens are: HMACs with another hash, cut short or under a mistaken key, plain hashes, a JWS of
 * another algorithm.
 */
function otherAlgorithms(scene: Scene, secret: string, mistakenSecrets: Readonly<Record<string, string>>): Known[] {
  const found = new Map<string, Known>();
  const note = (place: Place, algorithm: string, why: Known['why']): void => {
    found.set(`${algorithm} ${placeKey(place)}`, { algorithm, place, why });
  };
  for (const [bytes, algorithm, why] of digests(scene, secret, mistakenSecrets)) {
    for (const token of scene.tokens) {
      const { length } = token.bytes;
      if (token.bytes.equals(bytes)) {
        note(token.place, algorithm, why);
      } else if (why === 'cut' && length < macBytes && token.bytes.equals(bytes.subarray(0, length))) {
        note(token.place, `${algorithm} cut to ${length} bytes`, why);
      }
    }
  }
  for (const [name, value] of scene.delivery.headers) {
    const [, head = ''] = /(?<![\w-])(ey[\w-]+)\.[\w-]*\.[\w-]+/.exec(value.slice(0, 16_384)) ?? [];
    const [, algorithm = 'HS256'] = /"alg":\s*"(\w+)"/.exec(Buffer.from(head, 'base64url').toString('latin1')) ?? [];
    if (algorithm !== 'HS256') {
      note({ from: 'header', name }, `JWS ${algorithm}`, 'other hash');
    }
  }
  return [...found.values()];
}

const hashes = { sha256: 'SHA-256', sha1: 'SHA-1', sha512: 'SHA-512', sha384: 'SHA-384', md5: 'MD5' } as const;

type Digest = readonly [bytes: Buffer, algorithm: string, why: Known['why']];

/** Digests of usual contents: HMACs under the secret and mistaken keys, and hashes of the body and the secret. */
function* digests(
  { delivery: { body }, ingredients, tokens }: Scene,
  secret: string,
  mistakenSecrets: Readonly<Record<string, string>>,
): Generator<Digest> {
  const sizes = new Set(tokens.map(({ bytes }) => bytes.length));
  const keys = keysOf(secret).map(({ bytes }) => bytes);
  const few = { ...ingredients, times: ingredients.times.slice(0, 2), ids: ingredients.ids.slice(0, 2) };
  const [raw] = bodyPieces(body);
  const usual = [
    ...contentsOf(few, [0, 1], raw),
    ...contentsOf({ ...few, urls: [], methods: [], words: few.words.slice(0, 1) }, [2], raw, ['.', ':']),
  ].map(bytesOf);
  for (const [hash, name] of Object.entries(hashes)) {
    // A shorter one may be an HMAC-SHA256 that is cut.
    const isSized = hash === 'sha256' || sizes.has(createHash(hash).digest().length);
    for (const content of isSized ? usual : []) {
      for (const key of keys) {
        const why = hash === 'sha256' ? 'cut' : 'other hash';
        yield [createHmac(hash, key).update(content).digest(), `HMAC-${name}`, why];
      }
    }
    const digest = (...pieces: (string | Buffer)[]): Buffer =>
      pieces.reduce((made, piece) => made.update(piece), createHash(hash)).digest();
    yield [digest(body), `${name} of the body without a key, not an HMAC`, 'no key'];
    yield [digest(secret, body), `${name} of the secret and the body, not an HMAC`, 'other hash'];
    yield [digest(body, secret), `${name} of the body and the secret, not an HMAC`, 'other hash'];
  }
  const mistaken = Object.entries({
    ...mistakenSecrets,
    'an empty key': '',
    'the key "undefined"': 'undefined',
    'the key "null"': 'null',
    'the key "secret"': 'secret',
    'the base64 of the secret': Buffer.from(secret).toString('base64'),
    'the secret in lower case': secret.toLowerCase(),
  }).filter(([, key]) => key !== secret);
  for (const content of usual) {
    for (const [words, key] of mistaken) {
      const mac = createHmac('sha256', key).update(content).digest();
      yield [mac, `HMAC-SHA-256 under ${words} instead of the secret`, 'mistaken key'];
    }
  }
}

/** The tokens that occur with different bodies, and so sign none of them, by their bytes in hex. */
export function constantTokens(scenes: readonly Read[]): Set<string> {
  const all = scenes.flatMap(({ tokens, delivery }) =>
    tokens.map(({ bytes }) => ({ bytes: bytes.toString('hex'), body: delivery.body })),
  );
  const byBytes = [...Map.groupBy(all, ({ bytes }) => bytes)];
  const constant = byBytes.filter(([, group]) => group.some(({ body }) => !group[0]?.body.equals(body)));
  return new Set(constant.map(([bytes]) => bytes));
}

const constantNotes = (scenes: readonly Scene[], constant: ReadonlySet<string>): string[] => {
  const places = scenes
    .flatMap(signatureTokens)
    .filter(({ bytes }) => constant.has(bytes.toString('hex')))
    .map(({ place }) => placeKey(place));
  return [...new Set(places)]
    .slice(0, 8)
    .map((place) => `${place} has the same value in deliveries with different bodies, so it signs no payload`);
};

/** As many characters as 32 bytes take in base64 without padding. No shorter value can hold an HMAC-SHA256. */
const leastLength = 43;
const longRun = new RegExp(`[\\w+/~=-]{${leastLength}}`);

/** Headers without a readable token that may hold a signature all the same: in base32, or in credentials. */
export const unreadLines = ({ delivery: { headers }, tokens }: Read): (readonly [name: string, value: string])[] =>
  headers.filter(([name, value]) => {
    const isRead = tokens.some(
      ({ place, bytes }) =>
        place.from === 'header' && place.name.toLowerCase() === name.toLowerCase() && bytes.length > 16,
    );
    const isLong = isSignatureNamed({ from: 'header', name }) ? value.length >= leastLength : longRun.test(value);
    return !isGeneral(name) && !isRead && isLong;
  });

/** The places of such headers, if they differ wherever the body does. */
function unreadHeaders(scenes: readonly Read[]): Place[] {
  const names = new Set(scenes.flatMap((scene) => unreadLines(scene).map(([name]) => name.toLowerCase())));
  const differs = (name: string): boolean => {
    const having = scenes.filter(({ delivery }) => headerValues(delivery, name).length > 0);
    const bodies = Map.groupBy(having, ({ delivery }) => headerValues(delivery, name).join());
    return [...bodies.values()].every((group) =>
      group.every(({ delivery }) => group[0]?.delivery.body.equals(delivery.body)),
    );
  };
  return [...names].filter(differs).map((name) => ({ from: 'header', name }));
}

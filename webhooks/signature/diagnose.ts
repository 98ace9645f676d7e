import type { Budget } from './contents.ts';
import type { Discovery } from './discovery.ts';
import { isGeneral } from './ingredients.ts';
import { keysOf } from './keys.ts';
import { notesWithoutScheme } from './notes.ts';
import { type OtherAlgorithm, otherAlgorithms, sizeWords } from './other-algorithms.ts';
import { type Place, placeKey } from './scheme.ts';
import type { Scene } from './search.ts';
import { isSignatureNamed, macBytes, type Token } from './tokens.ts';

/**
 * The tokens that may be signatures. In a body only fields named for a signature count, since bodies are full of
 * hashes. Tokens of 16 bytes do not count, since trace ids have that size.
 */
export const signatureTokens = ({ tokens }: Pick<Scene, 'tokens'>): Token[] =>
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
  const named = scenes.slice(0, 1).flatMap((scene) => otherAlgorithms(scene, secret, mistakenSecrets));
  const constant = constantTokens(scenes);
  const notes = [...notesWithoutScheme(scenes, secret), ...constantNotes(scenes, constant)];
  const other = ({ algorithm, place, isHmacSha256 }: OtherAlgorithm): Discovery => ({
    kind: 'other-algorithm',
    algorithm,
    place,
    ...(isHmacSha256 ? { isHmacSha256 } : {}),
    notes,
  });
  const mistaken = named.find((one) => one.mistaken);
  if (mistaken !== undefined) {
    return other(mistaken);
  }
  const isNamed = (place: Place): boolean => named.some((one) => placeKey(one.place) === placeKey(place));
  const open = scenes
    .flatMap(signatureTokens)
    .filter(({ bytes, place }) => !constant.has(bytes.toString('hex')) && !isNamed(place));
  const sized = open.filter(({ bytes }) => bytes.length === macBytes);
  const unread = unreadHeaders(scenes);
  // If there is another kind of signature, a value of the right size counts only in a place named for a signature.
  if (!sized.some(({ place }) => isSignatureNamed(place))) {
    const keyed = named.find(({ unkeyed }) => !unkeyed);
    if (keyed !== undefined) {
      return other(keyed);
    }
    const unsized = open.find(({ place, bytes }) => bytes.length !== macBytes && isSignatureNamed(place));
    if (unsized !== undefined && !unread.some(isSignatureNamed)) {
      return other({ algorithm: sizeWords(unsized.bytes.length), place: unsized.place });
    }
  }
  const tried = { hmacs, contents, keys: keysOf(secret).length, secrets: 1, complete: !spent };
  if (sized.length > 0) {
    const byPlace = Map.groupBy(sized, ({ place }) => placeKey(place));
    const places = [...byPlace.values()].flatMap((group) => group.slice(0, 1).map(({ place }) => place));
    return { kind: 'unknown-content', places: places.slice(0, 20), tried, notes };
  }
  // A digest of the body may be beside a signature that cannot be read.
  const isDigest = ({ name }: Place): boolean => /digest/i.test(name);
  const plain = unread.length === 0 ? named[0] : named.find(({ place }) => isSignatureNamed(place) && !isDigest(place));
  if (plain !== undefined) {
    return other(plain);
  }
  return unread.length === 0
    ? { kind: 'unsigned', notes }
    : { kind: 'unknown-content', places: unread, tried: { ...tried, hmacs: 0, contents: 0 }, notes };
}

/** The tokens that occur with different bodies, and so sign none of them, by their bytes in hex. */
export function constantTokens(scenes: readonly Pick<Scene, 'tokens' | 'delivery'>[]): Set<string> {
  const all = scenes.flatMap(({ tokens, delivery }) =>
    tokens.map(({ bytes }) => ({ bytes: bytes.toString('hex'), body: delivery.body })),
  );
  const byBytes = Map.groupBy(all, ({ bytes }) => bytes);
  return new Set(
    [...byBytes].filter(([, group]) => group.some(({ body }) => !group[0]?.body.equals(body))).map(([bytes]) => bytes),
  );
}

function constantNotes(scenes: readonly Scene[], constant: ReadonlySet<string>): string[] {
  const places = scenes
    .flatMap(signatureTokens)
    .filter(({ bytes }) => constant.has(bytes.toString('hex')))
    .map(({ place }) => placeKey(place));
  return [...new Set(places)]
    .slice(0, 8)
    .map((place) => `${place} has the same value in deliveries with different bodies, so it signs no payload`);
}

/** As many characters as 32 bytes take in base64 without padding. No shorter value can hold an HMAC-SHA256. */
const leastLength = 43;
const longRun = new RegExp(`[\\w+/~=-]{${leastLength}}`);

type Read = Pick<Scene, 'tokens' | 'delivery'>;

/** Headers without a readable token that may hold a signature all the same: in base32, or in credentials. */
export const unreadLines = ({ delivery: { headers }, tokens }: Read): (readonly [name: string, value: string])[] =>
  headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => {
      const isRead = tokens.some(
        ({ place, bytes }) => place.from === 'header' && place.name.toLowerCase() === name && bytes.length > 16,
      );
      const isLong = isSignatureNamed({ from: 'header', name }) ? value.length >= leastLength : longRun.test(value);
      return !isGeneral(name) && !isRead && isLong;
    });

/** The places of such headers, if they differ wherever the body does. */
function unreadHeaders(scenes: readonly Read[]): Place[] {
  const lines = scenes.flatMap((scene) =>
    unreadLines(scene).map(([name, value]) => ({ name, value, body: scene.delivery.body })),
  );
  return [...Map.groupBy(lines, ({ name }) => name)]
    .filter(([, group]) =>
      group.every((one) => group.every((other) => other.value !== one.value || other.body.equals(one.body))),
    )
    .map(([name]) => ({ from: 'header', name }));
}

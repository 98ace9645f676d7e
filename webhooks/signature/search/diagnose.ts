import type { Discovery, SeenToken } from '../discovery.ts';
import { keysOf } from '../read/keys.ts';
import { isSignatureNamed, macBytes, type Token } from '../read/tokens.ts';
import type { Scene } from '../scene.ts';
import type { Source } from '../scheme.ts';
import { sourceKey } from '../source.ts';
import type { Budget } from './budget.ts';
import { notesWithoutScheme } from './notes.ts';
import { type OtherAlgorithm, sizeWords } from './other-algorithms.ts';
import { unreadHeaders } from './unread-headers.ts';

/**
 * The tokens that may be signatures. In a body only fields named for a signature count, since bodies are full of
 * hashes. Tokens of 16 bytes do not count, since trace ids have that size.
 */
export const signatureTokens = ({ tokens }: Scene): Token[] =>
  tokens.filter(
    ({ source, bytes }) =>
      bytes.length > 16 && (source.in !== 'body' || source.pointer === '' || isSignatureNamed(source)),
  );

/**
 * The discovery if no content under the secret explains a token: what the tokens are, or that there are none. `named`
 * are the algorithms that explain some of them.
 */
export function explainNothingFound(
  scenes: readonly Scene[],
  secret: string,
  named: readonly OtherAlgorithm[],
  budget: Budget,
): Discovery {
  const constant = constantTokens(scenes);
  const notes = [...notesWithoutScheme(scenes, secret), ...constantNotes(scenes, constant)];
  const mistaken = named.find((one) => one.mistaken === true);
  if (mistaken !== undefined) {
    return otherAlgorithm(mistaken, notes);
  }
  const open = scenes
    .flatMap(signatureTokens)
    .filter(
      ({ bytes, source }) =>
        !constant.has(bytes.toString('hex')) && !named.some(({ token }) => sourceKey(token) === sourceKey(source)),
    );
  const sized = open.filter(({ bytes }) => bytes.length === macBytes);
  const unread = unreadHeaders(scenes);
  // If there is another kind of signature, a value of the right size counts only in a place named for a signature.
  if (!sized.some(({ source }) => isSignatureNamed(source))) {
    const keyed = named.find(({ unkeyed }) => !unkeyed);
    if (keyed !== undefined) {
      return otherAlgorithm(keyed, notes);
    }
    const unsized = open.find(({ source, bytes }) => bytes.length !== macBytes && isSignatureNamed(source));
    if (unsized !== undefined && !unread.some(({ source }) => isSignatureNamed(source))) {
      return { kind: 'other-algorithm', algorithm: sizeWords(unsized.bytes.length), token: unsized.source, notes };
    }
  }
  const { hmacs, contents, spent } = budget;
  const tried = { hmacs, contents, keys: keysOf(secret).length, secrets: 1, complete: !spent };
  if (sized.length > 0) {
    return { kind: 'unknown-content', tokens: seen(sized), tried, notes };
  }
  // A digest of the body may be beside a signature that cannot be read.
  const plain = unread.length === 0 ? named[0] : named.find(({ token }) => isSignatureNamed(token) && !isDigest(token));
  if (plain !== undefined) {
    return otherAlgorithm(plain, notes);
  }
  return unread.length === 0
    ? { kind: 'unsigned', notes }
    : { kind: 'unknown-content', tokens: unread, tried: { ...tried, hmacs: 0, contents: 0 }, notes };
}

/** Whether a place is named for digests, which need no key: `Content-Digest` (RFC 9530). */
const isDigest = (source: Source): boolean => /digest/i.test(source.in === 'body' ? source.pointer : source.name);

function seen(tokens: readonly Token[]): SeenToken[] {
  const byPlace = Map.groupBy(tokens, ({ source, bytes }) => `${sourceKey(source)} ${bytes.length}`);
  return [...byPlace.values()]
    .flatMap((group) => group.slice(0, 1))
    .map(({ source, bytes }) => ({ source, bytes: bytes.length }))
    .slice(0, 20);
}

/** The tokens that occur with different bodies, by their bytes in hex. */
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
  const sources = scenes
    .flatMap(signatureTokens)
    .filter(({ bytes }) => constant.has(bytes.toString('hex')))
    .map(({ source }) => sourceKey(source));
  return [...new Set(sources)]
    .slice(0, 8)
    .map((source) => `${source} has the same value in deliveries with different bodies, so it signs no payload`);
}

const otherAlgorithm = ({ algorithm, token, isHmacSha256 }: OtherAlgorithm, notes: readonly string[]): Discovery => ({
  kind: 'other-algorithm',
  algorithm,
  token,
  ...(isHmacSha256 ? { isHmacSha256 } : {}),
  notes,
});

import type { Discovery, SeenToken } from '../discovery.ts';
import { isGeneral } from '../read/ingredients.ts';
import { keysOf } from '../read/keys.ts';
import { isSignatureNamed, macBytes, type Token } from '../read/tokens.ts';
import { sourceKey } from '../source.ts';
import type { Budget } from './budget.ts';
import { notesWithoutScheme } from './notes.ts';
import { type OtherAlgorithm, sizeWords } from './other-algorithms.ts';
import type { Scene } from './scene.ts';

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
    return { kind: 'other-algorithm', algorithm: mistaken.algorithm, token: mistaken.token, notes };
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
      return { kind: 'other-algorithm', algorithm: keyed.algorithm, token: keyed.token, notes };
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
  const [plain] = named;
  if (plain !== undefined) {
    return { kind: 'other-algorithm', algorithm: plain.algorithm, token: plain.token, notes };
  }
  return unread.length === 0
    ? { kind: 'unsigned', notes }
    : { kind: 'unknown-content', tokens: unread, tried: { ...tried, hmacs: 0, contents: 0 }, notes };
}

/** As many characters as 32 bytes take in base64 without padding. No shorter value can hold an HMAC-SHA256. */
const leastLength = 43;
const longRun = new RegExp(`[\\w+/~=-]{${leastLength}}`);

/**
 * Headers that change with the body and have a run long enough for a signature, but no readable token: a signature
 * may be written in base32, or in credentials. Under a name for signatures it may be written in any characters.
 */
function unreadHeaders(scenes: readonly Scene[]): SeenToken[] {
  const lines = scenes.flatMap(({ delivery: { headers, body }, tokens }) =>
    headers
      .map(([name, value]) => ({ name: name.toLowerCase(), value, body }))
      .filter(({ name }) => !isGeneral(name) && !tokens.some((token) => isIn(token, name))),
  );
  // A signature is the same only where the body is.
  const differs = (group: readonly Line[], { value, body }: Line): boolean =>
    group.every((other) => other.value !== value || other.body.equals(body));
  return [...Map.groupBy(lines, ({ name }) => name)]
    .map(([name, group]) => ({ source: { in: 'header', name, label: null } as const, group }))
    .filter(({ source, group }) =>
      group.every((line) => differs(group, line) && (isSignatureNamed(source) ? isLong : hasLongRun)(line)),
    )
    .map(({ source }) => ({ source, bytes: 0 }));
}

const isLong = ({ value }: Line): boolean => value.length >= leastLength;
const hasLongRun = ({ value }: Line): boolean => longRun.test(value);

interface Line {
  readonly value: string;
  readonly body: Buffer;
}

const isIn = ({ source, bytes }: Token, header: string): boolean =>
  source.in === 'header' && source.name.toLowerCase() === header && bytes.length > 16;

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

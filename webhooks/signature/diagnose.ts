import type { Budget } from './budget.ts';
import type { Discovery, SeenToken } from './discovery.ts';
import { keysOf } from './keys.ts';
import { notesWithoutScheme } from './notes.ts';
import { findOtherAlgorithms } from './other-algorithms.ts';
import type { Scene } from './search.ts';
import { sourceKey } from './source.ts';
import type { Token } from './tokens.ts';

/**
 * Tokens that may be meant as signatures. Inside a body only a field named for it counts (bodies are full of hashes), and
 * 16 bytes do not (trace ids have them).
 */
export function signatureTokens(scene: Scene): Token[] {
  return scene.tokens.filter(
    ({ source, bytes }) =>
      bytes.length > 16 && (source.in !== 'body' || /sign|hmac|digest|(^|[_/-])mac($|[_-])/i.test(source.pointer)),
  );
}

/** The verdict where no content under the secret explains a token: what the tokens are, or that there are none. */
export function explainNothingFound(scenes: readonly Scene[], secret: string, budget: Budget): Discovery {
  const notes = notesWithoutScheme(scenes, secret);
  const constant = constantTokens(scenes);
  const named = scenes.slice(0, 2).map((scene) => findOtherAlgorithms(scene, secret));
  const keyed = named.flat().find(({ unkeyed }) => !unkeyed);
  if (keyed !== undefined) {
    return { kind: 'other-algorithm', algorithm: keyed.algorithm, token: keyed.token, notes };
  }
  const plain = named.flat();
  const open = scenes
    .flatMap((scene) => signatureTokens(scene))
    .filter(
      ({ bytes, source }) =>
        !constant.has(bytes.toString('hex')) && !plain.some(({ token }) => sourceKey(token) === sourceKey(source)),
    );
  for (const source of constantSources(scenes, constant)) {
    notes.push(`${source} has the same value in deliveries with different bodies, so it signs no payload`);
  }
  if (open.length > 0) {
    const tried = {
      hmacs: budget.hmacs,
      contents: budget.contents,
      keys: keysOf(secret).length,
      complete: !budget.spent,
    };
    return { kind: 'unknown-content', tokens: seen(open), tried, notes };
  }
  const first = plain[0];
  if (first !== undefined) {
    return { kind: 'other-algorithm', algorithm: first.algorithm, token: first.token, notes };
  }
  const unread = unreadHeaders(scenes);
  return unread.length === 0
    ? { kind: 'unsigned', notes }
    : { kind: 'unknown-content', tokens: unread, tried: { hmacs: 0, contents: 0, keys: 0, complete: true }, notes };
}

/** What 32 bytes take in base64 without padding: a shorter value holds no HMAC-SHA256, however it is written. */
const leastLength = 43;

/** Headers named for a signature that hold something else with each body, long enough for one, in a form that nobody reads. */
function unreadHeaders(scenes: readonly Scene[]): SeenToken[] {
  const valuesOf = (wanted: string): string[] =>
    scenes.flatMap(({ delivery: { headers } }) =>
      headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value),
    );
  const named = scenes
    .flatMap(({ delivery: { headers } }) => headers.map(([name]) => name.toLowerCase()))
    .filter((name) => /sign|hmac|digest|(^|[_-])mac($|[_-])/.test(name));
  return [...new Set(named)]
    .filter((name) =>
      valuesOf(name).every((value, at, all) => value.length >= leastLength && all.indexOf(value) === at),
    )
    .map((name) => ({ source: { in: 'header', name, label: null }, bytes: 0 }));
}

function seen(tokens: readonly Token[]): SeenToken[] {
  const distinct = new Map(
    tokens.map(({ source, bytes }) => [`${sourceKey(source)} ${bytes.length}`, { source, bytes: bytes.length }]),
  );
  return [...distinct.values()].slice(0, 20);
}

/** Tokens with one value under two different bodies. */
function constantTokens(scenes: readonly Scene[]): Set<string> {
  const bodiesByToken = new Map<string, Set<string>>();
  for (const { tokens, delivery } of scenes) {
    const body = delivery.body.toString('latin1');
    for (const { bytes } of tokens) {
      const key = bytes.toString('hex');
      bodiesByToken.set(key, (bodiesByToken.get(key) ?? new Set()).add(body));
    }
  }
  return new Set([...bodiesByToken].filter(([, bodies]) => bodies.size > 1).map(([key]) => key));
}

function constantSources(scenes: readonly Scene[], constant: ReadonlySet<string>): string[] {
  const all = scenes
    .flatMap((scene) => signatureTokens(scene))
    .filter(({ bytes }) => constant.has(bytes.toString('hex')));
  return [...new Set(all.map(({ source }) => sourceKey(source)))].slice(0, 8);
}

import { stringsIn, walk } from '../../../common/json.ts';
import { isMasked } from '../../../common/masked.ts';
import { isPath } from '../../../common/uri.ts';
import { keyPrefix } from '../../../contract/scopes.ts';
import type { Answer } from '../../session/answer.ts';

/** A secret that an answer shows. */
export interface FoundSecret {
  /** The JSON pointer of the text that is or contains it. */
  readonly pointer: string;
  readonly secret: string;
}

const secretName = /^(key|value)$|secret|api_?key|token|plain|credential|password/i;
const isId = /(^|_)(id|uid|uuid)$|[a-z](Id|Uuid)$/;
/** A mask repeats a sign or an x; letters and digits may come so often in a random text. */
const hidesCharacters = (text: string): boolean => /([^0-9a-wyz])\1{5}/i.test(text);
/** Random text, whatever its field is called. A UUID does not match: it is an id. */
const random = /^(?!\w{8}(-\w{4}){3}-\w{12}$)(?=.*\d)(?=.*[A-Za-z])[\w~+/=.-]{24,}$/;
const isLabel = /name|label|title|description/i;

const isSecretLike = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 12 && !isMasked(value) && !hidesCharacters(value) && !/\s/.test(value);

/** A key of this service within a text, such as a sentence or a command. A masked or cut-off key does not match. */
const keyInText = new RegExp(
  `(?<![\\w-])(?:${Object.values(keyPrefix).join('|')})[\\w~+/=-]+(?:\\.[\\w~+/=-]+)*(?![\\w~+/=-]|\\.?[…•]|\\.\\.|\\*{3})`,
  'g',
);
const keysInText = (text: string): string[] =>
  (text.match(keyInText) ?? []).filter((key) => key !== text && isSecretLike(key));

/** Whether a text begins with a documented key prefix. */
export const hasKeyPrefix = (text: string): boolean =>
  Object.values(keyPrefix).some((prefix) => text.startsWith(prefix));

/** Those of the texts with which another one begins. */
function beginningsIn(texts: readonly string[]): ReadonlySet<string> {
  // Sorted, a text comes right before one that begins with it.
  const sorted = [...new Set(texts)].sort();
  return new Set(sorted.filter((text, index) => sorted[index + 1]?.startsWith(text)));
}

/**
 * The possible secrets in an answer that shows a new key, likeliest first, whatever their fields are called: the texts
 * with a documented prefix; if there are none, those in a field named like a secret; otherwise random texts. Texts that
 * were `sent` in the request, and those with which another candidate begins, do not count.
 */
export function findSecrets(json: unknown, sent = ''): FoundSecret[] {
  const shown = walk(json).filter(({ pointer }) => !pointer.startsWith('/meta/'));
  const longestFirst = (a: FoundSecret, b: FoundSecret): number => b.secret.length - a.secret.length;
  const values = shown
    .flatMap(({ pointer, name, value }) => (isSecretLike(value) ? [{ pointer, name, secret: value }] : []))
    .sort(longestFirst);
  const inTexts = shown
    .flatMap(({ pointer, name, value }) =>
      typeof value === 'string' ? keysInText(value).map((secret) => ({ pointer, name, secret })) : [],
    )
    .sort(longestFirst);
  const unsent = [...values, ...inTexts].filter(({ secret }) => !sent.includes(secret));
  const beginnings = beginningsIn(unsent.map(({ secret }) => secret));
  const candidates = unsent.filter(({ secret }) => !beginnings.has(secret));
  // An id field may hold the beginning of another key's secret, so other fields come first.
  const isNamedId = ({ name }: (typeof candidates)[number]): number => Number(isId.test(name));
  const prefixed = candidates
    .filter(({ secret }) => hasKeyPrefix(secret))
    .sort((one, other) => isNamedId(one) - isNamedId(other));
  const named = candidates.filter(({ name }) => secretName.test(name) && !isId.test(name));
  const unnamed = candidates.filter(
    ({ name, secret }) => random.test(secret) && !isPath(secret) && !isId.test(name) && !isLabel.test(name),
  );
  const best = [prefixed, named, unnamed].find((found) => found.length > 0) ?? [];
  return best.map(({ pointer, secret }) => ({ pointer, secret }));
}

/** A shorter text may occur in any other by chance: as a secret's random part, or as a piece of it. */
const [shortestRandomPart, shortestPiece] = [12, 4];

/** Whether an answer gives a whole secret away: in one text, or in pieces that together cover its random part. */
export const exposes = (answer: Answer, secret: string): boolean =>
  answer.unredacted(({ json, holds }) => {
    const prefix = Object.values(keyPrefix).find((one) => secret.startsWith(one)) ?? '';
    // Everybody knows the prefix.
    const known = secret.length - prefix.length < shortestRandomPart ? 0 : prefix.length;
    return holds(secret.slice(known)) || coveredBy(stringsIn(json), secret, known) === secret.length;
  });

/** How much of the beginning of a secret some of the texts cover together; `known`: how much of it is known anyway. */
function coveredBy(texts: readonly string[], secret: string, known: number): number {
  const pieces = [...new Set(texts)].filter((text) => text.length >= shortestPiece && secret.includes(text));
  return pieces
    .sort((one, other) => secret.indexOf(one) - secret.indexOf(other))
    .reduce((covered, piece) => {
      const start = secret.indexOf(piece);
      return start <= covered ? Math.max(covered, start + piece.length) : covered;
    }, known);
}

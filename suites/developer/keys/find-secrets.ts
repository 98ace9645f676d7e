import { stringsIn, walk } from '../../../common/json.ts';
import { isMasked } from '../../../common/masked.ts';
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

/** Whether a text begins with a documented key prefix. */
const hasKeyPrefix = (text: string): boolean => Object.values(keyPrefix).some((prefix) => text.startsWith(prefix));

/**
 * The possible secrets in an answer that shows a new key, longest first: the texts with a documented prefix, whatever
 * their fields are called, but for those with which another begins; if there are none, those in a field that is named
 * like a secret. Masked texts do not count, nor those that were `sent` in the request.
 */
export function findSecrets(json: unknown, sent = ''): FoundSecret[] {
  const isSecretLike = (value: unknown): value is string =>
    typeof value === 'string' && value.length >= 12 && !isMasked(value) && !/\s/.test(value) && !sent.includes(value);
  const shown = walk(json)
    .flatMap(({ pointer, name, value }) => (isSecretLike(value) ? [{ pointer, name, secret: value }] : []))
    .filter(({ pointer }) => !pointer.startsWith('/meta/'))
    .sort((one, other) => other.secret.length - one.secret.length);
  const isBeginning = (text: string): boolean => shown.some(({ secret }) => secret !== text && secret.startsWith(text));
  const prefixed = shown.filter(({ secret }) => hasKeyPrefix(secret) && !isBeginning(secret));
  const best = prefixed.length > 0 ? prefixed : shown.filter(({ name }) => secretName.test(name) && !isId.test(name));
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

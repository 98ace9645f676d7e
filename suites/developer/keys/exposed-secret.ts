import { stringsIn } from '../../../common/json.ts';
import { decoded } from '../../../common/uri.ts';
import { keyPrefix } from '../../../contract/scopes.ts';
import type { Answer } from '../../session/answer.ts';

/** How many encodings, one inside another, are undone. */
const mostEncodings = 2;

/** Undo the encodings that anybody can read: reversed, percent-encoded, base64, hexadecimal. */
const decoders: readonly ((text: string) => string)[] = [
  (text) => [...text].reverse().join(''),
  decoded,
  (text) => (/^[\w+/-]{12,}=*$/.test(text) ? Buffer.from(text, 'base64').toString('latin1') : ''),
  (text) => (/^[0-9a-f]{24,}$/i.test(text) ? Buffer.from(text, 'hex').toString('latin1') : ''),
];

/** Whether a text contains the secret, as it is or within as many encodings as `depth` says. */
const containsEncoded = (text: string, secret: string, depth: number): boolean =>
  text.includes(secret) ||
  (depth > 0 &&
    text.length >= secret.length &&
    decoders.some((decode) => containsEncoded(decode(text), secret, depth - 1)));

/** A shorter random part may occur in any text by chance. */
const shortestRandomPart = 12;

/** The part of a secret behind its prefix, which everybody knows; the whole secret where that part is too short. */
function randomPart(secret: string): string {
  const prefix = Object.values(keyPrefix).find((one) => secret.startsWith(one)) ?? '';
  const random = secret.slice(prefix.length);
  return random.length < shortestRandomPart ? secret : random;
}

/** Whether an answer gives a whole secret away: as it is, in an encoding that anybody can undo, or in pieces. */
export const exposes = (answer: Answer, secret: string): boolean =>
  answer.unredacted(({ json, holds }) => {
    const random = randomPart(secret);
    const texts = stringsIn(json);
    return (
      holds(random) ||
      texts.some((text) => containsEncoded(text, random, mostEncodings)) ||
      isInPieces(texts, secret, random)
    );
  });

/** A shorter piece may occur in any text by chance. */
const shortestPiece = 4;

/** Whether some of the texts are pieces of the secret that together cover its random part. */
function isInPieces(texts: readonly string[], secret: string, random: string): boolean {
  const pieces = [...new Set(texts)].filter((text) => text.length >= shortestPiece && secret.includes(text));
  let covered = secret.length - random.length;
  for (const piece of pieces.sort((one, other) => secret.indexOf(one) - secret.indexOf(other))) {
    const start = secret.indexOf(piece);
    if (start <= covered) {
      covered = Math.max(covered, start + piece.length);
    }
  }
  return covered === secret.length;
}

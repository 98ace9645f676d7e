import { walk } from '../../../../common/json.ts';
import { decoded } from '../../../../common/uri.ts';
import { keyPrefix } from '../../../../contract/scopes.ts';
import type { Answer } from '../../../session/answer.ts';

/** How many encodings within each other are undone. */
const deepest = 2;

/** What anybody reads a text back from: it stands there backwards, percent-encoded, in base64 or in hexadecimal digits. */
const readings: readonly ((text: string) => string)[] = [
  (text) => [...text].reverse().join(''),
  decoded,
  (text) => (/^[\w+/-]{12,}=*$/.test(text) ? Buffer.from(text, 'base64').toString('latin1') : ''),
  (text) => (/^[0-9a-f]{24,}$/i.test(text) ? Buffer.from(text, 'hex').toString('latin1') : ''),
];

const holds = (text: string, secret: string, depth: number): boolean =>
  text.includes(secret) ||
  (depth > 0 && text.length >= secret.length && readings.some((read) => holds(read(text), secret, depth - 1)));

/** Shorter random text may stand anywhere. */
const leastRandom = 12;

/** The part of a secret that no other has: whoever knows it knows the prefix, too. */
function randomPart(secret: string): string {
  const prefix = Object.values(keyPrefix).find((one) => secret.startsWith(one)) ?? '';
  const random = secret.slice(prefix.length);
  return random.length < leastRandom ? secret : random;
}

/** Whether an answer gives a whole secret away, as it is or in a form that anybody reads back. */
export const exposes = (answer: Answer, secret: string): boolean =>
  answer.unredacted(({ json, holds: has }) => {
    const random = randomPart(secret);
    const texts = walk(json).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
    return has(random) || texts.some((text) => holds(text, random, deepest)) || isPutTogether(secret, random, texts);
  });

/** A shorter part stands in many a text by chance. */
const leastPart = 4;

/** Whether texts are parts of a secret that leave out nothing of what is random in it. */
function isPutTogether(secret: string, random: string, texts: readonly string[]): boolean {
  const parts = [...new Set(texts)].filter((text) => text.length >= leastPart && secret.includes(text));
  let known = secret.length - random.length;
  for (const part of parts.sort((one, other) => secret.indexOf(one) - secret.indexOf(other))) {
    const from = secret.indexOf(part);
    known = from <= known ? Math.max(known, from + part.length) : known;
  }
  return known === secret.length;
}

import fc from 'fast-check';
import { createRedactor, type Redactor } from '../../../common/redact.ts';

const base62 = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'];
const tokenOf = (alphabet: readonly string[], least: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: least, maxLength: 48 });
const random = fc.oneof(
  tokenOf(base62, 16),
  tokenOf([...base62, '+', '/', '-', '_'], 16),
  tokenOf([...'0123456789abcdef'], 16),
  tokenOf([...base62, ...'!#$()*,.:;?@[]^{|}~'], 16),
);
/** A secret, and its random part. */
export const secretAndRandom = fc
  .tuple(fc.constantFrom('', 'svc_test_', 'svc_live_', 'whsec_', 'wsk_'), random)
  .filter(([, part]) => new Set(part.toLowerCase()).size > 6 && !/^[a-z]{2,12}_/.test(part))
  .map(([prefix, part]) => ({ secret: prefix + part, part }));
/** Any text around a secret. */
export const text = fc.oneof(fc.string({ maxLength: 30 }), fc.json({ maxDepth: 2 }), fc.lorem());

/** The longest part of a secret that appears in a text, in lower case. */
export function longestShownPart(shown: string, secret: string): string {
  const [haystack, needle] = [shown.toLowerCase(), secret.toLowerCase()];
  let longest = '';
  for (let from = 0; from < needle.length; from += 1) {
    while (from + longest.length < needle.length && haystack.includes(needle.slice(from, from + longest.length + 1))) {
      longest = needle.slice(from, from + longest.length + 1);
    }
  }
  return longest;
}

/**
 * Whether a part gives its secret away: 8 characters or more, and more than two different ones, since others appear by
 * chance.
 */
export const givesAway = (part: string): boolean => part.length >= 8 && new Set(part).size > 2;

/** A redactor that has learnt these secrets, in a run with this tag. */
export function redactorOf(...secrets: readonly string[]): Redactor {
  const redactor = createRedactor(['conformance-1a2b3c4d']);
  secrets.forEach(redactor.learn);
  return redactor;
}

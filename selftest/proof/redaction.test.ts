import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alphanumeric } from '../../common/words.ts';
import { anyCharacter, anyUrl } from '../unit/any-text.ts';
import { composition, decodeAll, encodeAll } from '../unit/common/encodings.ts';
import { givesAway, longestShownPart, redactorOf, secretAndRandom, text } from '../unit/common/secrets.ts';

describe('a learnt secret', () => {
  test('cannot be recovered, in up to four layers of any encodings', () => {
    const written = fc.constantFrom(
      (whole: string) => whole,
      (whole: string) => whole.toUpperCase(),
      (whole: string) => whole.toLowerCase(),
    );
    fc.assert(
      fc.property(
        secretAndRandom,
        written,
        composition,
        text,
        text,
        ({ secret, part }, inCase, encodings, before, behind) => {
          const { clean } = redactorOf(secret);
          const cleaned = clean(before + encodeAll(`${before}${inCase(secret)}${behind}`, encodings) + behind);
          for (const shown of [cleaned, ...decodeAll(cleaned, encodings)]) {
            expect(longestShownPart(shown, part)).not.toSatisfy(givesAway);
          }
          expect(clean(cleaned)).toBe(cleaned);
        },
      ),
      { numRuns: 600 },
    );
  });

  test('is found in each part if parts of eight characters or more are spread over JSON strings, fields, lines or header lines', () => {
    const spread = fc.constantFrom<(parts: readonly string[]) => string>(
      JSON.stringify,
      (parts) => JSON.stringify(Object.fromEntries(parts.map((one, at) => [`p${at}`, one]))),
      (parts) => JSON.stringify(JSON.stringify(parts)),
      (parts) => parts.join('\r\n\t'),
      (parts) => parts.map((one, at) => `X-Part-${at}: ${one}`).join('\r\n'),
      (parts) => parts.map((one) => `${one}…`).join('\u200b'),
    );
    const sizes = fc.array(fc.integer({ min: 8, max: 20 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(secretAndRandom, sizes, spread, composition, ({ secret, part }, all, write, encodings) => {
        const starts = all.map((_, at) => all.slice(0, at).reduce((sum, size) => sum + size, 0));
        const parts = starts
          .map((from, at) => part.slice(from, from + (all[at] ?? 0)))
          .filter((one) => one.length >= 8);
        const cleaned = redactorOf(secret).clean(encodeAll(write(parts), encodings));
        for (const shown of [cleaned, ...decodeAll(cleaned, encodings)]) {
          expect(longestShownPart(shown, part)).not.toSatisfy(givesAway);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test('any text without a secret stays unchanged', () => {
  const anyText = fc.oneof(fc.string({ unit: anyCharacter }), fc.json(), fc.base64String(), text, anyUrl);
  fc.assert(
    fc.property(secretAndRandom, anyText, composition, ({ secret }, other, encodings) => {
      // Of words such as propertyIsEnumerable, a text and a secret may have a run in common by chance.
      fc.pre(longestShownPart(alphanumeric(other), alphanumeric(secret)).length < 8);
      const written = encodeAll(other, encodings);
      expect(redactorOf(secret).clean(written)).toBe(written);
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decoded, encoded, fitsInUrl } from '../../../common/uri.ts';
import { anyCharacter } from '../any-text.ts';

test('any text can be a part of a URL, and well-formed text can be read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(decoded(encoded(text))).toBe(text.toWellFormed());
      expect(new URL(encoded(text), 'http://api.test/keys/').origin).toBe('http://api.test');
    }),
  );
});

test.each(['%E0%A4%A', '%', '%zz', '\ud83d'])('wrongly encoded text stays unchanged: %j', (text) => {
  expect(decoded(text)).toBe(text);
});

test('a text of a megabyte, or half a surrogate pair, fits in no URL', () => {
  expect(['agt_7', 'é/ ', 'i'.repeat(1_000_000), '\ud83d'].map(fitsInUrl)).toEqual([true, true, false, false]);
});

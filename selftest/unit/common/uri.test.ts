import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decoded, encoded } from '../../../common/uri.ts';
import { anyCharacter } from '../any-text.ts';

test('any text can be a part of a URL, and what is well-formed comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(decoded(encoded(text))).toBe(text.toWellFormed());
      expect(new URL(encoded(text), 'http://api.test/keys/').origin).toBe('http://api.test');
    }),
  );
});

test.each(['%E0%A4%A', '%', '%zz', '\ud83d'])('what is not encoded well stays as it is: %j', (text) => {
  expect(decoded(text)).toBe(text);
});

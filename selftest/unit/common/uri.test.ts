import { expect, test } from 'vitest';
import { decoded, encoded, fitsInUrl } from '../../../common/uri.ts';

test.each(['a/b?c#d', '..', 'é 中 😀', '%2F', 'half a pair \ud83d'])(
  '%j can be a part of a URL, and is read back',
  (text) => {
    expect(decoded(encoded(text))).toBe(text.toWellFormed());
  },
);

test.each(['%E0%A4%A', '%', '%zz', '\ud83d'])('wrongly encoded text stays unchanged: %j', (text) => {
  expect(decoded(text)).toBe(text);
});

test('a text of a megabyte, or half a surrogate pair, fits in no URL', () => {
  expect(['agt_7', 'é/ ', 'i'.repeat(1_000_000), '\ud83d', '.', '..'].map(fitsInUrl)).toEqual([
    ...[true, true],
    ...[false, false, false, false],
  ]);
});

import { expect, test } from 'vitest';
import { decoded, encoded, fitsInUrl } from '../../../common/uri.ts';

test('any text can be a part of a URL, and is read back; a wrongly encoded one stays unchanged', () => {
  const texts = ['a/b?c#d', '%2F é 😀', 'half a pair \ud83d'];
  expect(texts.map((text) => decoded(encoded(text)))).toEqual(texts.map((text) => text.toWellFormed()));
  expect(['%E0%A4%A', '%zz', '\ud83d'].map(decoded)).toEqual(['%E0%A4%A', '%zz', '\ud83d']);
});

test('a text of a megabyte, or half a surrogate pair, fits in no URL', () => {
  expect(['agt_7', 'é/ ', 'i'.repeat(1_000_000), '\ud83d', '.', '..'].map(fitsInUrl)).toEqual([
    ...[true, true],
    ...[false, false, false, false],
  ]);
});

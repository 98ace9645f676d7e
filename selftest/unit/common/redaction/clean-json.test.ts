import { expect, test } from 'vitest';
import { redactorOf } from '../secrets.ts';

const key = 'svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH';

test('numbers in a list that are no bytes of a secret', () => {
  const { clean, cleanJson } = redactorOf(key);
  const list = [...Array(200).keys()];
  expect(clean(list.join())).toBe(list.join());
  expect(cleanJson({ daily: list })).toEqual({ daily: list });
  expect(cleanJson({ data: [...Buffer.from(key)] })).toEqual({ data: ['…'] });
});

test.for([
  ['bytes in texts', [...Buffer.from(key)].map(String), ['…']],
  ['an array of bytes', { ...Buffer.from(key) }, { '…': '…' }],
  ['letters', [...key], ['…']],
  ['lists of one byte', [...Buffer.from(key)].map((byte) => [byte]), ['…']],
] as const)('a JSON value that spells a secret: %s', ([, spelt, cleaned]) => {
  const { cleanJson } = redactorOf(key);
  expect(cleanJson({ a: [spelt, 'and a longer text'], b: 1 })).toEqual({ a: [cleaned, 'and a longer text'], b: 1 });
  expect(cleanJson(spelt)).toEqual(cleaned);
});

test.for([
  ['letters', [...key]],
  ['bytes', [...Buffer.from(key)].map(String)],
] as const)('a list of %s as texts stays well-formed', ([, list]) => {
  const cleaned = redactorOf(key).clean(JSON.stringify(list));
  expect(JSON.parse(cleaned)).toEqual([...list.slice(0, 9), ...Array(list.length - 9).fill('…')]);
});

test('an array of bytes as JSON writes it', () => {
  const cleaned = redactorOf(key).clean(JSON.stringify(new Uint8Array(Buffer.from(key))));
  expect(cleaned.match(/\d+/g)).toEqual(
    [...Buffer.from(key.slice(0, 9))].flatMap((byte, i) => [`${i}`, `${byte}`]).concat('9'),
  );
});

test('a JSON value is cleaned without being written: names, texts, numbers', () => {
  const { cleanJson } = redactorOf(key, '9876543210123');
  expect(cleanJson({ [key]: [key, 9876543210123, 98, null, true], plain: 'x' })).toEqual({
    'svc_test_…': ['svc_test_…', '…', 98, null, true],
    plain: 'x',
  });
});

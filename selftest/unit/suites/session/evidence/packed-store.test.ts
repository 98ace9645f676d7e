import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPackedStore } from '../../../../../suites/session/evidence/packed-store.ts';
import { anyCharacter } from '../../../any-text.ts';

test('stored values come back unchanged, however much was stored later', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ stringUnit: anyCharacter }), { minLength: 1, maxLength: 12 }), (values) => {
      const { put } = createPackedStore();
      const kept = values.map((json) => put({ json }, 100));
      expect(kept.map((value) => value().json)).toEqual(values);
      expect(kept.toReversed().map((value) => value().json)).toEqual(values.toReversed());
    }),
  );
});

test('values that JSON does not write back unchanged are restored exactly', () => {
  const { put } = createPackedStore();
  const odd = JSON.parse('{"__proto__":{"x":1},"constructor":2,"zero":-0,"much":1e400,"half":"\\ud800"}') as unknown;
  const value = put({ odd, text: odd, none: undefined }, 100);
  for (let i = 0; i < 10; i += 1) {
    put({ i }, 100);
  }
  expect(value()).toStrictEqual({ odd, text: odd, none: undefined });
  expect(value().odd).toBe(value().text);
});

test('the weights of the values add up, packed or not', () => {
  const store = createPackedStore();
  const list = Array.from({ length: 1_200 }, () => ({}));
  store.put({ list }, 70_000);
  store.put({ list }, 70_000)();
  expect(store.weight).toBe(140_000);
  expect(store.size).toBeLessThan(14_000);
});

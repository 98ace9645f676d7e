import { expect, test } from 'vitest';
import { oncePerObject } from '../../../common/once-per-object.ts';

test('computes once for each object and word, even if the result is undefined', () => {
  const computed: [number, string][] = [];
  const fieldOf = oncePerObject((of: { readonly number: number; readonly a?: string }, word) => {
    computed.push([of.number, word]);
    return word === 'a' ? of.a : undefined;
  });
  const [first, second] = [{ number: 1, a: 'x' }, { number: 2 }];
  const results = [first, first, second, second].flatMap((of) => [fieldOf(of, 'a'), fieldOf(of, 'b')]);
  expect(results).toEqual(['x', undefined, 'x', undefined, undefined, undefined, undefined, undefined]);
  expect(computed).toEqual([
    [1, 'a'],
    [1, 'b'],
    [2, 'a'],
    [2, 'b'],
  ]);
});

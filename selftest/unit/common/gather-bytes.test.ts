import { expect, it } from 'vitest';
import { gatherBytes } from '../../../common/gather-bytes.ts';

const bytesOf = (text: string): Buffer => Buffer.from(text);

it('joins chunks of any size, in order', () => {
  const all = gatherBytes(20);
  expect([all.add(bytesOf('a')), all.add(bytesOf('')), all.add(bytesOf('bcdefghij')), all.add(bytesOf('k'))]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([all.size, all.bytes().toString()]).toEqual([11, 'abcdefghijk']);
});

it('accepts a body of the largest size, but not one byte more', () => {
  const all = gatherBytes(4);
  expect([all.add(bytesOf('abcd')), all.add(bytesOf('e')), all.bytes().toString()]).toEqual([true, false, 'abcd']);
});

it('copies each chunk, so that a million chunks of one byte take only a mebibyte', () => {
  const all = gatherBytes(1_048_576);
  const chunk = bytesOf('a');
  for (let count = 0; count < 1_000_000; count += 1) {
    all.add(chunk);
  }
  chunk.fill('b');
  expect([all.size, all.bytes().includes('b'), all.bytes().buffer.byteLength]).toEqual([1_000_000, false, 1_048_576]);
});

import { expect, test } from 'vitest';
import { standsIn } from '../../../../suites/reading/own-words.ts';

test('words stand in a text as a whole, in any spelling', () => {
  expect(['run-1', 'Desk Run_1, Front', 'run-12', 'xrun-1'].map((text) => standsIn(text, 'run-1'))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

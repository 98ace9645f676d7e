import { expect, test } from 'vitest';
import { mentions, showsSomewhere, standsIn } from '../../../../suites/reading/own-words.ts';

test('words are in a text as a whole', () => {
  expect(standsIn('made by run-1 today', 'run-1')).toBe(true);
  expect(standsIn('made by run-12 today', 'run-1')).toBe(false);
});

test('a text of a megabyte is neither words nor an id', () => {
  const huge = 'i'.repeat(1_000_000);
  expect(mentions({ id: huge }, huge)).toBe(false);
  expect(showsSomewhere({ path: `/agents/${huge}` }, { id: huge, tag: 'run-1' }, 'agent')).toBe(false);
});

import { expect, test } from 'vitest';
import { nextPage } from '../../../../suites/reading/next-page.ts';

const pageWith = (next_cursor: string) => ({ json: { data: [{ id: 'a' }], next_cursor }, header: () => null });

test.each([
  ['as long as a URL may be', 'c'.repeat(8_000), true],
  ['longer', 'c'.repeat(8_001), false],
])('whether a cursor is followed depends on whether a URL can hold it: %s', (_, cursor, isFollowed) => {
  expect(nextPage(pageWith(cursor)) !== null).toBe(isFollowed);
});

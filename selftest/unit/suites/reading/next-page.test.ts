import { expect, test } from 'vitest';
import { nextPage } from '../../../../suites/reading/next-page.ts';

const pageWith = (next_cursor: string) => ({ json: { data: [{ id: 'a' }], next_cursor }, header: () => null });

test.each([
  ['as long as a URL may be', 'c'.repeat(8_000), true],
  ['longer', 'c'.repeat(8_001), false],
])('whether a cursor is followed depends on whether a URL can hold it: %s', (_, cursor, isFollowed) => {
  expect(nextPage(pageWith(cursor)) !== null).toBe(isFollowed);
});

test.each(['startAt', 'startIndex', 'start', 'skip'])('a page that shows %s is continued by it', (name) => {
  const json = { [name]: 0, maxResults: 2, total: 3, isLast: false, values: [{ id: 'a' }, { id: 'b' }] };
  expect(nextPage({ json, header: () => null })?.queries).toContainEqual({ [name]: 2 });
});

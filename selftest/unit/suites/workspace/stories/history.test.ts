import { expect, test } from 'vitest';
import { historyIn } from '../../../../../suites/workspace/stories/history.ts';

const at = '2026-01-01T00:00:00Z';

test.each([
  [{ 'audit-trail': [{ at }] }, '/audit-trail'],
  [{ history: [] }, '/history'],
  [{ activity: 'created by the API, changed by the API' }, '/activity'],
  [{ data: { id: 'l1', steps: [{ at }] } }, '/data/steps'],
])('%j shows a history', (json, pointer) => {
  expect(historyIn(json)).toBe(pointer);
});

test.each([{ activity: 'none' }, { catalog: { name: 'x' }, exchanges: [{ rate: 1 }], prevented_by: {} }])(
  '%j shows none',
  (json) => {
    expect(historyIn(json)).toBeUndefined();
  },
);

import { expect, test } from 'vitest';
import { historyIn } from '../../../../../suites/workspace/stories/history.ts';

const at = '2026-01-01T00:00:00Z';

test.each([
  [{ 'audit-trail': [{ at }] }, '/audit-trail', false],
  [{ history: [] }, '/history', true],
  [{ activity: 'created by the API, changed by the API' }, '/activity', false],
  [{ data: { id: 'l1', steps: [{ at }] } }, '/data/steps', false],
])('%j shows a history', (json, pointer, isEmpty) => {
  expect(historyIn(json)).toEqual({ pointer, isEmpty });
});

test.each([{ activity: 'none' }, { catalog: { name: 'x' }, exchanges: [{ rate: 1 }], prevented_by: {} }])(
  '%j shows none',
  (json) => {
    expect(historyIn(json)).toBeUndefined();
  },
);

import { expect, test } from 'vitest';
import { changesOf } from '../../../../suites/workspace/support/changes/change-candidates.ts';

test('a value that was sent in an object is changed there first, and the object is sent with it', () => {
  const properties = { name: 'Ann run-1', city: 'Oslo' };
  const record = { fields: { name: 'Ann run-1', properties }, tag: 'run-1', wrapper: null, id: '7' };
  const view = { id: '7', properties: { ...properties, object_id: '7' } };
  expect(changesOf(record, [view])[0]).toEqual({
    names: ['properties', 'name'],
    body: { properties: { name: 'Ann run-1 changed', city: 'Oslo' } },
    values: ['Ann run-1 changed'],
  });
});

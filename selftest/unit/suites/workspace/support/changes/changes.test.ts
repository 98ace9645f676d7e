import { expect, test } from 'vitest';
import { changesOf } from '../../../../../../suites/workspace/support/changes/change-candidates.ts';
import { wasShownBefore } from '../../../../../../suites/workspace/support/changes/judge-changes.ts';

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

test('each text of an object that all fields were sent in is changed: the deployment may not know the first', () => {
  const attributes = { note: 'Ann run-1', title: 'Ann run-1' };
  const record = { fields: { attributes }, tag: 'run-1', wrapper: null, id: '7' };
  const bodies = changesOf(record, [{ id: '7', title: 'Ann run-1' }]).map(({ body }) => body);
  expect(bodies).toEqual([
    { attributes: { note: 'Ann run-1', title: 'Ann run-1 changed' } },
    { attributes: { note: 'Ann run-1 changed', title: 'Ann run-1' } },
  ]);
});

test.each<[boolean, string, unknown]>([
  [true, 'under its own name', { name: 'Ann run-1' }],
  [true, 'under a name that was not sent', { display_name: 'Ann run-1' }],
  [false, 'under the name of another field that was sent with the same text', { title: 'Ann run-1' }],
  [false, 'under the name of another field, which differs in case alone', { NAME: 'Ann run-1' }],
])('whether a changed field was shown before is %s: its text is %s', (expected, _, view) => {
  const record = {
    fields: { name: 'Ann run-1', NAME: 'Ann run-1', title: 'Ann run-1' },
    tag: 'run-1',
    answer: { json: { name: 'Ann run-1' } },
  };
  const change = {
    record,
    before: { status: 200, json: view },
    body: { name: 'Ann run-1 changed' },
    values: ['Ann run-1 changed'],
  };
  expect(wasShownBefore(change)).toBe(expected);
});

test('two names and the longest text are changed as people write, before they are in plain letters', () => {
  const notes = `${'Notes '.repeat(20)}by run-1`;
  const fields = { name: 'Ann run-1', last_name: 'run-1', notes };
  const bodies = changesOf({ fields, tag: 'run-1', id: '7' }, [fields]).map(({ body }) => body);
  expect(bodies).toEqual([
    { name: 'Ann run-1 changed: café & “tea” 🙂' },
    { last_name: 'run-1 changed: café & “tea” 🙂' },
    { name: 'Ann run-1 changed' },
    { notes: `${notes} changed: café & “tea” 🙂` },
    { notes: `${notes} changed` },
    { last_name: 'run-1 changed' },
  ]);
});

test('the object with the id of the record is no part of it, although the id is a number', () => {
  const fields = { name: 'Ann run-1', note: 'Ann run-1' };
  const record = { id: 6, name: 'Ann run-1', configuration: { note: 'Ann run-1' } };
  const bodies = changesOf({ fields, tag: 'run-1', id: '6' }, [{ resource: record }]).map(({ body }) => body);
  expect(bodies).toContainEqual({ configuration: { note: 'Ann run-1 changed' } });
  expect(bodies.filter((body) => Object.hasOwn(Object(body), 'resource'))).toEqual([]);
});

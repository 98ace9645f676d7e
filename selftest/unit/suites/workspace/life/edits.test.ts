import { expect, test } from 'vitest';
import { editsOf } from '../../../../../suites/workspace/life/edits.ts';
import { wasShownBefore } from '../../../../../suites/workspace/life/judge-changes.ts';

const bodiesOf = (fields: Record<string, unknown>, view: unknown): unknown[] =>
  editsOf({ fields, tag: 'run-1' }, view).map(({ body }) => body);
const rich = 'Ann run-1 changed: café & “tea” 🙂';

test('a value that was sent in an object is changed there first, and the object is sent with it', () => {
  const properties = { name: 'Ann run-1', city: 'Oslo' };
  const [first] = bodiesOf(
    { name: 'Ann run-1', properties },
    { id: '7', properties: { ...properties, object_id: '7' } },
  );
  expect(first).toEqual({ properties: { name: rich, city: 'Oslo' } });
});

test('each text of an object that all fields were sent in is changed: the deployment may not know the first', () => {
  const attributes = { note: 'Ann run-1', title: 'Ann run-1' };
  expect(bodiesOf({ attributes }, { id: '7', title: 'Ann run-1' })).toEqual([
    { attributes: { note: 'Ann run-1', title: rich } },
    { attributes: { note: rich, title: 'Ann run-1' } },
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
  expect(bodiesOf(fields, fields)).toEqual([
    { name: rich },
    { last_name: 'run-1 changed: café & “tea” 🙂' },
    { name: 'Ann run-1 changed' },
    { notes: `${notes} changed: café & “tea” 🙂` },
    { notes: `${notes} changed` },
    { last_name: 'run-1 changed' },
  ]);
});

import { expect, test } from 'vitest';
import { editsOf } from '../../../../../suites/workspace/life/changes.ts';

const bodiesOf = (fields: Record<string, unknown>, view: unknown): unknown[] =>
  editsOf({ fields, tag: 'run-1' }, view).map((edits) => edits.map(({ body }) => body));
const rich = 'Ann run-1 changed: café & “tea” 🙂';
const plain = 'Ann run-1 changed';

test('a value that was sent in an object is changed there first, and the object is sent with it', () => {
  const properties = { name: 'Ann run-1', city: 'Oslo' };
  const [first] = bodiesOf(
    { name: 'Ann run-1', properties },
    { id: '7', properties: { ...properties, object_id: '7' } },
  );
  expect(first).toEqual([{ properties: { name: rich, city: 'Oslo' } }, { properties: { name: plain, city: 'Oslo' } }]);
});

test('each text of an object that all fields were sent in is changed: the deployment may not know the first', () => {
  const attributes = { note: 'Ann run-1', title: 'Ann run-1' };
  expect(bodiesOf({ attributes }, { id: '7', title: 'Ann run-1' })).toEqual([
    [{ attributes: { note: 'Ann run-1', title: rich } }, { attributes: { note: 'Ann run-1', title: plain } }],
    [{ attributes: { note: rich, title: 'Ann run-1' } }, { attributes: { note: plain, title: 'Ann run-1' } }],
  ]);
});

test('names are changed before prose, each as people write and then in plain letters', () => {
  const notes = `${'Notes '.repeat(20)}by run-1`;
  const fields = { notes, name: 'Ann run-1', email: 'run-1@example.test' };
  expect(bodiesOf(fields, fields)).toEqual([
    [{ name: rich }, { name: plain }],
    [{ email: 'run-1.changed@example.test' }],
    [{ notes: `${notes} changed: café & “tea” 🙂` }, { notes: `${notes} changed` }],
  ]);
});

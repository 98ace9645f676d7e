import { expect, test } from 'vitest';
import { editsOf } from '../../../../../suites/workspace/life/changes.ts';

const bodiesOf = (fields: Record<string, unknown>, view: unknown): unknown[] =>
  editsOf({ fields, tag: 'run-1' }, view).map((edits) => edits.map(({ body }) => body));
const rich = 'Ann run-1 changed: café & “tea” 🙂';
const plain = 'Ann run-1 changed';

test('a text that the view shows is changed first, as people write and then in plain letters', () => {
  const fields = { notes: 'Met run-1', email: 'run-1@example.test', name: 'Ann run-1' };
  expect(bodiesOf(fields, { name: 'Ann run-1' })).toEqual([
    [{ name: rich }, { name: plain }],
    [{ notes: 'Met run-1 changed: café & “tea” 🙂' }, { notes: 'Met run-1 changed' }],
    [{ email: 'run-1.changed@example.test' }],
  ]);
});

test('an object goes whole, with each of its texts changed in turn', () => {
  const attributes = { note: 'Ann run-1', title: 'Ann run-1', city: 'Oslo' };
  expect(bodiesOf({ attributes }, { id: '7', title: 'Ann run-1' })).toEqual([
    [{ attributes: { ...attributes, title: rich } }, { attributes: { ...attributes, title: plain } }],
    [{ attributes: { ...attributes, note: rich } }, { attributes: { ...attributes, note: plain } }],
  ]);
});

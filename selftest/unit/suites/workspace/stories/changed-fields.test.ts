import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../common/json.ts';
import { isGarbled } from '../../../../../suites/workspace/stories/changed-fields.ts';
import { editsOf } from '../../../../../suites/workspace/stories/changes.ts';

const before = { id: '7', name: 'Ann run-1', notes: 'Met run-1' };
const wanted = 'Ann run-1 changed';

test.for<[isGarbled: boolean, what: string, later: JsonObject, earlier?: JsonObject]>([
  [false, 'it shows the new text in another spelling', { ...before, name: 'ann_run-1_changed' }],
  [true, 'the new text is cut', { ...before, name: 'Ann run' }],
  [true, 'it is null', { ...before, name: null }],
  [false, 'it is full, and the new text is cut where it ends', { ...before, name: 'Ann run-1 cha' }],
  [false, 'it shows the old text, in capitals', { Name: 'Ann run-1' }, { Name: 'Ann run-1' }],
  [false, 'no read shows it under its name', { title: 'Ann' }, { title: 'Ann run-1' }],
])('whether a changed field is garbled is %s if %s', ([garbled, , later, earlier = before]) => {
  const change = {
    record: { tag: 'run-1', answer: { json: earlier } },
    before: { status: 200, json: earlier },
    later: { json: later },
    body: { name: wanted },
    values: [wanted],
  };
  expect(isGarbled(change)).toBe(garbled);
});

test('an object goes whole, with each of its texts changed in turn: first those that are shown, as people write', () => {
  const attributes = { note: 'Ann run-1', title: 'Ann run-1', city: 'Oslo' };
  const edits = editsOf({ fields: { attributes }, tag: 'run-1' }, { id: '7', title: 'Ann run-1' });
  const rich = 'Ann run-1 changed: café & “tea” 🙂';
  expect(edits.map((tried) => tried.map(({ body }) => body))).toEqual([
    [{ attributes: { ...attributes, title: rich } }, { attributes: { ...attributes, title: wanted } }],
    [{ attributes: { ...attributes, note: rich } }, { attributes: { ...attributes, note: wanted } }],
  ]);
});

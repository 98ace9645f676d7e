import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../common/json.ts';
import type { Recipe } from '../../../../../suites/records/bodies.ts';
import { editsOf, fateOf } from '../../../../../suites/workspace/stories/changes.ts';

const before = { id: '7', name: 'Ann run-1', notes: 'Met run-1' };
const wanted = 'Ann run-1 changed';

test.for<[isGarbled: boolean, what: string, later: JsonObject]>([
  [false, 'it shows the new text in another spelling', { ...before, name: 'ann_run-1_changed' }],
  [true, 'the new text is cut', { ...before, name: 'Ann run' }],
  [true, 'it is null', { ...before, name: null }],
  [false, 'it is full, and the new text is cut where it ends', { ...before, name: 'Ann run-1 cha' }],
])('whether a changed field is garbled is %s if %s', ([garbled, , later]) => {
  const change = {
    record: { tag: 'run-1' },
    before: { json: before },
    later: { json: later },
    body: { name: wanted },
    values: [wanted],
  };
  expect(fateOf(change) === 'garbled').toBe(garbled);
});

test('an object goes whole, with each of its texts changed in turn: first those that are shown, as people write', () => {
  const attributes = { note: 'Met run-1', title: 'Ann run-1', city: 'Oslo' };
  const recipe: Recipe = { template: {}, wrapper: null, isUsers: false };
  const edits = editsOf({ fields: { attributes }, tag: 'run-1', recipe }, { id: '7', title: 'Ann run-1' });
  const rich = 'run-1 changed: café & “tea” 🙂';
  expect(edits.map((tried) => tried.map(({ body }) => body))).toEqual([
    [{ attributes: { ...attributes, title: `Ann ${rich}` } }, { attributes: { ...attributes, title: wanted } }],
    [
      { attributes: { ...attributes, note: `Met ${rich}` } },
      { attributes: { ...attributes, note: 'Met run-1 changed' } },
    ],
  ]);
});

import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../common/json.ts';
import { effectOf } from '../../../../../suites/workspace/stories/changed-fields.ts';
import { editsOf } from '../../../../../suites/workspace/stories/changes.ts';

const before = { id: '7', name: 'Ann run-1', notes: 'Met run-1', nickname: null };
const wanted = 'Ann run-1 changed';

test.for<[effect: string, what: string, later: JsonObject, earlier?: JsonObject]>([
  ['new', 'it shows the new text in another spelling', { ...before, name: 'ann_run-1_changed' }],
  ['garbled', 'the new text is cut', { ...before, name: 'Ann run' }],
  ['garbled', 'it is null', { ...before, name: null }],
  ['wrong field', 'the new text is in place of another', { ...before, notes: wanted }],
  ['unknown', 'the new text is where nothing was, as in a draft', { ...before, nickname: wanted }],
  ['unknown', 'it is full, and the new text is cut where it ends', { ...before, name: 'Ann run-1 cha' }],
  ['old', 'a read before shows it in capitals', { Name: 'Ann run-1' }, { Name: 'Ann run-1' }],
  ['not shown', 'a read before shows it under another name', { title: 'Ann run-1' }, { title: 'Ann run-1' }],
])('the effect of a change is "%s" if %s', ([effect, , later, earlier = before]) => {
  const came = effectOf({
    record: { tag: 'run-1', answer: { json: earlier } },
    before: { status: 200, json: earlier },
    later: { json: later },
    body: { name: wanted },
    values: [wanted],
  });
  expect(came).toBe(effect);
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

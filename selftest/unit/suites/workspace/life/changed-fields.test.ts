import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../common/json.ts';
import { effectOf } from '../../../../../suites/workspace/life/changed-fields.ts';

const before = { id: '7', name: 'Ann run-1', notes: 'Met run-1', nickname: null };
const wanted = 'Ann run-1 changed';

function fate(later: JsonObject, earlier: JsonObject = before): string {
  return effectOf({
    record: { tag: 'run-1', answer: { json: earlier } },
    before: { status: 200, json: earlier },
    later: { json: later },
    body: { name: wanted },
    values: [wanted],
  });
}

test.for<[string, string, JsonObject]>([
  ['new', 'it shows the new text in another spelling', { ...before, name: 'ann_run-1_changed' }],
  ['old', 'it shows the old text', before],
  ['garbled', 'the new text is cut', { ...before, name: 'Ann run' }],
  ['garbled', 'it is null', { ...before, name: null }],
  ['garbled', 'it is gone', { id: '7', notes: 'Met run-1' }],
  ['wrong field', 'the new text is in place of another', { ...before, notes: wanted }],
  ['unknown', 'the new text is where nothing was, as in a draft', { ...before, nickname: wanted }],
  ['unknown', 'it was renamed', { id: '7', notes: 'Met run-1', title: wanted }],
  ['unknown', 'it is full, and the new text is cut where it ends', { ...before, name: 'Ann run-1 cha' }],
])('the fate of a changed field is "%s" if %s', ([expected, , later]) => {
  expect(fate(later)).toBe(expected);
});

test.for<[string, string, JsonObject]>([
  ['old', 'under its own name', { Name: 'Ann run-1' }],
  ['not shown', 'under the name of another field', { title: 'Ann run-1' }],
  ['not shown', 'without the words of the run', { name: 'Ann' }],
])('the fate of a field is "%s" if a read before the change shows its text %s', ([expected, , view]) => {
  expect(fate(view, view)).toBe(expected);
});

import { expect, test } from 'vitest';
import type { Recipe } from '../../../../../suites/records/bodies.ts';
import { editsOf } from '../../../../../suites/workspace/stories/changes.ts';

test('an object goes whole, with each of its texts changed in turn: first those that are shown, as people write', () => {
  const attributes = { note: 'Met run-1', title: 'Ann run-1', city: 'Oslo' };
  const recipe: Recipe = { template: {}, wrapper: null, isUsers: false };
  const edits = editsOf({ fields: { attributes }, tag: 'run-1', recipe }, { id: '7', title: 'Ann run-1' });
  const rich = 'run-1 changed: café & “tea” 🙂';
  expect(edits.map(({ body }) => body)).toEqual([
    { attributes: { ...attributes, title: `Ann ${rich}` } },
    { attributes: { ...attributes, title: 'Ann run-1 changed' } },
    { attributes: { ...attributes, note: `Met ${rich}` } },
    { attributes: { ...attributes, note: 'Met run-1 changed' } },
  ]);
});

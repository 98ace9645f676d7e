import { expect, test } from 'vitest';
import { bodyOf, firstRecipe, revisions } from '../../../../suites/workspace/support/guess.ts';

const slot = { start: new Date('2026-03-02T15:00:00Z'), end: new Date('2026-03-02T15:30:00Z') };
const context = { seed: 1, tag: 'run-1', number: 1, slot, leadId: 7 };

const bodiesAfter = (kind: 'agents' | 'bookings', message: string): readonly unknown[] =>
  revisions(kind, firstRecipe, context, { json: { error: { message } }, text: '' }).map(
    (recipe) => bodyOf(kind, recipe, context).body,
  );

test.each(['agent', 'properties', 'data'])('a body goes into %s where that is missing', (name) => {
  const { body } = bodyOf('agents', firstRecipe, context);
  expect(bodiesAfter('agents', `${name} is required`)[0]).toEqual({ [name]: body });
});

test('what may hold the fields may stand beside them too', () => {
  expect(bodiesAfter('agents', 'properties is required')[1]).toMatchObject({
    name: expect.any(String),
    properties: expect.any(Object),
  });
});

test('a record that a body refers to is named by its id as it was shown', () => {
  expect(bodiesAfter('bookings', 'lead is required')[0]).toMatchObject({ lead: 7 });
});

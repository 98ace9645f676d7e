import { expect, test } from 'vitest';
import { valuesOutsideHistory } from '../../../../../suites/workspace/life/history.ts';

const at = (day: number): string => `2026-03-0${day}T09:00:00Z`;
const lead = { id: 'lead_1', name: 'Ann', status: 'new', created_at: at(1), updated_at: at(2) };

test.each([
  ['a list called history', { history: [{ at: at(2), changes: { name: ['Ann', 'Bob'] } }] }],
  [
    'versions, as PaperTrail has them',
    { versions: [{ event: 'update', changes: { name: ['Ann', 'Bob'] }, at: at(2) }] },
  ],
])('former values are in %s, and not in the record', (_, history) => {
  const values = valuesOutsideHistory({ data: { ...lead, ...history } }).map(({ value }) => value);
  expect(values).toContain('Ann');
  expect(JSON.stringify(values.filter((value) => typeof value === 'string'))).not.toContain('Bob');
});

test.each([
  ['tags', { tags: ['Bob'] }],
  ['notes without dates', { notes: [{ text: 'Bob' }] }],
  ['the record in a list', [{ ...lead, name: 'Bob' }]],
])('%s are values of the record', (_, more) => {
  const json = Array.isArray(more) ? { data: more } : { data: { ...lead, ...more } };
  expect(valuesOutsideHistory(json).map(({ value }) => value)).toContain('Bob');
});

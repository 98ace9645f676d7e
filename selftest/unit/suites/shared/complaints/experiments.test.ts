import { expect, test } from 'vitest';
import { type Change, changed } from '../../../../../suites/shared/complaints/body-changes.ts';
import { complaintOf } from '../../../../../suites/shared/complaints/complaint.ts';
import { changesFor } from '../../../../../suites/shared/complaints/inner-changes.ts';

type Body = Record<string, unknown>;

const likely: Readonly<Record<string, readonly unknown[]>> = { seats: ['many', 4] };
const valuesOf = (field: string): readonly unknown[] => likely[field] ?? [`some ${field}`];

/** The bodies that are sent until the refusals end, or nothing is left to try. */
function bodiesSent(refusalOf: (body: Body) => string | null, first: Body = { name: 'Ada' }): readonly Body[] {
  const bodies = [first];
  const earlier: Change[] = [];
  for (let body = first; bodies.length < 15; bodies.push(body)) {
    const message = refusalOf(body);
    const complaint = complaintOf({ json: { error: { message } }, text: '' }, body);
    const changes =
      message === null ? [] : changesFor(complaint.fields, { complaint, fields: body, earlier, valuesOf, rows: [] });
    if (changes.length === 0) {
      return bodies;
    }
    earlier.push(...changes);
    body = changed(body, changes, valuesOf);
  }
  return bodies;
}

test('a field of which nothing came is left out again, and weaker evidence has its turn', () => {
  const refusalOf = ({ budget_code: code }: Body): string | null =>
    code === undefined ? '"Contact" is incomplete without a budget_code' : null;
  expect(bodiesSent(refusalOf)).toEqual([
    { name: 'Ada' },
    { name: 'Ada', contact: 'some contact' },
    { name: 'Ada', budget_code: 'some budget_code' },
  ]);
});

test('a field that is called unknown although it was left out is not tried for ever', () => {
  expect(bodiesSent(() => 'unknown field "name"')).toEqual([{ name: 'Ada' }, {}]);
});

test('a field that is missed whatever is sent is not tried for ever', () => {
  expect(bodiesSent(() => 'seats is required')).toEqual([
    { name: 'Ada' },
    { name: 'Ada', seats: 'many' },
    { name: 'Ada', seats: 4 },
    { name: 'Ada' },
  ]);
});

test('words that ended when a field was left out mean the same of the next field', () => {
  const refusalOf = (body: Body): string | null => {
    const other = Object.keys(body).find((name) => name !== 'name');
    return other === undefined ? null : `Das Feld "${other}" kennen wir leider gar nicht`;
  };
  expect(bodiesSent(refusalOf, { name: 'Ada', seats: 'many', floor: 'some floor' })).toEqual([
    { name: 'Ada', seats: 'many', floor: 'some floor' },
    { name: 'Ada', seats: 4, floor: 'some floor' },
    { name: 'Ada', floor: 'some floor' },
    { name: 'Ada' },
  ]);
});

test.each([
  ['a list after a name has its values', 'voice must be one of bass, alto', ['voice'], ['bass']],
  ['a list without a name before it has names', 'missing or empty: voice, pitch', ['voice', 'pitch'], []],
  ['a list before the path of its field has its values', "not one of ['bass', 'alto'] - 'voice'", ['voice'], ['bass']],
  ['a list without commas', 'voice in body should be one of [bass alto]', ['voice'], ['bass']],
  ['a range is no list', 'voice must be between 3 and 20', ['voice'], []],
])('%s', (_, message, fields, values) => {
  const complaint = complaintOf({ json: { message }, text: '' }, { voice: 'low' });
  expect(complaint.fields).toEqual(fields);
  expect([...complaint.firstAllowed.values()]).toEqual(values);
});

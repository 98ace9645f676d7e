import { expect, test } from 'vitest';
import { ownRowPlace } from '../../../../suites/records/listed-records.ts';

const title = 'run7-01';
const record = { collection: '/v1/bookings', id: '406', tag: title };
const theirs = { id: 406, uid: '800', title: 'Demo' };

test.for([
  [[theirs], { title }, -1],
  [[theirs, { id: '406', title }], { title }, 1],
  [[theirs, { id: 12, uid: '406', title }], { title }, 1],
  [[{ id: '406', seats: 2 }], { seats: 2 }, 0],
] as const)(
  'a row with the id of a deleted record, and without its words, is not its row: %j',
  ([rows, row, place]) => {
    expect(ownRowPlace(rows, row, record)).toBe(place);
  },
);

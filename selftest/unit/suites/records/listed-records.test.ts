import { expect, test } from 'vitest';
import { ownRowPlace } from '../../../../suites/records/listed-records.ts';
import type { Answer } from '../../../../suites/session/answer.ts';

const tag = 'run7-01';
const body = { title: tag };
const record = { collection: '/v1/bookings', id: '406', tag, body, answer: { json: { id: '406', ...body } } as Answer };
const theirs = { id: 406, uid: '800', title: 'Demo' };

test.for([
  [[theirs], -1],
  [[theirs, { id: '406', ...body }], 1],
  [[theirs, { id: 12, uid: '406', ...body }], 1],
  [[{ id: '406', seats: 2 }], 0],
] as const)('a row that shows the id of a record for the number of another is not its row: %j', ([rows, place]) => {
  expect(ownRowPlace(rows, record)).toBe(place);
});

import { expect, test } from 'vitest';
import { ownRowPlace } from '../../../../suites/records/listed-records.ts';
import { fakeAnswer } from '../fake-answer.ts';

const tag = 'run7-01';
const answer = fakeAnswer({ status: 201, json: { id: '406', title: tag } }, 'POST /v1/bookings');
const record = { collection: '/v1/bookings', id: '406', tag, answer, body: { title: tag } };
const [own, other] = [
  { id: 12, uid: '406', title: tag },
  { id: 406, uid: '800', title: 'Demo' },
];

test('a row that shows the id of a record for the number of another record is not its row', () => {
  expect(ownRowPlace([other], record)).toBe(-1);
  expect(ownRowPlace([other, { id: '406', title: tag }], record)).toBe(1);
  expect(ownRowPlace([other, own], record)).toBe(1);
  expect(ownRowPlace([{ id: '406', seats: 2 }], record)).toBe(0);
});

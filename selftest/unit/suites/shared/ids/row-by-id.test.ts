import { expect, test } from 'vitest';
import { handlerTransport } from '../../../../../suites/session/transport/handler-transport.ts';
import { createRecord } from '../../../../../suites/shared/records.ts';
import { testSession } from '../../../test-session.ts';

const tag = 'conformance-aaaa1111';
const made = { id: 8, name: tag, status: 'scheduled', created_at: '2026-03-01T09:00:00Z' };
const row = { id: 8, status: 'scheduled', created_at: '2026-03-01T09:00:00Z' };
const older = { id: 7, status: 'scheduled', created_at: '2026-02-01T09:00:00Z' };

/** Bookings, which no call reads by id; their list shows these rows. */
const listing = (rows: readonly object[]) =>
  handlerTransport(async (request) =>
    request.method === 'POST'
      ? Response.json({ booking: made }, { status: 201 })
      : Response.json({ bookings: rows, next: null, total: rows.length }),
  );

test.for<[string, readonly object[], string | undefined]>([
  ['shows its id alone', [{ id: 8 }, { id: 7 }], '8'],
  ['repeats the answer', [older, row], '8'],
  ['shows another state by now', [older, { ...row, status: 'confirmed' }], '8'],
  ['contradicts the answer', [{ id: 8, status: 'cancelled', created_at: '2026-02-01T09:00:00Z' }], undefined],
  // The answer's id is the record's: that row is no other's, and its id is not given.
  ['shows the id as another value', [{ id: 31, seats: 8, status: 'scheduled' }], '8'],
  ['is one of two with the id', [row, { id: 9, rescheduled_from: 8 }], undefined],
  ['stands in a list that shows the words of others', [{ ...older, name: 'conformance-bbbb2222' }, row], undefined],
])('of a booking in a list without its words, the row that %s', async ([, rows, id]) => {
  const session = testSession('workspace', { transport: listing(rows), env: { WRITES: 'all' }, tag: 'conformance' });
  const record = await createRecord(session, '/v1/bookings', { tag, body: { name: tag } });
  expect(record.id).toBe(id);
});

test.for<[string, unknown, object, string | undefined]>([
  ['shows what the body gave', { id: 8, name: 'Ann' }, { id: 8, name: 'Ann', status: 'scheduled' }, '8'],
  ['is found by an answer that is only an id, and shows what the body gave', 8, { id: 8, name: 'Ann' }, '8'],
  ['shows other values', 8, { id: 8, name: 'Bob' }, undefined],
  ['shows nothing that the body gave', 8, { id: 8, status: 'scheduled' }, undefined],
])('of a booking whose body has none of the words, the row that %s', async ([, answer, only, id]) => {
  const transport = handlerTransport(async (request) =>
    request.method === 'POST'
      ? Response.json(answer, { status: 201 })
      : Response.json({ bookings: [only], next: null }),
  );
  const session = testSession('workspace', { transport, env: { WRITES: 'all' }, tag: 'conformance' });
  const record = await createRecord(session, '/v1/bookings', { tag, body: { name: 'Ann' } });
  expect(record.id).toBe(id);
});

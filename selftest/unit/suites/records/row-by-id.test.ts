import { expect, test } from 'vitest';
import { createRecord } from '../../../../suites/records/own.ts';
import { read } from '../../../../suites/records/reads.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { testSession } from '../../test-session.ts';
import { noneBefore } from './none-before.ts';

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
  const session = testSession('workspace', {
    transport: noneBefore(listing(rows)),
    env: { WRITES: 'all' },
    tag: 'conformance',
  });
  const record = await createRecord(session, '/v1/bookings', { tag, body: { name: tag } });
  expect(record.id).toBe(id);
});

const starts = '2026-03-20T15:00:00Z';
const others = { id: 7, starts: '2026-03-18T10:00:00Z', timezone: 'UTC' };

test.for<[string, unknown, readonly object[], string | undefined]>([
  ['shows what the body gave', { id: 8, starts }, [others, { id: 8, starts, status: 'scheduled' }], '8'],
  ['shows it in another spelling', { id: 8 }, [others, { id: 8, starts: '2026-03-20T15:00:00.000+00:00' }], '8'],
  ['is found by an answer that is only an id, and shows what the body gave', 8, [{ id: 8, starts }], '8'],
  ['shows other values', 8, [{ id: 8, starts: '2026-03-21T15:00:00Z' }], undefined],
  ['shows nothing that the body gave', 8, [{ id: 8, status: 'scheduled' }], undefined],
  ['shows only what other rows show, too', 8, [others, { id: 8, timezone: 'UTC' }], undefined],
])('of a booking whose answer has none of the words, the row that %s', async ([, answer, rows, id]) => {
  const transport = handlerTransport(async (request) =>
    request.method === 'POST' ? Response.json(answer, { status: 201 }) : Response.json({ bookings: rows, next: null }),
  );
  const session = testSession('workspace', {
    transport: noneBefore(transport),
    env: { WRITES: 'all' },
    tag: 'conformance',
  });
  const body = { name: tag, starts, timezone: 'UTC' };
  const record = await createRecord(session, '/v1/bookings', { tag, body });
  expect(record.id).toBe(id);
});

test.for<[string, readonly object[], string | undefined]>([
  ['came among rows that were listed before', [{ id: 8 }, { id: 7 }, { id: 6 }], '8'],
  ['is on a page that was not listed before', [{ id: 9 }, { id: 8 }], undefined],
  ['shows other values than the body', [{ id: 8, seats: 2 }, { id: 7 }], undefined],
])('of a booking whose answer has only an id, the row that %s', async ([, later, id]) => {
  const lists = [[{ id: 7 }, { id: 6 }], later];
  const transport = handlerTransport(async (request) =>
    request.method === 'POST'
      ? Response.json({ id: 8 }, { status: 201 })
      : Response.json({ bookings: lists.shift() ?? later, next: null }),
  );
  const session = testSession('workspace', { transport, env: { WRITES: 'all' }, tag: 'conformance' });
  await read(session, 'GET /v1/bookings');
  await session.clock.sleep(1000);
  const record = await createRecord(session, '/v1/bookings', { tag, body: { name: tag, seats: 4 } });
  expect(record.id).toBe(id);
});

import { expect, test } from 'vitest';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { adviceOnId } from '../../../../suites/records/candidates.ts';
import { callOf } from '../../../../suites/session/call.ts';
import { mainKey } from '../../../../suites/session/session.ts';
import { testSession } from '../../test-session.ts';

test.each([
  ['in the record', { id: 'a1', title: 'Demo run-1' }, '/id'],
  [
    'in a part of the answer',
    { appointment: { id: 'a1', title: 'Demo run-1' }, calendar: { id: 'c1' } },
    '/appointment/id',
  ],
])('the place of an id that nothing proves is told: %s', async (_, shown, id) => {
  const session = testSession('workspace', {
    serve: () => Response.json(shown, { status: 201 }),
    env: { WRITES: 'all' },
  });
  const call = callOf(endpointOf('POST /v1/bookings'), mainKey(session), { body: {} });
  const advice = adviceOnId('/v1/bookings', await session.client.sendNow(call), 'run-1');
  expect(advice).toContain(JSON.stringify({ bookings: { id } }));
});

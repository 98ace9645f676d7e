import { expect, test } from 'vitest';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { leftInLiveData } from '../../../../suites/run/left-behind.ts';
import { type ApiKey, callOf } from '../../../../suites/session/call.ts';

test('records created in live data are named by their call and the tag of the run', () => {
  const calls = [
    ['POST /api/v1/ads/audits', 201],
    ['POST /api/v1/ads/audits', 202],
    ['POST /api/v1/inbox/draft', 200],
    ['POST /api/v1/inbox/draft', 403],
    ['POST /api/v1/investor/updates', 201, 'sandbox'],
    ['POST /api/v1/developer/keys', 201],
    ['GET /api/v1/ads/audits', 200],
  ] as const;
  const booked = calls.map(([endpoint, status, environment = 'live' as const]) => {
    const key: ApiKey = { secret: 'x', label: 'a key', environment, origin: 'given' };
    return { call: callOf(endpointOf(endpoint), key), status };
  });
  expect(leftInLiveData('run7', booked)).toEqual([
    'Left in live data, because the API cannot delete them: records whose text contains "run7", created by POST to ads/audits (2), inbox/draft (1)',
  ]);
});

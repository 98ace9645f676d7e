import { expect, test } from 'vitest';
import { leftInLiveData } from '../../../../suites/run/left-behind.ts';
import type { BookedCall } from '../../../../suites/session/pace/call-book.ts';

const call = (endpoint: string, status: number, environment = 'live'): BookedCall => ({
  method: endpoint.split(' ')[0] ?? '',
  endpoint,
  key: { label: 'LIVE_API_KEY', environment, origin: 'given' } as BookedCall['key'],
  status,
  clauses: [],
});

test('records created in live data are named by their call and the tag of the run', () => {
  const calls = [
    call('POST /api/v1/ads/audits', 201),
    call('POST /api/v1/ads/audits', 202),
    call('POST /api/v1/inbox/draft', 200),
    call('POST /api/v1/inbox/draft', 403),
    call('POST /api/v1/investor/updates', 201, 'sandbox'),
    call('POST /api/v1/developer/keys', 201),
    call('GET /api/v1/ads/audits', 200),
  ];
  expect(leftInLiveData({ tag: 'run7', book: { calls: () => calls } })).toEqual([
    'Left in live data, because the API cannot delete them: records whose text contains "run7", created by POST to ads/audits (2), inbox/draft (1)',
  ]);
});

import { expect, test } from 'vitest';
import { endpointOf } from '../../../../../contract/endpoints.ts';
import { callOf } from '../../../../../suites/session/call.ts';
import { createOwnRecords } from '../../../../../suites/session/evidence/own-records.ts';

test('a deletion is that of the record in its collection: others may have the same id', () => {
  const records = createOwnRecords();
  const request = { method: 'DELETE', url: '', headers: [], body: null };
  records.sent(5, callOf(endpointOf('DELETE /v1/webhooks/:id'), null, { id: 'a/9' }), request);
  expect(records.deletionsOf({ collection: '/v1/webhooks', id: 'a/9' })).toEqual([5]);
  expect(records.deletionsOf({ collection: '/v1/agents', id: 'a/9' })).toEqual([]);
});

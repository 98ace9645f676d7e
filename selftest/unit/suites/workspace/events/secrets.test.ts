import { expect, test } from 'vitest';
import { endpointOf } from '../../../../../contract/endpoints.ts';
import { secretsShown } from '../../../../../suites/workspace/events/secrets.ts';

const registering = { endpoint: endpointOf('POST /v1/webhooks') };

test('a registration may show its secret under any name', () => {
  expect(secretsShown({ id: 'we_1', macKey: 'additionalProperties' }, registering, [])).toEqual([
    'additionalProperties',
  ]);
});

test.each([
  { validation: [{ keyword: 'additionalProperties', params: { additionalProperty: 'name' } }] },
  { validation: { body: { keys: ['endpoint_url', 'event_types'] } } },
])('the words of a refusal are not secrets: %j', (more) => {
  expect(secretsShown({ error: { code: 'invalid', message: 'no', status: 400, ...more } }, registering, [])).toEqual(
    [],
  );
});

import { expect, test } from 'vitest';
import { endpointOf } from '../../../../../contract/endpoints.ts';
import { secretsShown } from '../../../../../suites/workspace/events/secrets.ts';

test('a registration may show its secret under any name; the words of a refusal, such as those of ajv, are none', () => {
  const call = { endpoint: endpointOf('POST /v1/webhooks') };
  const word = 'additionalProperties';
  expect(secretsShown({ id: 'we_1', macKey: word }, call, [])).toEqual([word]);
  expect(secretsShown({ error: { code: 'invalid', message: 'no', status: 400, keyword: word } }, call, [])).toEqual([]);
});

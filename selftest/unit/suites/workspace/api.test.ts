import { expect, test } from 'vitest';
import { endpointOf } from '../../../../contract/endpoints.ts';
import type { RawJson } from '../../../../suites/session/call.ts';
import { workspaceApi } from '../../../../suites/workspace/api.ts';

test('a registration may show its secret under any name; the words of a refusal, such as those of ajv, are none', () => {
  const word = 'additionalProperties';
  const shownIn = (json: unknown): readonly string[] =>
    workspaceApi.secretsIn(json as RawJson, { endpoint: endpointOf('POST /v1/webhooks') }, []);
  expect(shownIn({ id: 'we_1', macKey: word })).toEqual([word]);
  expect(shownIn({ error: { code: 'invalid', message: 'no', status: 400, keyword: word } })).toEqual([]);
});

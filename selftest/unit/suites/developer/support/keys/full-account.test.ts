import { expect, test } from 'vitest';
import { assertAccountNotFull } from '../../../../../../suites/developer/support/keys/full-account.ts';
import { handlerTransport } from '../../../../../../suites/session/transport/handler-transport.ts';
import { createRecord } from '../../../../../../suites/shared/records.ts';
import { testSession } from '../../../../test-session.ts';

test.for([
  ['because the account is full', 400, 'No more than 5 API keys are possible', true],
  ['with 403 because the account is full', 403, 'The API key limit is reached', true],
  ['that states the number of existing keys', 409, 'Es gibt schon 1 Schlüssel', true],
  ['of a field of the body', 400, 'name must be at most 5 characters', false],
  ['without a word about room', 403, 'Use the dashboard to make keys', false],
] as const)('a refusal %s', async ([, status, message, isFull]) => {
  const transport = handlerTransport(({ method }) =>
    method === 'POST'
      ? Response.json({ success: false, data: null, context: null, error: { code: 'X', message } }, { status })
      : Response.json({ success: true, data: [{ id: 'key_1', name: 'Demo' }], context: null, error: null }),
  );
  const session = testSession('developer', { transport, env: { WRITES: 'all' } });
  const tag = 'conformance-aaaa1111';
  const attempt = await createRecord(session, '/api/v1/developer/keys', { tag, body: { name: tag } });
  const recognised = await assertAccountNotFull(session, attempt).then(
    () => false,
    () => true,
  );
  expect(recognised).toBe(isFull);
});

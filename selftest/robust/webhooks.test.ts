import { expect, test } from 'vitest';
import { changing, jsonOf, saying, succeeds } from '../world/between.ts';
import { run } from './run.ts';

test('an event that comes twice anyway is not told as a redelivery with another body', async () => {
  const choices = { 'event-copies': 'twice' };
  const { resultOf } = await run('workspace.webhooks.delivery', { choices });
  expect(resultOf('webhooks.delivery')?.observed).toMatchObject({
    'redelivery after a 500': expect.stringMatching(/^unknown: booking\.created comes several times/),
  });
});

test.each([
  ['its own', 'fail'],
  ['none', 'skip'],
])('one secret signs for all webhooks, and each registration shows %s: %s', async (shown, verdict) => {
  const between = changing(succeeds('POST /v1/webhooks'), (answer) => {
    const webhook = jsonOf(answer);
    return saying(answer, shown === 'none' ? webhook : { ...webhook, secret: `secret-of-${webhook.id}` });
  });
  const clauses = ['workspace.webhooks.signature', 'workspace.webhooks.signature-secret'];
  const { results } = await run(clauses, { choices: { 'webhook-secret': 'dashboard' }, between });
  expect(results.map((one) => one.verdict)).toEqual(['pass', verdict]);
});

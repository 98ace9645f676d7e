import { expect, test } from 'vitest';
import { run } from './run.ts';

test('an event that comes twice anyway is not told as a redelivery with another body', async () => {
  const choices = { 'event-copies': 'twice' };
  const { resultOf } = await run('workspace.webhooks.delivery', { choices });
  expect(resultOf('webhooks.delivery')?.observed).toMatchObject({
    'redelivery after a 500': expect.stringMatching(/^unknown: booking\.created comes several times/),
  });
});

test.each([
  ['revealed', 'fail'],
  ['dashboard', 'skip'],
])('one secret signs for all webhooks, and each registration shows its own or none (%s): %s', async (from, verdict) => {
  const faults = ['workspace-webhooks-signature-secret-of-deployment'];
  const settings = { WEBHOOK_SECRET: 'which-nobody-is-told' };
  const clauses = ['workspace.webhooks.signature', 'workspace.webhooks.signature-secret'];
  const { results } = await run(clauses, { faults, choices: { 'webhook-secret': from }, settings });
  expect(results.map((one) => one.verdict)).toEqual(['pass', verdict]);
});

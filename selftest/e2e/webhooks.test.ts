import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../new-folder.ts';
import { deliver, har, senderOf, whsec } from '../unit/webhooks/deliveries.ts';
import { correct, guarded, serve } from '../unit/webhooks/receiver/receivers.ts';
import { start } from './run-suite.ts';

test('signature shows the scheme and how to verify it, and receiver tests by it; neither shows the secret of .env', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, '.env'), `THE_SECRET='${whsec}'\n`);
  writeFileSync(join(folder, 'good.har'), har(deliver(senderOf('default').sender)));
  const run = (command: string, ...args: string[]) =>
    start(`cli/${command}.ts`, [...args, '--secret-from', 'THE_SECRET'], {}, folder).ended;
  const [shown, json] = await Promise.all([run('signature', 'good.har'), run('signature', 'good.har', '--json')]);
  expect([shown.code, shown.stderr, json.code]).toEqual([0, '', 0]);
  expect(shown.stdout).toContain('<webhook-id>.<webhook-timestamp>.<body>');
  expect(shown.stdout).toContain('verifyWebhook(scheme, request, secret)');
  writeFileSync(join(folder, 'found.json'), json.stdout);
  const served = await serve(guarded(correct['standard-webhooks']));
  const tested = await run('receiver', served.url, '--scheme', 'found.json');
  served.close();
  expect([tested.code, tested.stderr, tested.stdout]).toEqual([0, '', expect.stringMatching(/It verifies: all \d+/)]);
  expect(shown.stdout + json.stdout + tested.stdout).not.toContain(whsec.slice(8));
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../new-folder.ts';
import { har, raw, standard } from '../unit/webhooks/captures.ts';
import { deliver, hmac, plain, type Sender, whsec } from '../unit/webhooks/deliveries.ts';
import { type Ended, start } from './run-suite.ts';

const folder = newFolder();

describe('npm run signature', () => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return name;
  };
  const run = (...args: string[]): Promise<Ended> => start('cli/signature.ts', args, { PLAIN: plain }, folder).ended;

  test('ends with 0 and shows the scheme and how to verify it, without the secret, which .env may hold', async () => {
    writeFileSync(join(folder, '.env'), `THE_SECRET='${whsec}'\n`);
    const { code, stdout, stderr } = await run(file('good.har', har(deliver(standard))), '--secret-from', 'THE_SECRET');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('<webhook-id>.<webhook-timestamp>.<body>');
    expect(stdout).toContain('verifyWebhook(scheme, request, secret)');
    expect(stdout).toContain('verify_webhook(scheme, request, secret)');
    expect(stdout).not.toContain(whsec.slice(8));
  });

  test.for<[string, Sender, number]>([
    ['is HMAC-SHA1', ({ body }) => ({ 'X-Signature': hmac(plain, body, 'hex', 'sha1') }), 1],
    ['is over an unknown content', ({ body }) => ({ 'X-Signature': hmac(plain, `~~${body}~~`) }), 2],
  ])('a signature that %s', async ([, sender, status]) => {
    const ended = await run(file('bad.http', raw(deliver(sender), '\r\n', true)), '--secret-from', 'PLAIN');
    expect([ended.code, ended.stderr]).toEqual([status, '']);
    expect(ended.stdout).not.toContain('verifyWebhook');
  });

  test.for<[string, string[], RegExp]>([
    ['no file', ['--secret-from', 'PLAIN'], /name one, a HAR/],
    ['a secret instead of the name', ['a.har', '--secret-from', whsec], /takes the name of an environment variable/],
  ])('ends with 2 and one line for %s', async ([, args, message]) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain(whsec.slice(8));
  });
});

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
  const run = (...args: string[]): Promise<Ended> =>
    start('cli/signature.ts', args, { THE_SECRET: whsec, PLAIN: plain, EMPTY: '' }, folder).ended;

  test('ends with 0 and shows the scheme and how to verify it, without the secret', async () => {
    const { code, stdout, stderr } = await run(file('good.har', har(deliver(standard))), '--secret-from', 'THE_SECRET');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('<webhook-id>.<webhook-timestamp>.<body>');
    expect(stdout).toContain('verifyWebhook(scheme, request, secret)');
    expect(stdout).toContain('verify_webhook(scheme, request, secret)');
    expect(stdout).not.toContain(whsec.slice(8));
  });

  test('reads the secret from .env too', async () => {
    writeFileSync(join(folder, '.env'), `FILE_SECRET='${whsec}'\n`);
    const { code } = await run(file('good.har', har(deliver(standard))), '--secret-from', 'FILE_SECRET');
    expect(code).toBe(0);
  });

  test.for<[string, Sender, number]>([
    ['is not there', () => ({}), 1],
    ['is HMAC-SHA1', ({ body }) => ({ 'X-Signature': hmac(plain, body, 'hex', 'sha1') }), 1],
    ['is over another text', ({ body }) => ({ 'X-Signature': hmac(plain, JSON.stringify(JSON.parse(body))) }), 1],
    ['does not cover the body', ({ s }) => ({ 'X-Timestamp': s, 'X-Signature': hmac(plain, s) }), 1],
    [
      'is in some deliveries only',
      ({ body, n }): Record<string, string> => (n === 1 ? {} : { 'X-Signature': hmac(plain, body) }),
      1,
    ],
    ['is over an unknown content', ({ body }) => ({ 'X-Signature': hmac(plain, `~~${body}~~`) }), 2],
  ])('a signature that %s', async ([, sender, status]) => {
    const ended = await run(file('bad.http', raw(deliver(sender), '\r\n', true)), '--secret-from', 'PLAIN');
    expect([ended.code, ended.stderr]).toEqual([status, '']);
    expect(ended.stdout).not.toContain('verifyWebhook');
  });

  test.for<[string, string[], RegExp]>([
    ['no file', ['--secret-from', 'PLAIN'], /name one, a HAR/],
    [
      'a missing file',
      ['nowhere.har', '--secret-from', 'PLAIN'],
      /Cannot read nowhere\.har: no such file or directory/,
    ],
    ['no name', [file('a.har', '{}')], /--secret-from NAME/],
    ['a name that is not set', ['a.har', '--secret-from', 'MISSING'], /MISSING is not set/],
    ['a name that is empty', ['a.har', '--secret-from', 'EMPTY'], /EMPTY is not set/],
    ['a secret instead of the name', ['a.har', '--secret-from', whsec], /takes the name of an environment variable/],
    ['an unknown option', ['a.har', '--sekret', 'x'], /--sekret/],
    ['broken JSON', [file('b.har', '{"log": '), '--secret-from', 'PLAIN'], /not JSON/],
    ['JSON that is not a HAR', ['a.har', '--secret-from', 'PLAIN'], /no HAR/],
    [
      'a HAR without bodies',
      [
        file(
          'c.har',
          JSON.stringify({
            log: {
              entries: [{ request: { method: 'POST', url: 'https://a.test/', headers: [], postData: { params: [] } } }],
            },
          }),
        ),
        '--secret-from',
        'PLAIN',
      ],
      /postData has no text/,
    ],
    ['an empty file', [file('d.http', ''), '--secret-from', 'PLAIN'], /holds no request/],
    [
      'a text that is not a request',
      [file('e.http', 'hello world\n'), '--secret-from', 'PLAIN'],
      /line 1 is not a request line/,
    ],
    [
      'a body that was cut',
      [file('f.http', 'POST /a HTTP/1.1\nContent-Length: 40\n\n{}'), '--secret-from', 'PLAIN'],
      /Content-Length says 40/,
    ],
  ])('ends with 2 and one line for %s', async ([, args, message]) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain(whsec.slice(8));
  });
});

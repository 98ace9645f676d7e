import { afterEach, expect, it } from 'vitest';
import { inboxBounds } from '../../../../webhooks/inbox/mailbox.ts';
import { closeAll, open, raw, send } from './sockets.ts';

afterEach(closeAll);

/** A raw request to the box. */
const posted = (path: string, lines: readonly string[], body = '{}'): string =>
  [`POST ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines, '', body].join('\r\n');
const chunked = 'Transfer-Encoding: chunked';
const longLine = 'a'.repeat(70_000);
/** One byte more than a body may have, so that no byte is unread when the connection ends. */
const beyond = 'x'.repeat(inboxBounds.body + 1);

/** Requests of strangers and broken senders, and their status; none if the connection ends without an answer. */
const odd: readonly [what: string, text: (path: string) => string, status: string][] = [
  ['the greeting of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ''],
  ['the greeting of TLS', () => `\u0016\u0003\u0001\u0000\u00a5${'\u0007'.repeat(165)}`, ''],
  ['a tunnel', () => 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n', ''],
  ['two lengths', (path) => posted(path, ['Content-Length: 2', 'Content-Length: 5']), ''],
  [
    'a length together with chunks',
    (path) => posted(path, ['Content-Length: 4', chunked], '0\r\n\r\nGET / HTTP/1.1\r\n'),
    '',
  ],
  ['a length below 0', (path) => posted(path, ['Content-Length: -1']), ''],
  ['a header line of 70,000 characters', (path) => posted(path, [`X-A: ${longLine}`, 'Content-Length: 2']), ''],
  ['a control character in a header', (path) => posted(path, ['X-A: a\u0001b', 'Content-Length: 2']), ''],
  ['an unknown expectation', (path) => posted(path, ['Expect: 200-maybe', 'Content-Length: 2']), '417'],
  ['a huge length', (path) => posted(path, ['Content-Length: 99999999999'], beyond), '413'],
  ['a chunk above the size limit', (path) => posted(path, [chunked], `200000\r\n${beyond}`), '413'],
  [
    'a path that begins with two slashes',
    (path) => posted(`//elsewhere.example/x${path}x`, ['Content-Length: 2']),
    '404',
  ],
];

it.each(odd)('%s is not a delivery, and the next one is received', async (_, text, status) => {
  const { box } = await open();
  const { ended } = await raw(box.url, text(new URL(box.url).pathname));
  expect((await ended).slice(9, 12)).toBe(status);
  expect(await send(box.url, { body: '{"type":"booking.created"}' })).toBe(200);
  expect(box.deliveries.map(({ body }) => body.toString())).toEqual(['{"type":"booking.created"}']);
});

it('accepts a body that arrives in chunks of one byte', async () => {
  const { box } = await open();
  const path = new URL(box.url).pathname;
  const { ended } = await raw(box.url, posted(path, [chunked], `${'1\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`));
  expect((await ended).slice(9, 12)).toBe('200');
  expect(box.deliveries.map(({ body }) => body.toString() === 'x'.repeat(20_000))).toEqual([true]);
});

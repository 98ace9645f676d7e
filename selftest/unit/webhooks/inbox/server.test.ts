import { request } from 'node:http';
import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../../common/clock.ts';
import { type Inbox, inboxBounds, type NoInbox } from '../../../../webhooks/inbox/inbox.ts';
import { isReached, openInbox, receiveDeliveries } from '../../../../webhooks/inbox/server.ts';
import { listenOnFreePort } from '../../../free-port.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function open() {
  const inbox = await receiveDeliveries();
  closing.push(() => inbox.close());
  return { inbox, box: inbox.open('secret') };
}

interface Sent {
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string | string[]>;
}

/** The status of the answer, or the error's code if there is none. */
const send = (url: string, { body = '', headers = {} }: Sent = {}): Promise<number | string> =>
  new Promise((resolve) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      response.resume();
      response.on('error', () => {});
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(body);
  });

test('headers are recorded in their order and spelling, and bodies byte for byte', async () => {
  const { box } = await open();
  const body = Buffer.from([123, 0, 255, 125]);
  expect(await send(box.url, { body, headers: { 'X-Zulu': 'z', 'x-ALPHA': ['1', '2'] } })).toBe(200);
  expect(box.deliveries[0]?.headers.filter(([name]) => /^x-/i.test(name))).toEqual([
    ['X-Zulu', 'z'],
    ['x-ALPHA', '1'],
    ['x-ALPHA', '2'],
  ]);
  expect(box.deliveries[0]?.body.equals(body)).toBe(true);
});

test('a body of 10 MB is refused and counted, a body for an unknown path is not read, and the next is received', async () => {
  const { inbox, box } = await open();
  const large = { body: Buffer.alloc(10 * 1_048_576, 120) };
  // The connection may end while the sender still writes, before it reads the answer.
  expect([413, 'ECONNRESET', 'EPIPE']).toContain(await send(box.url, large));
  expect([404, 'ECONNRESET', 'EPIPE']).toContain(await send(new URL('/hooks/guess', box.url).href, large));
  expect(await send(box.url, { body: Buffer.alloc(inboxBounds.body, 120) })).toBe(200);
  expect([inbox.lost, box.deliveries.length]).toEqual([1, 1]);
  await inbox.close();
  expect(await send(box.url)).toBe('ECONNREFUSED');
});

test('whether a mailbox is reached under its URL is told by a challenge, which is no delivery', async () => {
  const { inbox, box } = await open();
  expect(await isReached(box.url, 10_000)).toBe(true);
  expect(await isReached(new URL('/hooks/guess', box.url).href, 10_000)).toBe(false);
  expect(inbox.deliveries).toEqual([]);
  await inbox.close();
  expect(await isReached(box.url, 10_000)).toBe(false);
});

const opening = (listen: string, target = 'http://127.0.0.1:1', publicUrl?: string): Promise<Inbox | NoInbox> =>
  openInbox({ WEBHOOK_LISTEN: listen, WEBHOOK_PUBLIC_URL: publicUrl }, target, systemClock);

test('an address that cannot be bound stops the run, naming the setting', async () => {
  const taken = createServer();
  closing.push(() => taken.close());
  const listen = `127.0.0.1:${await listenOnFreePort(taken)}`;
  await expect(opening(listen)).rejects.toThrow(new RegExp(`WEBHOOK_LISTEN ${listen}: .*EADDRINUSE`));
  for (const address of ['nonsense', '127.0.0.1:70000']) {
    await expect(opening(address)).rejects.toThrow(/Cannot listen for webhooks on WEBHOOK_LISTEN .*: .*port/);
  }
});

test('a deployment on another machine needs WEBHOOK_PUBLIC_URL, under which webhooks are registered', async () => {
  const none = await opening('127.0.0.1:0', 'https://api.example');
  expect(none.kind === 'no inbox' ? none.reason : '').toMatch(/WEBHOOK_PUBLIC_URL.*WEBHOOK_LISTEN.*tunnel/);
  const inbox = await opening('127.0.0.1:0', 'https://api.example', 'https://tunnel.example/x/');
  expect(inbox.kind === 'inbox' && inbox.open('secret').url).toMatch(/^https:\/\/tunnel\.example\/x\/hooks\/[\w-]+$/);
  closing.push(() => inbox.kind === 'inbox' && inbox.close());
});

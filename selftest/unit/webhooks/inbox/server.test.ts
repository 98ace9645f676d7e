import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { CannotRun } from '../../../../common/cannot-run.ts';
import { systemClock } from '../../../../common/clock.ts';
import type { Inbox, NoInbox } from '../../../../webhooks/inbox/inbox.ts';
import { inboxBounds } from '../../../../webhooks/inbox/mailbox.ts';
import { openInbox } from '../../../../webhooks/inbox/server.ts';
import { listenOnFreePort } from '../../../free-port.ts';
import { closeAll, closeLater, loopback, open, send } from './sockets.ts';

afterEach(closeAll);

describe('over a socket', () => {
  test('records headers in their order and spelling, and bodies byte for byte', async () => {
    const { box } = await open();
    const body = Buffer.from([123, 0, 255, 125]);
    expect(await send(box.url, { body, headers: { 'X-Zulu': 'z', 'x-ALPHA': ['1', '2'] } })).toBe(200);
    expect(box.deliveries[0]?.headers.filter(([name]) => name.startsWith('X-') || name.startsWith('x-'))).toEqual([
      ['X-Zulu', 'z'],
      ['x-ALPHA', '1'],
      ['x-ALPHA', '2'],
    ]);
    expect(box.deliveries[0]?.body.equals(body)).toBe(true);
  });

  test('a body of 10 MB is refused, and the next delivery is accepted', async () => {
    const { inbox, box } = await open();
    // The connection may end while the sender still writes, before it reads the answer.
    expect([413, 'ECONNRESET', 'EPIPE']).toContain(await send(box.url, { body: Buffer.alloc(10 * 1_048_576, 120) }));
    expect(inbox.lost).toBe(1);
    expect(await send(box.url, { body: Buffer.alloc(inboxBounds.body, 120) })).toBe(200);
    expect(box.deliveries).toHaveLength(1);
  });

  test('after the end of the run nothing listens', async () => {
    const { inbox, box } = await open();
    const { url } = box;
    await inbox.close();
    expect(await send(url)).toBe('ECONNREFUSED');
  });
});

describe('the address on which it listens', () => {
  const opening = (listen: string, target = loopback, publicUrl?: string): Promise<Inbox | NoInbox> =>
    openInbox(
      { WEBHOOK_LISTEN: listen, ...(publicUrl === undefined ? {} : { WEBHOOK_PUBLIC_URL: publicUrl }) },
      target,
      systemClock,
    );

  test('a port that is in use stops the run, and the message names the setting', async () => {
    const taken = createServer();
    closeLater(() => taken.close());
    const listen = `127.0.0.1:${await listenOnFreePort(taken)}`;
    await expect(opening(listen)).rejects.toThrow(CannotRun);
    await expect(opening(listen)).rejects.toThrow(new RegExp(`WEBHOOK_LISTEN ${listen}: the port is taken`));
  });

  test.for(['nonsense', '127.0.0.1', ':80', '127.0.0.1:70000', '192.0.2.1:0'])(
    '%s stops the run, naming the setting',
    async (listen) => {
      await expect(opening(listen)).rejects.toThrow(/WEBHOOK_LISTEN/);
    },
  );

  test('a deployment on another machine cannot reach it without WEBHOOK_PUBLIC_URL: the reason says how to set up a tunnel', async () => {
    const inbox = await opening('127.0.0.1:0', 'https://api.example');
    expect(inbox).toMatchObject({ kind: 'no inbox' });
    expect(inbox.kind === 'no inbox' ? inbox.reason : '').toMatch(/WEBHOOK_PUBLIC_URL.*WEBHOOK_LISTEN.*tunnel/);
  });

  test('webhooks are registered with WEBHOOK_PUBLIC_URL', async () => {
    const inbox = await opening('127.0.0.1:0', 'https://api.example', 'https://tunnel.example/x/');
    if (inbox.kind !== 'inbox') {
      throw new Error(inbox.reason);
    }
    closeLater(() => inbox.close());
    expect(inbox.open('secret').url).toMatch(/^https:\/\/tunnel\.example\/x\/hooks\/[\w-]+$/);
  });
});

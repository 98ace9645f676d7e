import { afterEach, expect, test } from 'vitest';
import { closeAll, open, type Raw, raw, send } from './sockets.ts';

afterEach(closeAll);

/** How many of these connections the receiver has ended. */
const countEnded = (all: readonly Raw[]): number => all.filter(({ socket }) => socket.closed).length;
/** Long enough for a busy machine. */
const patience = { timeout: 20_000 };
const many = (count: number, make: () => Promise<Raw>): Promise<Raw[]> =>
  Promise.all(Array.from({ length: count }, make));

test('more connections than are held are dropped and counted: each may have been a delivery', async () => {
  const { inbox, box } = await open({ connections: 4 });
  const slow = await many(4, () => raw(box.url, 'POST / HTTP/1.1\r\nHost:'));
  const dropped = await raw(box.url, 'GET / HTTP/1.1\r\nHost: x');
  expect(await dropped.ended).toBe('');
  expect(inbox.lost).toBe(1);
  slow[0]?.socket.destroy();
  await expect.poll(() => send(box.url, { body: '{"type":"booking.created"}' }), patience).toBe(200);
});

test('those who are slow with their headers make room', async () => {
  const { box } = await open({ connections: 8, headersMs: 30, requestMs: 60 });
  const silent = await many(8, () => raw(box.url, 'POST /hooks/guess HTTP/1.1\r\nHost: x'));
  await expect.poll(() => countEnded(silent), patience).toBe(8);
  expect(await send(box.url, { body: '{"type":"booking.created"}' })).toBe(200);
});

test('a body for an unknown path is not awaited', async () => {
  const { box } = await open({ connections: 32 });
  const slow = await many(20, () =>
    raw(box.url, 'POST /hooks/guess HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n{"slow'),
  );
  await expect.poll(() => countEnded(slow), patience).toBe(20);
  expect(await Promise.all(slow.map(async ({ ended }) => (await ended).slice(9, 12)))).toContain('404');
});

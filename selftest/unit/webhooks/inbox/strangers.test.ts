import { afterEach, describe, expect, test } from 'vitest';
import { closeAll, open, type Raw, raw, send } from './sockets.ts';

afterEach(closeAll);

/** How many of these connections the receiver has ended. */
const countEnded = (all: readonly Raw[]): number => all.filter(({ socket }) => socket.closed).length;
/** Long enough for a busy machine. */
const patience = { timeout: 20_000 };
const many = (count: number, make: () => Promise<Raw>): Promise<Raw[]> =>
  Promise.all(Array.from({ length: count }, make));

describe('strangers do not keep a deployment from delivering', () => {
  test('strangers that send half of their headers displace each other, the oldest first', async () => {
    const { box } = await open({ connections: 8 });
    const early = await many(8, () => raw(box.url, 'POST /hooks/guess HTTP/1.1\r\nHost: x'));
    const late = await many(12, () => raw(box.url, 'POST /hooks/guess HTTP/1.1\r\nHost: x'));
    for (let count = 0; count < 10; count += 1) {
      expect(await send(box.url, { body: '{"type":"booking.created"}' })).toBe(200);
    }
    expect(box.deliveries).toHaveLength(10);
    await expect.poll(() => countEnded(early), patience).toBe(8);
    await expect.poll(() => countEnded(late), patience).toBeGreaterThanOrEqual(4);
  });

  test('strangers that send nothing do so too', async () => {
    const { box } = await open({ connections: 8 });
    const silent = await many(40, () => raw(box.url, ''));
    expect(await send(box.url, { body: '{"type":"booking.created"}' })).toBe(200);
    await expect.poll(() => countEnded(silent), patience).toBeGreaterThanOrEqual(32);
  });

  test('strangers that send a body to an unknown path are answered before it arrives', async () => {
    const { box } = await open({ connections: 8 });
    const slow = await many(20, () =>
      raw(box.url, 'POST /hooks/guess HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n{"slow'),
    );
    await expect.poll(() => countEnded(slow), patience).toBe(20);
    expect(await Promise.all(slow.map(async ({ ended }) => (await ended).slice(9, 12)))).toContain('404');
    expect(await send(box.url, { body: '{"type":"booking.created"}' })).toBe(200);
  });

  test('a delivery in transit is never disconnected for a stranger', async () => {
    const { box } = await open({ connections: 8 });
    const body = '{"type":"booking.created"}';
    const head = `POST ${new URL(box.url).pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    const slow = await many(6, () => raw(box.url, head + body.slice(0, 5)));
    const strangers = await many(30, () => raw(box.url, 'GET / HTTP/1.1\r\nHost:'));
    await expect.poll(() => countEnded(strangers), patience).toBe(28);
    expect(countEnded(slow)).toBe(0);
    for (const { socket } of slow) {
      socket.write(body.slice(5));
    }
    expect(await Promise.all(slow.map(async ({ ended }) => (await ended).slice(9, 12)))).toEqual(Array(6).fill('200'));
    expect(box.deliveries).toHaveLength(6);
  });

  test('if deliveries in transit reach the limit, a stranger is disconnected', async () => {
    const { inbox, box } = await open({ connections: 4 });
    const slow = await many(4, () =>
      raw(box.url, `POST ${new URL(box.url).pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{`),
    );
    const stranger = await raw(box.url, 'GET / HTTP/1.1\r\nHost: x');
    expect(await stranger.ended).toBe('');
    expect(countEnded(slow)).toBe(0);
    // It may have been a delivery.
    expect(inbox.refused['too many']).toBe(1);
  });

  test('the address with the most connections loses one first, even if others are older', async () => {
    const { box } = await open({ connections: 8 });
    const calm = await raw(box.url, 'POST /', '127.0.0.2');
    const flood = await many(30, () => raw(box.url, 'POST /', '127.0.0.3'));
    await expect.poll(() => countEnded(flood), patience).toBe(23);
    expect(calm.socket.closed).toBe(false);
    calm.socket.end(
      `${new URL(box.url).pathname.slice(1)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Event: booking.created\r\n\r\n`,
    );
    expect((await calm.ended).slice(9, 12)).toBe('200');
  });
});

test('bodies in transit are bounded in total: what exceeds that is refused, and the rest is accepted', async () => {
  const { inbox, box } = await open();
  const size = 1_048_576;
  const head = `POST ${new URL(box.url).pathname} HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`;
  const heavy = await many(40, () => raw(box.url, head + 'x'.repeat(size - 1)));
  await expect.poll(() => countEnded(heavy), patience).toBeGreaterThanOrEqual(8);
  expect(inbox.refused['too many']).toBeGreaterThanOrEqual(8);
  for (const { socket } of heavy) {
    socket.destroy();
  }
  await expect.poll(() => send(box.url, { body: '{"type":"booking.created"}' }), patience).toBe(200);
});

import { expect, test } from 'vitest';
import { createMailroom, inboxBounds } from '../../../../webhooks/inbox/inbox.ts';
import type { Arrived } from '../../../../webhooks/signature/delivery.ts';
import { createVirtualClock } from '../../../virtual-clock.ts';

/** A mailroom with one box. */
function open() {
  const clock = createVirtualClock();
  const mailroom = createMailroom('http://inbox.test', clock);
  return { mailroom, clock, box: mailroom.open('secret') };
}

const to = (url: string, parts: Partial<Arrived> & { text?: string } = {}): Arrived => {
  const { text = '{"type":"booking.created"}', ...rest } = parts;
  return {
    method: 'POST',
    url: new URL(url).pathname,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(text),
    ...rest,
  };
};

test('a proxy may put a path before it, a sender the event behind it, and each gets into its own box', () => {
  const { mailroom, box } = open();
  const other = mailroom.open('other', 'run 1/ä');
  expect(new URL(other.url).pathname).toMatch(/^\/hooks\/run%201%2F%C3%A4\/[\w-]{24}$/);
  mailroom.receive(to(box.url, { url: `/some/prefix${new URL(box.url).pathname}/booking.created?page=1` }));
  expect([box.deliveries.length, other.deliveries.length]).toEqual([1, 0]);
});

test('a secret that comes with every delivery is recorded once', () => {
  const { mailroom, box } = open();
  const headers = [['X-Hook-Secret', 'handed-over']] as const;
  for (const text of ['{}', undefined, undefined]) {
    mailroom.receive(to(box.url, text === undefined ? { headers } : { headers, text }));
  }
  expect([box.deliveries.length, [...box.secrets]]).toEqual([2, ['handed-over']]);
});

test('nothing is recorded for an unknown path, nor after the end of the run', async () => {
  const { mailroom, box } = open();
  for (const url of ['http://inbox.test/', 'http://inbox.test/hooks/guessed', 'http://inbox.test/hooks/%00%ff']) {
    expect(mailroom.receive(to(url)).status).toBe(404);
  }
  await mailroom.close();
  expect([mailroom.receive(to(box.url)).status, mailroom.lost, box.deliveries]).toEqual([503, 0, []]);
});

test('more deliveries or bytes than are kept are counted', () => {
  const { mailroom, box } = open();
  for (let count = 0; count < inboxBounds.deliveries + 5; count += 1) {
    mailroom.receive(to(box.url));
  }
  expect([box.deliveries.length, mailroom.lost]).toEqual([inboxBounds.deliveries, 5]);
  const other = mailroom.open('a');
  const headers = [['X-Long', 'h'.repeat(inboxBounds.bodies / 4)]] as const;
  for (let count = 0; count < 5; count += 1) {
    mailroom.receive(to(other.url, { headers }));
  }
  expect([other.deliveries.length, mailroom.lost]).toEqual([3, 7]);
});

test('waiting ends with the first delivery that fits, whether it came before or later, or when the time is up', async () => {
  const { mailroom, clock, box } = open();
  const second = box.wait(({ number }) => number === 2, 10_000);
  mailroom.receive(to(box.url));
  await clock.sleep(400);
  mailroom.receive(to(box.url, { text: 'second' }));
  expect((await second)?.body.toString()).toBe('second');
  expect((await box.wait(({ number }) => number === 1, 0))?.number).toBe(1);
  const began = clock.now();
  expect(await mailroom.open('secret').wait(() => true, 3_000)).toBeUndefined();
  expect(clock.now() - began).toBe(3_000);
});

test('a request for the URL in lower case, or encoded anew, is no delivery, and is kept as evidence', () => {
  const { mailroom, box } = open();
  const { pathname } = new URL(box.url);
  const changed = [pathname.toLowerCase(), `/${encodeURIComponent(pathname.slice(1))}`];
  for (const url of [...changed, '/hooks/elsewhere']) {
    expect(mailroom.receive(to(box.url, { url })).status).toBe(404);
  }
  expect([box.astray.map(({ url }) => url), box.deliveries]).toEqual([changed, []]);
});

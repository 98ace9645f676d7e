import { describe, expect, test } from 'vitest';
import { createMailroom } from '../../../../webhooks/inbox/inbox.ts';
import type { Arrived } from '../../../../webhooks/inbox/mailbox.ts';
import { inboxBounds } from '../../../../webhooks/inbox/mailbox.ts';
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

describe('a mailbox records deliveries as they arrive', () => {
  test.for([
    ['no body', { text: '', headers: [['X-Event', 'booking.created']] }],
    ['broken JSON', { text: '{"type": "booking' }],
    ['bytes that are not text', { body: Buffer.from([0, 255, 254, 10]) }],
    ['another method', { method: 'PUT' }],
    ['an unknown method', { method: 'PURGE' }],
    ['a list in place of an object', { text: '[1]' }],
    ['no headers', { headers: [] }],
  ] as const)('%s', ([, parts]) => {
    const { mailroom, box } = open();
    const arrived = to(box.url, parts);
    expect(mailroom.receive(arrived).status).toBe(200);
    expect(box.deliveries).toMatchObject([
      { method: arrived.method, headers: arrived.headers, number: 1, answered: 200, registeredUrl: box.url },
    ]);
    expect(box.deliveries[0]?.body.equals(arrived.body)).toBe(true);
  });

  test.for(['/some/prefix', '', '/a/b?ignored=/x'])('behind a proxy that puts %s before the path', (prefix) => {
    const { mailroom, box } = open();
    mailroom.receive(to(box.url, { url: `${prefix.split('?')[0] ?? ''}${new URL(box.url).pathname}/?page=1` }));
    expect(box.deliveries).toHaveLength(1);
  });

  test('a delivery to a longer path, with the label of the run in the URL', () => {
    const { mailroom } = open();
    const box = mailroom.open('secret', 'run 1/ä');
    expect(new URL(box.url).pathname).toMatch(/^\/hooks\/run%201%2F%C3%A4\/[\w-]{24}$/);
    mailroom.receive(to(box.url, { url: `${new URL(box.url).pathname}/booking.created?x=1` }));
    expect(mailroom.knows(`${new URL(box.url).pathname}?x`)).toBe(true);
    expect(mailroom.knows('/hooks/run%201%2F%C3%A4/guessed')).toBe(false);
    expect(box.deliveries).toHaveLength(1);
  });

  test('each delivery in the mailbox of its URL', () => {
    const { mailroom } = open();
    const [one, other] = [mailroom.open('a'), mailroom.open('b')];
    mailroom.receive(to(other.url));
    expect([one.deliveries.length, other.deliveries.length]).toEqual([0, 1]);
    expect(new URL(one.url).pathname.split('/').at(-1)).toMatch(/^[\w-]{20,}$/);
  });
});

describe('a sender that repeats the handshake with every delivery', () => {
  test('is answered each time, and its secret is recorded once', () => {
    const { mailroom, box } = open();
    const headers = [['X-Hook-Secret', 'handed-over']] as const;
    expect(mailroom.receive(to(box.url, { headers, text: '{}' }))).toMatchObject({ status: 200 });
    for (let count = 0; count < 3; count += 1) {
      mailroom.receive(to(box.url, { headers }));
    }
    expect([box.deliveries.length, box.handshakes]).toEqual([3, [{ name: 'X-Hook-Secret', secret: 'handed-over' }]]);
  });

  test('fails its clauses like any other', () => {
    const { mailroom, box } = open();
    box.failOnce(() => true);
    const text = '{"type":"booking.created","challenge":"abc","data":{}}';
    expect([mailroom.receive(to(box.url, { text })).status, mailroom.receive(to(box.url, { text })).body]).toEqual([
      500,
      '{"challenge":"abc"}',
    ]);
  });
});

describe('deliveries to no mailbox are refused and counted', () => {
  test('an unknown path', () => {
    const { mailroom } = open();
    for (const url of ['http://inbox.test/', 'http://inbox.test/hooks/guessed', 'http://inbox.test/hooks/%00%ff']) {
      expect(mailroom.receive(to(url)).status).toBe(404);
    }
    expect(mailroom.lost).toBe(0);
  });

  test('anything that arrives after the end of the run', async () => {
    const { mailroom, box } = open();
    await mailroom.close();
    expect(mailroom.receive(to(box.url)).status).toBe(503);
    expect(box.deliveries).toEqual([]);
  });

  test('more deliveries than a mailbox keeps', () => {
    const { mailroom, box } = open();
    for (let count = 0; count < inboxBounds.deliveries + 5; count += 1) {
      mailroom.receive(to(box.url));
    }
    expect(box.deliveries).toHaveLength(inboxBounds.deliveries);
    expect(mailroom.lost).toBe(5);
  });

  test('more bytes than all mailboxes keep', () => {
    const { mailroom } = open();
    const body = Buffer.alloc(inboxBounds.body);
    const boxes = [mailroom.open('a'), mailroom.open('b')];
    for (let count = 0; count < 40; count += 1) {
      mailroom.receive(to((boxes[count % 2] ?? boxes[0])?.url ?? '', { body }));
    }
    // Header lines count too, so that one delivery fewer fits than the bodies alone would allow.
    const kept = inboxBounds.bodies / inboxBounds.body - 1;
    expect(boxes.flatMap(({ deliveries }) => deliveries)).toHaveLength(kept);
    expect(mailroom.lost).toBe(40 - kept);
  });

  test('more header lines than all mailboxes keep', () => {
    const { mailroom } = open();
    const headers = [['X-Long', 'h'.repeat(inboxBounds.bodies / 4)]] as const;
    const box = mailroom.open('a');
    for (let count = 0; count < 5; count += 1) {
      mailroom.receive(to(box.url, { headers }));
    }
    expect([box.deliveries.length, mailroom.lost]).toEqual([3, 2]);
  });
});

describe('a mailbox that fails once', () => {
  test('answers the first matching delivery with 500, and its second attempt with 200', () => {
    const { mailroom, box } = open();
    box.failOnce(({ body }) => body.includes('cancelled'));
    const statuses = ['created', 'cancelled', 'cancelled'].map(
      (word) => mailroom.receive(to(box.url, { text: `{"type":"booking.${word}"}` })).status,
    );
    expect(statuses).toEqual([200, 500, 200]);
    expect(box.deliveries.map(({ answered }) => answered)).toEqual([200, 500, 200]);
  });

  test('answers a handshake nevertheless', () => {
    const { mailroom, box } = open();
    box.failOnce(() => true);
    expect(mailroom.receive(to(box.url, { text: '{"challenge":"abc"}' }))).toMatchObject({
      status: 200,
      body: '{"challenge":"abc"}',
    });
    expect(mailroom.receive(to(box.url)).status).toBe(500);
  });
});

describe('waiting for a delivery', () => {
  test('ends with the first matching delivery, whether it arrived before or later', async () => {
    const { mailroom, clock, box } = open();
    const second = box.wait(({ number }) => number === 2, 10_000);
    mailroom.receive(to(box.url));
    await clock.sleep(400);
    mailroom.receive(to(box.url, { text: 'second' }));
    expect((await second)?.body.toString()).toBe('second');
    expect((await box.wait(({ number }) => number === 1, 0))?.number).toBe(1);
  });

  test('ends without one when the time is up', async () => {
    const { mailroom, clock } = open();
    const began = clock.now();
    expect(await mailroom.open('secret').wait(() => true, 3_000)).toBeUndefined();
    expect(clock.now() - began).toBe(3_000);
  });
});

test.for<[string, (path: string) => string]>([
  ['in lower case', (path) => path.toLowerCase()],
  ['encoded anew', (path) => `/${encodeURIComponent(path.slice(1))}`],
])('a request for the URL %s is no delivery, and is kept as evidence', ([, change]) => {
  const { mailroom, box } = open();
  const path = change(new URL(box.url).pathname);
  expect(mailroom.receive(to(`http://inbox.test${path}`)).status).toBe(404);
  expect(mailroom.receive(to('http://inbox.test/hooks/elsewhere')).status).toBe(404);
  expect([box.astray.map(({ url }) => url), box.deliveries]).toEqual([[path], []]);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CannotRun } from '../../../common/cannot-run.ts';
import { systemClock } from '../../../common/clock.ts';
import { readCapture } from '../../../webhooks/capture/judge.ts';
import { eventsIn } from '../../../webhooks/events/read.ts';
import { createMailroom } from '../../../webhooks/inbox/inbox.ts';
import type { Delivery } from '../../../webhooks/signature/delivery.ts';
import { discoveryLines } from '../../../webhooks/signature/describe.ts';
import { discoverScheme } from '../../../webhooks/signature/discover.ts';
import { readTime, timeUnits, writeTime } from '../../../webhooks/signature/times.ts';

const headerNames =
  'X-Signature Signature Signature-Input Authorization X-Signed-Headers Content-Type X-Hook-Secret Content-Encoding Digest';
const name = fc.oneof(fc.constantFrom(...headerNames.split(' '), 'X-Event'), fc.string({ minLength: 1 }));
/** Words of the headers in which signatures come. */
const words = 't= v1= , ; =" " : . sha256= eyJhbGciOiJIUzI1NiJ9. 1790510400 6ab8fd00 signature=" {signature}';
const piece = fc.oneof(
  fc.string(),
  fc.constantFrom(
    ...words.split(' '),
    ...[' ', '\u0000', 'a'.repeat(64), 'A'.repeat(43), 'headers="(created) (x+)+ date"'],
  ),
);
const value = fc.array(piece, { maxLength: 8 }).map((all) => all.join(''));
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => Buffer.from(text)),
  value.map((text) => Buffer.from(text)),
);
const delivery: fc.Arbitrary<Delivery> = fc.record({
  method: fc.constantFrom('POST', 'GET', 'PUT', 'post', ''),
  url: fc.oneof(
    fc.constant('/hooks/x'),
    value,
    value.map((text) => `/x?${text}`),
  ),
  registeredUrl: fc.oneof(fc.constant('https://a.example/hooks/x'), value),
  headers: fc.array(fc.tuple(name, value), { maxLength: 6 }),
  body,
  receivedAt: fc.oneof(fc.constant(Date.UTC(2026, 8, 27, 12)), fc.double()),
});

describe('no delivery makes a reader throw', () => {
  test('discovery', () => {
    fc.assert(
      fc.property(fc.array(delivery, { maxLength: 3 }), fc.string(), (deliveries, secret) => {
        const found = discoverScheme(deliveries, secret, { maxHmacs: 200 });
        expect(discoveryLines(found).length).toBeGreaterThan(0);
      }),
      { numRuns: 50 },
    );
  });

  test('events', () => {
    fc.assert(
      fc.property(delivery, (one) => {
        expect(eventsIn(one).length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  test('the inbox', () => {
    const mailroom = createMailroom('http://inbox.test', systemClock);
    const { pathname } = new URL(mailroom.open('secret').url);
    fc.assert(
      fc.property(delivery, ({ method, url, headers, body: bytes }) => {
        expect([200, 404, 503]).toContain(
          mailroom.receive({ method, url: pathname + url, headers, body: bytes }).status,
        );
        expect([200, 404, 503]).toContain(mailroom.receive({ method, url, headers, body: bytes }).status);
      }),
      { numRuns: 300 },
    );
  });

  test('captures, except with a sentence that says why', () => {
    fc.assert(
      fc.property(body, (bytes) => {
        try {
          readCapture({ name: 'capture', bytes });
        } catch (error) {
          expect(error).toBeInstanceOf(CannotRun);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('a time that is written is read back, at least to the second', () => {
  const moments = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2045, 0) });
  fc.assert(
    fc.property(moments, fc.constantFrom(...timeUnits), (at, unit) => {
      const read = readTime(writeTime(at, unit));
      expect([read?.unit, Math.abs((read?.at ?? 0) - at) < 1_000]).toEqual([unit, true]);
    }),
    { numRuns: 500 },
  );
});

describe('much of anything is read', () => {
  const length = 200_000;
  const fill = (text: string): string => text.repeat(Math.ceil(length / text.length));
  test.for(
    Object.entries({
      brackets: '[',
      'nested objects': '{"a":',
      'open strings': '{"a":"',
      'escaped JSON': '{\\"a\\":\\"',
      'base64 of objects': 'eyJhIjoiZXlKaElqb2',
      'a token of three parts': 'eyJhbGciOiJIUzI1NiJ9.',
      'kinds of events': 'booking.created ',
      'near misses of kinds': 'booking.create',
      parts: '--b0\r\n\r\n',
      pairs: 'event=a&',
      lines: '{"event":"a.b"}\n',
      escapes: '%7B%22',
      markup: '<event type="booking.created">',
      blanks: ' ',
      colons: 'ab:',
    }),
  )('%s', ([, text]) => {
    const wrapped = JSON.stringify({ data: fill(text), list: [fill(text.slice(0, 8)).slice(0, 1_000)] });
    for (const body of [fill(text), wrapped].map((one) => Buffer.from(one))) {
      const headers = [['Content-Type', 'multipart/form-data; boundary=b0']] as const;
      expect(eventsIn({ url: '/', headers, body }).length).toBeGreaterThan(0);
      expect(eventsIn({ url: '/', headers: [], body }).length).toBeGreaterThan(0);
    }
    const one = {
      method: 'POST',
      url: '/',
      registeredUrl: 'http://a.example/',
      headers: [['X-Signature', fill(text)]] as const,
      receivedAt: 0,
    };
    const found = discoverScheme([{ ...one, body: Buffer.from(fill(text)) }], 'the secret', { maxHmacs: 100 });
    expect(discoveryLines(found).length).toBeGreaterThan(0);
  });
});

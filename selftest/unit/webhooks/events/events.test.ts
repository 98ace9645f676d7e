import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { eventsIn } from '../../../../webhooks/events/read.ts';

interface Sent {
  readonly body?: unknown;
  readonly raw?: string | Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
}

/** `kind or ?name` of each event, `nothing` or `unreadable`. */
const read = ({ body, raw, type = 'application/json', headers = {}, url = '/hooks/x' }: Sent): string[] =>
  eventsIn({
    url,
    headers: Object.entries({ 'Content-Type': type, ...headers }),
    body: Buffer.isBuffer(raw) ? raw : Buffer.from(raw ?? (body === undefined ? '' : JSON.stringify(body))),
  }).map((one) => (one.found === 'event' ? (one.kind ?? `?${one.name}`) : one.found));

const b64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');
const url64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: unknown): string => `${url64({ alg: 'HS256', typ: 'JWT' })}.${url64(claims)}.${'A'.repeat(43)}`;
const booking = { id: 'bk_1', title: 'run-1', type: 'discovery-call', status: 'scheduled' };
const created = { type: 'booking.created', data: booking };
const multipart = (...parts: readonly (readonly [string, string])[]): string =>
  `${parts.map(([name, text]) => `--b0\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`).join('')}--b0--\r\n`;

describe('one event', () => {
  test.for<[string, Sent]>([
    ['a type next to the record', { body: created }],
    ['the field event', { body: { event: 'booking.created', booking } }],
    ['the field name', { body: { object: 'event', name: 'booking.created', data: { object: booking } } }],
    ['the type in meta', { body: { meta: { event_type: 'booking.created' }, data: booking } }],
    ['CloudEvents in headers', { body: booking, headers: { 'ce-type': 'booking.created', 'ce-id': '1' } }],
    ['only a header', { body: booking, headers: { 'X-Event-Type': 'booking.created' } }],
    ['the name split over two fields', { body: { resource: 'booking', action: 'created', data: booking } }],
    [
      'the name split over two fields of an envelope',
      { body: { event: { object: 'booking', type: 'created' }, booking } },
    ],
    ['a name after a domain', { body: { ...created, type: 'com.acme.booking.created' } }],
    ['a sentence of a chat message', { body: { text: 'New: booking.created by Ann', attachments: [booking] } }],
    ['a field with the event as its name', { body: { 'booking.created': booking } }],
    [
      'an object with the event and the record',
      { body: { entry: [{ resource: { topic: 'booking.created' } }, { resource: { resourceType: 'Appointment' } }] } },
    ],
    ['the query', { url: '/hooks/x?event=booking.created&id=bk_1' }],
    ['the path', { url: '/hooks/x/booking.created', body: { booking } }],
    ['JSON within JSON', { body: { Type: 'Notification', Message: JSON.stringify(created) } }],
    ['base64 within JSON', { body: { message: { data: b64(created), messageId: '1' } } }],
    ['a body that is a JWT', { raw: jwt({ iat: 1, ...created }), type: 'application/jwt' }],
    ['a form', { raw: 'event=booking.created&id=bk_1', type: 'application/x-www-form-urlencoded' }],
    [
      'JSON in a form',
      { raw: `payload=${encodeURIComponent(JSON.stringify(created))}`, type: 'application/x-www-form-urlencoded' },
    ],
    [
      'parts',
      { raw: multipart(['event', 'booking.created'], ['id', 'bk_1']), type: 'multipart/form-data; boundary=b0' },
    ],
    [
      'JSON in a part',
      {
        raw: multipart(['file', 'x'], ['payload', JSON.stringify(created)]),
        type: 'multipart/form-data; boundary="b0"',
      },
    ],
    ['gzip', { raw: gzipSync(JSON.stringify(created)), headers: { 'Content-Encoding': 'gzip' } }],
    ['XML', { raw: '<event type="booking.created"><id>bk_1</id></event>', type: 'application/xml' }],
    ['a challenge next to the event', { body: { challenge: 'accepted', ...created } }],
    [
      "the webhook's selection of events next to the event",
      { body: { ...created, webhook: { events: ['lead.routed', 'lead.qualified'] } } },
    ],
    ['a history of the record next to the event', { body: { ...created, history: [{ event: 'lead.qualified' }] } }],
    [
      'another kind of record next to it',
      { body: { event: 'booking.created', agent: { type: 'agent.voice', name: 'x' } } },
    ],
  ])('%s', ([, sent]) => {
    expect(read(sent)).toEqual(['booking.created']);
  });
});

describe('several events', () => {
  const archived = { type: 'booking.archived', data: booking };
  test.for<[string, Sent, string[]]>([
    ['a list', { body: [created, { type: 'payment.received', data: {} }] }, ['booking.created', 'payment.received']],
    [
      'an event of another kind first',
      { body: { events: [{ type: 'lead.routed', data: {} }, created] } },
      ['lead.routed', 'booking.created'],
    ],
    ['an undocumented one second', { body: { events: [created, archived] } }, ['booking.created', '?booking.archived']],
    [
      'in a batch that has a name itself',
      { body: { type: 'batch', data: [created, archived] } },
      ['booking.created', '?booking.archived'],
    ],
    [
      'in a batch that a header names',
      { body: [created, archived], headers: { 'X-Event': 'booking.created' } },
      ['booking.created', '?booking.archived'],
    ],
    [
      'nested lists',
      { body: { entry: [{ id: 1, changes: [{ event: 'booking.created' }, { event: 'x.y' }] }] } },
      ['booking.created', '?x.y'],
    ],
    [
      'one event per line',
      { raw: `${JSON.stringify(created)}\n${JSON.stringify({ type: 'lead.routed' })}\n`, type: 'application/x-ndjson' },
      ['booking.created', 'lead.routed'],
    ],
  ])('%s', ([, sent, expected]) => {
    expect(read(sent)).toEqual(expected);
  });

  test('each event gets its own part of the payload', () => {
    const body = Buffer.from(JSON.stringify({ events: [{ type: 'lead.routed', data: { id: 'ld_1' } }, created] }));
    expect(eventsIn({ url: '/', headers: [], body })).toEqual([
      {
        found: 'event',
        kind: 'lead.routed',
        name: 'lead.routed',
        place: '/events/*/type',
        payload: { type: 'lead.routed', data: { id: 'ld_1' } },
      },
      { found: 'event', kind: 'booking.created', name: 'booking.created', place: '/events/*/type', payload: created },
    ]);
  });
});

describe('names that are not documented', () => {
  test.for<[string, Sent, string]>([
    [
      'about a record with that status',
      { body: { type: 'booking.canceled', data: { object: { object: 'booking', status: 'cancelled' } } } },
      '?booking.canceled',
    ],
    ['in capitals', { body: { event: 'BookingCreated', data: booking } }, '?BookingCreated'],
    ['a ping', { body: { event: 'ping' } }, '?ping'],
    ['in a header', { body: booking, headers: { 'X-Event-Type': 'booking.updated' } }, '?booking.updated'],
  ])('%s', ([, sent, expected]) => {
    expect(read(sent)).toEqual([expected]);
  });
});

describe('nothing is read as an event', () => {
  test.for<[string, Sent, string]>([
    ['the type of the record', { body: booking }, 'nothing'],
    [
      'ids, times and sources of an event',
      { body: { event_id: 'evt_1', event_time: '2026-01-31', event_source: 'api' } },
      'nothing',
    ],
    ['an empty body', {}, 'nothing'],
    ['two names and an object in a list', { body: ['booking.created', 'lead.routed', { id: 'wh_1' }] }, 'nothing'],
    [
      'bytes',
      { raw: Buffer.from([0x85, 0x01, 0xff, 0x00, 0xc3, 0x28]), type: 'application/octet-stream' },
      'unreadable',
    ],
    [
      'XML without a documented name',
      { raw: '<event type="booking.archived"/>', type: 'application/xml' },
      'unreadable',
    ],
  ])('%s', ([, sent, expected]) => {
    expect(read(sent)).toEqual([expected]);
  });
});

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { eventsIn } from '../../../../webhooks/events/read.ts';

interface Sent {
  readonly body?: unknown;
  readonly raw?: string | Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
  /** Default: one event, booking.created. */
  readonly reads?: readonly string[];
}

/** `kind or ?name` of each event, `nothing` or `unreadable`. */
const read = ({ body, raw, type = 'application/json', headers = {}, url = '/hooks/x' }: Sent): string[] =>
  eventsIn({
    url,
    headers: Object.entries({ 'Content-Type': type, ...headers }),
    body: Buffer.isBuffer(raw) ? raw : Buffer.from(raw ?? (body === undefined ? '' : JSON.stringify(body))),
  }).map((one) => one.kind ?? (one.name === null ? (one.isReadable ? 'nothing' : 'unreadable') : `?${one.name}`));

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: unknown): string => `${encoded({ alg: 'HS256' })}.${encoded(claims)}.${'A'.repeat(43)}`;
const booking = { id: 'bk_1', title: 'run-1', type: 'discovery-call', status: 'scheduled' };
const created = { type: 'booking.created', data: booking };

const archived = { type: 'booking.archived', data: booking };
const pair = ['booking.created', '?booking.archived'];

const sent: Readonly<Record<string, Sent>> = {
  'two fields': { body: { resource_type: 'booking', action: 'created', data: booking } },
  'two fields, in a batch': {
    body: { events: ['created', 'cancelled'].map((action) => ({ resource_type: 'booking', action, data: booking })) },
    reads: ['booking.created', 'booking.cancelled'],
  },
  'a name after a domain': { body: { ...created, type: 'com.acme.booking.created' } },
  'a field with the event as its name': { body: { 'booking.created': booking } },
  'an object with the event and the record': {
    body: { entry: [{ resource: { topic: 'booking.created' } }, { resource: { resourceType: 'Appointment' } }] },
  },
  'base64 within JSON': { body: { message: { data: encoded(created), messageId: '1' } } },
  'a body that is a JWT': { raw: jwt({ iat: 1, ...created }), type: 'application/jwt' },
  'a form': { raw: 'event=booking.created&id=bk_1', type: 'application/x-www-form-urlencoded' },
  'JSON sent as a form, as by curl -d': { body: created, type: 'application/x-www-form-urlencoded' },
  gzip: { raw: gzipSync(JSON.stringify(created)), headers: { 'Content-Encoding': 'gzip' } },
  XML: { raw: '<event type="booking.created"><id>bk_1</id></event>', type: 'application/xml' },
  "the webhook's selection next to the event": { body: { ...created, webhook: { events: ['lead.routed'] } } },
  'in a batch that has a name itself': { body: { type: 'batch', data: [created, archived] }, reads: pair },
  'in a batch that a header names': {
    body: [created, archived],
    headers: { 'X-Event': 'booking.created' },
    reads: pair,
  },
  'one event a line': {
    raw: `${JSON.stringify(created)}\n${JSON.stringify({ type: 'lead.routed' })}\n`,
    reads: ['booking.created', 'lead.routed'],
  },
  'one about a record with that status': {
    body: { type: 'booking.canceled', data: { object: { object: 'booking', status: 'cancelled' } } },
    reads: ['?booking.canceled'],
  },
  'another name in a header': {
    body: booking,
    headers: { 'X-Event-Type': 'booking.updated' },
    reads: ['?booking.updated'],
  },
  'the type of the record alone': { body: booking, reads: ['nothing'] },
  'ids, times, sources': {
    body: { event_id: 'evt_1', event_time: '2026-01-31', event_source: 'api' },
    reads: ['nothing'],
  },
  'an empty body': { reads: ['nothing'] },
  bytes: { raw: Buffer.from([0x85, 0x01, 0xff, 0x00, 0xc3, 0x28]), reads: ['unreadable'] },
  'what unpacks to megabytes': {
    raw: gzipSync(`[${' '.repeat(5_000_000)}]`),
    headers: { 'Content-Encoding': 'gzip' },
    reads: ['unreadable'],
  },
};

test.for(Object.entries(sent))('what a delivery names is read: %s', ([, { reads = ['booking.created'], ...one }]) => {
  expect(read(one)).toEqual(reads);
});

test('each event gets its own part of the payload', () => {
  const routed = { type: 'lead.routed', data: { id: 'ld_1' } };
  const body = Buffer.from(JSON.stringify({ events: [routed, created] }));
  const place = '/events/*/type';
  expect(eventsIn({ url: '/', headers: [], body })).toMatchObject([
    { kind: 'lead.routed', place, payload: routed },
    { kind: 'booking.created', place, payload: created },
  ]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CannotRun } from '../../common/cannot-run.ts';
import { systemClock } from '../../common/clock.ts';
import { findLists, readJson, walk } from '../../common/json.ts';
import { createRedactor } from '../../common/redact.ts';
import { headerTroubles, judgeLimitValue } from '../../limits/judge/headers.ts';
import { describeHeaders } from '../../limits/judge/reset.ts';
import { callsOf, sampleOf } from '../../limits/judge/trace.ts';
import { parseBodies } from '../../settings/bodies-file.ts';
import { nearSetting } from '../../settings/near-names.ts';
import { parseSettings } from '../../settings/settings.ts';
import { mentions } from '../../suites/reading/own-words.ts';
import { nextPage } from '../../suites/reading/page.ts';
import { idIn, recordIn } from '../../suites/reading/record.ts';
import { findMainList } from '../../suites/reading/rows.ts';
import { judgeRecording } from '../../suites/recorded/judge-recording.ts';
import { readRecording } from '../../suites/recorded/recording.ts';
import { fieldsNamed } from '../../suites/records/named-fields.ts';
import { readCapture } from '../../webhooks/capture/judge.ts';
import { eventsIn } from '../../webhooks/events/read.ts';
import { createMailroom } from '../../webhooks/inbox/inbox.ts';
import type { Delivery } from '../../webhooks/signature/delivery.ts';
import { discoveryLines } from '../../webhooks/signature/describe.ts';
import { discoverScheme } from '../../webhooks/signature/discover.ts';
import { isNightly } from '../nightly.ts';
import { call, harOf, path, source } from '../unit/suites/recorded/habits.ts';

/**
 * Readers of foreign text, by name, but for those that another one opens. They may throw what their documentation says: an Error with a message in one line.
 */
const textReaders: Readonly<Record<string, (text: string) => unknown>> = {
  'limit headers': (text) => {
    const call = { receivedAt: 5, key: 'key', phase: 'run' };
    const samples = [200, 200, 429].map((status, at) => sampleOf({ ...call, status, sentAt: at - 3 }, () => text));
    return [
      samples.map(headerTroubles),
      judgeLimitValue(samples, null),
      describeHeaders(callsOf(samples, 'key'), 60_000),
    ];
  },
  'a Link header': (text) => nextPage({ json: {}, header: () => text }),
  'a refusal': (text) => [
    fieldsNamed({ json: { error: { message: text, field: text, details: [text, text] } }, text: '' }, { name: 'a' }),
    fieldsNamed({ json: undefined, text }, { name: 'a' }),
  ],
  'the depth of JSON': readJson,
  'a name that is nearly a setting': nearSetting,
  'a setting': (text) => parseSettings({ BASE_URL: text, TIMEOUT_MS: text, WRITES: text, WEBHOOK_LISTEN: text }),
};

/** Readers of foreign JSON. */
const jsonReaders: Readonly<Record<string, (json: unknown) => unknown>> = {
  // Wherever it stands in a recording.
  'a recording': async (json) => {
    const [request, response] = [
      [{ url: json }, { method: json }, { headers: json }, { postData: json }],
      [
        { status: json },
        { headers: [{ name: json, value: json }] },
        { content: json },
        { content: { text: json, encoding: 'base64' } },
      ],
    ] as const;
    const entries = [...request.map((one) => call(path, one, {})), ...response.map((one) => call(path, {}, one)), json];
    const redactor = createRedactor();
    const results = await judgeRecording(readRecording(harOf(...entries), source, redactor), redactor);
    expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
  },
  walkers: (json) => [walk(json), findLists(json), findMainList(json, 'agent')],
  records: (json) => [recordIn(json, 'agent'), idIn(json, 'key'), mentions(json, 'run-1')],
  'the next page': (json) => nextPage({ json, header: () => null }),
  BODIES: parseBodies,
};

/** Words of the headers in which limits, links and signatures come. */
const words = [
  ...'t= v1= , ; =" " : . sha256= eyJhbGciOiJIUzI1NiJ9. 1790510400 6ab8fd00 signature=" {signature}'.split(' '),
  ...'< = - 1e999 GMT T00:00:00Z %25 \\u {{ \u0000'.split(' '),
  ...['a'.repeat(64), 'A'.repeat(43), 'headers="(created) (x+)+ date"', '>; rel="next"', '; ', ', '],
];
const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...words),
  fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  fc.webUrl({ withQueryParameters: true }),
  fc.double().map(String),
);
const text = fc.array(piece, { maxLength: 12 }).map((all) => all.join(''));
const names =
  'id next next_cursor total page has_more data waivers clause expires format observed __proto__ constructor scheme toString';
const name = fc.oneof(fc.constantFrom(...names.split(' '), 'POST /v1/agents'), fc.string());
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.integer()),
    fc.array(tie('json'), { maxLength: 5 }),
    fc.dictionary(name, tie('json'), { maxKeys: 6, noNullPrototype: true }),
  ),
}));

/** Whether an error is the reader's own, which says what is wrong, and not a programming error. */
async function expectOwn(read: () => unknown): Promise<void> {
  try {
    await read();
  } catch (error) {
    const { name: kind, message, stack = '' } = error as Error;
    const isSlip =
      !(error instanceof CannotRun) &&
      (['AssertionError', 'ReferenceError', 'RangeError', 'SyntaxError', 'URIError'].includes(kind) ||
        /undefined|not a function|Cannot read/.test(message));
    expect([isSlip, message.length > 0, isSlip ? stack : '']).toEqual([false, true, '']);
  }
}

// Deliveries of webhooks.

const headerNames =
  'X-Signature Signature Signature-Input Authorization X-Signed-Headers Content-Type X-Hook-Secret Content-Encoding Digest X-Event';
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.oneof(fc.json(), text).map((one) => Buffer.from(one)),
);
const delivery: fc.Arbitrary<Delivery> = fc.record({
  method: fc.constantFrom('POST', 'GET', 'PUT', 'post', ''),
  url: fc.oneof(
    fc.constant('/hooks/x'),
    text,
    text.map((query) => `/x?${query}`),
  ),
  registeredUrl: fc.oneof(fc.constant('https://a.example/hooks/x'), text),
  headers: fc.array(fc.tuple(fc.oneof(fc.constantFrom(...headerNames.split(' ')), fc.string({ minLength: 1 })), text), {
    maxLength: 6,
  }),
  body,
  receivedAt: fc.oneof(fc.constant(Date.UTC(2026, 8, 27, 12)), fc.double()),
});

const mailroom = createMailroom('http://inbox.test', systemClock);
const { pathname } = new URL(mailroom.open('secret').url);

/** Readers of deliveries. Something is made of them, whatever they are. */
const deliveryReaders: Readonly<Record<string, (all: readonly Delivery[]) => unknown>> = {
  discovery: (all) => expect(discoveryLines(discoverScheme(all, 'secret', { maxHmacs: 100 }))).not.toEqual([]),
  events: (all) => expect(all.map((one) => eventsIn(one))).not.toContainEqual([]),
  'the inbox, at a mailbox and elsewhere': (all) => {
    const sent = all.flatMap((one) => [one, { ...one, url: pathname + one.url }]);
    expect([200, 404, 503]).toEqual(expect.arrayContaining(sent.map((one) => mailroom.receive(one).status)));
  },
};

type Read<T> = (one: T) => unknown;
const readersOf = <T>(from: fc.Arbitrary<T>, readers: Readonly<Record<string, Read<T>>>) =>
  Object.entries(readers).map(([what, read]) => [what, from as fc.Arbitrary<unknown>, read as Read<unknown>] as const);

test.for([
  ...readersOf(text, textReaders),
  ...readersOf(json, jsonReaders),
  ...readersOf(body, { 'a capture': (bytes) => readCapture({ name: 'capture', bytes }) }),
  ...readersOf(fc.array(delivery, { maxLength: 3 }), deliveryReaders),
])('any input is read or refused with a message: %s', async ([, from, read]) => {
  const property = fc.asyncProperty(from, (one) => expectOwn(() => read(one)));
  await fc.assert(property, { numRuns: isNightly ? 1_000 : 50 });
});

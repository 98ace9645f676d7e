import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findLists, hasValue, walk } from '../../../common/json.ts';
import { jsonTrouble } from '../../../common/nesting.ts';
import { createRedactor } from '../../../common/redact.ts';
import { shortenKeyLike } from '../../../common/redaction/key-like.ts';
import { firstNumber, headerTroubles, judgeLimitValue } from '../../../limits/judge/headers.ts';
import { clockOffset, describeHeaders } from '../../../limits/judge/reset.ts';
import { callsOf, type Sample } from '../../../limits/judge/trace.ts';
import { inert } from '../../../reports/text.ts';
import { parseProfile } from '../../../results/drift.ts';
import { parseWaivers } from '../../../results/waivers.ts';
import { parseBodies } from '../../../settings/bodies-file.ts';
import { nearSetting } from '../../../settings/near-names.ts';
import { parseSettings } from '../../../settings/settings.ts';
import { findMainList } from '../../../suites/reading/main-list.ts';
import { mentions } from '../../../suites/reading/own-words.ts';
import { nextPage } from '../../../suites/reading/page.ts';
import { recordIn } from '../../../suites/reading/record.ts';
import { idIn } from '../../../suites/reading/shown-ids.ts';
import { fieldsNamed } from '../../../suites/records/named-fields.ts';
import { eventsIn } from '../../../webhooks/events/read.ts';
import { parseScheme } from '../../../webhooks/signature/scheme-file.ts';
import { readTime } from '../../../webhooks/signature/times.ts';
import { tokensIn } from '../../../webhooks/signature/tokens.ts';

/**
 * Readers of foreign text, by name. They may throw what their documentation says: an Error with a message in one line.
 */
const textReaders: Readonly<Record<string, (text: string) => unknown>> = {
  'the first number of a header': firstNumber,
  'limit headers': (text) => {
    const samples = [1, 2, 3].map((number) => sampleOf(text, number));
    return [
      clockOffset(samples),
      headerTroubles(sampleOf(text, 1)),
      judgeLimitValue(samples, null),
      describeHeaders(callsOf(samples, 'key'), 60_000),
    ];
  },
  'a Link header': (text) => nextPage({ json: {}, header: () => text }),
  times: readTime,
  'signature tokens': tokensIn,
  'a refusal': (text) => [
    fieldsNamed({ json: { error: { message: text, field: text, details: [text, text] } }, text: '' }, { name: 'a' }),
    fieldsNamed({ json: undefined, text }, { name: 'a' }),
  ],
  'the name of an event': (text) =>
    eventsIn({
      url: '/',
      headers: [['X-Event', text]],
      body: Buffer.from(JSON.stringify({ event: text, [text]: {} })),
    }),
  'a line for a CI runner': inert,
  'the depth of JSON': (text) => jsonTrouble(Buffer.from(text)),
  'a name that is nearly a setting': nearSetting,
  'key-like words': shortenKeyLike,
  redaction: (text) => {
    const redactor = createRedactor();
    redactor.learn('svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH');
    return redactor.clean(text);
  },
  'a setting': (text) => parseSettings({ BASE_URL: text, TIMEOUT_MS: text, WRITES: text, WEBHOOK_LISTEN: text }),
};

/** Readers of foreign JSON. */
const jsonReaders: Readonly<Record<string, (json: unknown) => unknown>> = {
  walkers: (json) => [walk(json), findLists(json), findMainList(json, 'agent'), hasValue(json, '7')],
  records: (json) => [recordIn(json, 'agent'), idIn(json, 'key'), mentions(json, 'run-1')],
  'the next page': (json) => nextPage({ json, header: () => null }),
  BODIES: parseBodies,
  WAIVERS: parseWaivers,
  PROFILE: parseProfile,
  'a scheme': parseScheme,
};

const sampleOf = (text: string, number: number): Sample => ({
  sentAt: number * 1_000,
  receivedAt: number * 1_000 + 5,
  status: number === 3 ? 429 : 200,
  key: 'key',
  phase: 'run',
  limit: text,
  remaining: text,
  reset: text,
  retryAfter: text,
  date: text,
});

const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...'< = " - 1e999 GMT T00:00:00Z %25 &#x; \\u {{ \u0000'.split(' '), '>; rel="next"', '; ', ', '),
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
function expectOwn(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    const { name: kind, message, stack = '' } = error as Error;
    const isSlip =
      ['ReferenceError', 'RangeError', 'SyntaxError', 'URIError'].includes(kind) ||
      /undefined|not a function|Cannot read/.test(message);
    expect([isSlip, message.length > 0, isSlip ? stack : '']).toEqual([false, true, '']);
  }
}

describe('any input is read or refused with a message', () => {
  test.for(Object.entries(textReaders))('%s', ([, read]) => {
    fc.assert(
      fc.property(text, (one) => expectOwn(() => read(one))),
      { numRuns: 300 },
    );
  });

  test.for(Object.entries(jsonReaders))('%s', ([, read]) => {
    fc.assert(
      fc.property(json, (one) => expectOwn(() => read(one))),
      { numRuns: 300 },
    );
  });
});

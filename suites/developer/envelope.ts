import { at, isEmptyValue, isObject } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import { counted } from '../../common/words.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { Checks } from '../engine/check.ts';
import { isUnread, type Rule } from '../engine/judge-responses.ts';
import { isSuccess } from '../session/answer.ts';
import type { Answered } from '../session/evidence/evidence.ts';
import { isDocumented, isFailure, judgeField, judgeJson, kindOf, ofWrongType } from '../shared/every-response.ts';

type Filter = (exchange: Answered) => boolean;

const isEnveloped: Filter = (exchange) => isObject(exchange.response.json) || isUnread(exchange);
const isAccepted: Filter = ({ response }) => isSuccess(response);
const isBodiless: Filter = ({ response }) => [204, 304].includes(response.status);

const valueAt = ({ response }: Answered, pointer: string): unknown => at(response.json, pointer);

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Epoch milliseconds of a timestamp in the documented form; null where the form or the instant is wrong. */
function instantOf(value: unknown): number | null {
  if (typeof value !== 'string') {
    return null;
  }
  const instant = Date.parse(value);
  const utc = value.replace('+00:00', 'Z');
  // A day that does not exist rolls over or does not parse: either way it is not written back as it was.
  return !Number.isNaN(instant) && utc.length === 24 && new Date(instant).toISOString() === utc ? instant : null;
}

/** How far a timestamp may be from the clock, ms. */
const clockTolerance = 5 * 60_000;

/** Response envelope: every clause on every response. */
export const envelope: Checks = {
  'developer.envelope.json': judgeJson({
    object: true,
    isExempt: (exchange) => isBodiless(exchange) && !isDocumented(exchange),
  }),

  'developer.envelope.success': judgeField({
    place: '/success',
    expected: 'true or false',
    applies: isEnveloped,
    trouble: (value) => (typeof value === 'boolean' ? null : ofWrongType(value)),
  }),

  'developer.envelope.success-matches-status': judgeField({
    place: '/success',
    expected: 'true on 2xx, false on 4xx and 5xx',
    applies: (exchange) =>
      isEnveloped(exchange) &&
      (typeof valueAt(exchange, '/success') === 'boolean' || isUnread(exchange)) &&
      (isAccepted(exchange) || isFailure(exchange)),
    trouble: (value, exchange) =>
      value === isAccepted(exchange) ? null : `${show(value)} on ${exchange.response.status}`,
  }),

  'developer.envelope.data': judgeField({
    place: '/data',
    expected: 'an object',
    applies: (exchange) => isEnveloped(exchange) && isAccepted(exchange),
    trouble: (value) => (isObject(value) ? null : kindOf(value)),
  }),

  'developer.envelope.data-on-error': judgeField({
    place: '/data',
    expected: 'absent, null or empty',
    applies: (exchange) => isEnveloped(exchange) && isFailure(exchange),
    trouble: (value) => (isEmptyValue(value) ? null : ofWrongType(value)),
  }),

  'developer.envelope.context': judgeField({
    place: '/context',
    expected: 'an object, or null',
    applies: isEnveloped,
    trouble: (value) => (value === null || isObject(value) ? null : kindOf(value)),
  }),

  'developer.envelope.error-on-success': judgeField({
    place: '/error',
    expected: 'present and null',
    applies: (exchange) => isEnveloped(exchange) && isAccepted(exchange),
    trouble: (value) => (value === null ? null : ofWrongType(value)),
  }),

  'developer.envelope.error-on-failure': judgeField({
    place: '/error',
    expected: 'an object',
    applies: (exchange) => isEnveloped(exchange) && isFailure(exchange),
    trouble: (value) => (isObject(value) ? null : ofWrongType(value)),
  }),

  'developer.envelope.trace-id': judgeField({
    place: '/meta/trace_id',
    expected: 'a version 4 UUID',
    applies: isEnveloped,
    trouble: uuidTrouble,
  }),

  'developer.envelope.trace-id-unique': (session) => {
    const seen = new Map<unknown, string>();
    const judge = judgeField({
      place: '/meta/trace_id',
      expected: 'a trace id that no other response has',
      applies: (exchange) => isEnveloped(exchange) && typeof valueAt(exchange, '/meta/trace_id') === 'string',
      trouble: (id, { response }) => {
        const earlier = seen.get(id);
        seen.set(id, response.text);
        if (earlier === undefined) {
          return null;
        }
        return earlier === response.text && response.text !== ''
          ? 'the trace id of an earlier response, whose whole body it repeats: a cache answered'
          : 'the trace id of an earlier response';
      },
      leastResponses: 2,
    });
    return judge(session);
  },

  'developer.envelope.timestamp': judgeField({
    place: '/meta/timestamp',
    expected: 'a real UTC instant such as 2026-01-31T08:00:00.000Z',
    applies: isEnveloped,
    trouble: (value) => (instantOf(value) === null ? timestampTrouble(value) : null),
  }),

  'developer.envelope.timestamp-clock': judgeField({
    place: '/meta/timestamp',
    expected: 'within five minutes of the clock',
    applies: (exchange) => isEnveloped(exchange) && instantOf(valueAt(exchange, '/meta/timestamp')) !== null,
    trouble: (value, exchange) => clockTrouble(exchange, instantOf(value) ?? 0),
  }),
};

// Findings are grouped by the kind of trouble, so no kind may contain what differs from response to response.

function uuidTrouble(value: unknown): string | null {
  if (typeof value !== 'string') {
    return kindOf(value);
  }
  if (uuidV4.test(value)) {
    return null;
  }
  const version = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(value)?.[1];
  if (version === undefined) {
    return 'not a UUID';
  }
  return version === '4' ? 'a UUID with a non-standard variant' : `a UUID of version ${version}`;
}

function timestampTrouble(value: unknown): ReturnType<Rule['trouble']> {
  if (typeof value !== 'string') {
    return kindOf(value);
  }
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|\+00:00)$/.test(value)) {
    return { kind: 'not a real date', value };
  }
  // What has other words than a time may be anything, and a secret with its digits replaced would not be redacted.
  const isTime = (value.match(/[a-z]+/gi) ?? []).every((word) => wordOfTime.test(word));
  return isTime && value.length <= 40 ? `a string of the form ${value.replace(/\d/g, '0')}` : 'not a timestamp';
}

const daysAndMonths =
  'Mon(day)?|Tue(sday)?|Wed(nesday)?|Thu(rsday)?|Fri(day)?|Sat(urday)?|Sun(day)?|Jan(uary)?|Feb(ruary)?|Mar(ch)?|' +
  'Apr(il)?|May|June?|July?|Aug(ust)?|Sep(tember)?|Oct(ober)?|Nov(ember)?|Dec(ember)?';
const wordOfTime = new RegExp(`^(T|Z|UTC|GMT|[AP]M|${daysAndMonths})$`, 'i');

function clockTrouble({ sentAt, receivedAt }: Exchange, instant: number): ReturnType<Rule['trouble']> {
  // Timestamps have whole milliseconds; the clock may have fractions of them.
  if (instant >= Math.floor(sentAt) - clockTolerance && instant <= receivedAt + clockTolerance) {
    return null;
  }
  const ms = instant - receivedAt;
  return { kind: ms > 0 ? 'ahead of the clock' : 'behind the clock', value: inUnits(Math.abs(ms)) };
}

/** A length of time in its largest unit: `28 days`. */
function inUnits(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const hours = Math.round(minutes / 60);
  if (hours < 2) {
    return counted(minutes, 'minute');
  }
  return hours < 48 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}

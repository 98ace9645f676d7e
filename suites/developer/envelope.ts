import { at, isEmptyValue, isObject } from '../../common/json.ts';
import { counted, show } from '../../common/words.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { Check, Checks } from '../engine/check.ts';
import { isUnread, type Rule } from '../engine/judge-responses.ts';
import { isSuccess } from '../session/call.ts';
import type { Answered } from '../session/evidence/evidence.ts';
import { isDocumented, isFailure, jsonTypeOf, judgeField, judgeJson, ofWrongType } from '../shared/every-response.ts';

type Filter = (exchange: Answered) => boolean;
type Trouble = ReturnType<Rule['trouble']>;

const isEnveloped: Filter = (exchange) => isObject(exchange.response.json) || isUnread(exchange);
const isAccepted: Filter = ({ response }) => isSuccess(response);
const isBodiless: Filter = ({ response }) => [204, 304].includes(response.status);

const valueAt = ({ response }: Answered, pointer: string): unknown => at(response.json, pointer);

/** A check: a field of every envelope to which it applies has the expected value. */
const field = (
  place: string,
  expected: string,
  trouble: (value: unknown, exchange: Answered) => Trouble,
  applies: Filter = () => true,
): Check => judgeField({ place, expected, trouble, applies: (exchange) => isEnveloped(exchange) && applies(exchange) });

/** A check: a field is of the right type. */
const typed = (place: string, expected: string, isRight: (value: unknown) => boolean, applies?: Filter): Check =>
  field(
    place,
    expected,
    (value) => (isRight(value) ? null : isObject(value) ? jsonTypeOf(value) : ofWrongType(value)),
    applies,
  );

/** Response envelope: every clause on every response. */
export const envelope: Checks = {
  'developer.envelope.json': judgeJson({
    object: true,
    isExempt: (exchange) => isBodiless(exchange) && !isDocumented(exchange),
  }),

  'developer.envelope.success': typed('/success', 'true or false', (value) => typeof value === 'boolean'),
  'developer.envelope.success-matches-status': field(
    '/success',
    'true on 2xx, false on 4xx and 5xx',
    (value, exchange) => (value === isAccepted(exchange) ? null : `${show(value)} on ${exchange.response.status}`),
    (exchange) =>
      (typeof valueAt(exchange, '/success') === 'boolean' || isUnread(exchange)) &&
      (isAccepted(exchange) || isFailure(exchange)),
  ),

  'developer.envelope.data': typed('/data', 'an object', isObject, isAccepted),
  'developer.envelope.data-on-error': typed('/data', 'absent, null or empty', isEmptyValue, isFailure),
  'developer.envelope.context': typed('/context', 'an object, or null', (value) => value === null || isObject(value)),
  'developer.envelope.error-on-success': typed('/error', 'present and null', (value) => value === null, isAccepted),
  'developer.envelope.error-on-failure': typed('/error', 'an object', isObject, isFailure),

  'developer.envelope.trace-id': field('/meta/trace_id', 'a version 4 UUID', uuidTrouble),
  'developer.envelope.trace-id-unique': (session, tally) => {
    const seen = new Map<unknown, string>();
    const judge = judgeField({
      place: '/meta/trace_id',
      expected: 'a trace id that no other response has',
      applies: (exchange) => typeof valueAt(exchange, '/meta/trace_id') === 'string',
      trouble: (id, { response: { text } }) => {
        const earlier = seen.get(id);
        seen.set(id, text);
        const isRepeated = earlier === text && text !== '';
        return earlier === undefined
          ? null
          : `the trace id of an earlier response${isRepeated ? ', whose whole body it repeats: a cache answered' : ''}`;
      },
      leastResponses: 2,
    });
    return judge(session, tally);
  },

  'developer.envelope.timestamp': field(
    '/meta/timestamp',
    'a real UTC instant such as 2026-01-31T08:00:00.000Z',
    timestampTrouble,
  ),
  'developer.envelope.timestamp-clock': field(
    '/meta/timestamp',
    'within five minutes of the clock',
    (value, exchange) => clockTrouble(exchange, instantOf(value) ?? 0),
    // A recording may have no time.
    (exchange) => exchange.sentAt > 0 && instantOf(valueAt(exchange, '/meta/timestamp')) !== null,
  ),
};

// Findings are grouped by the kind of trouble, so no kind may contain what differs from response to response.

function uuidTrouble(value: unknown): Trouble {
  if (typeof value !== 'string') {
    return jsonTypeOf(value);
  }
  const isVersion4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(value);
  return isVersion4 ? null : { kind: 'no version 4 UUID', value };
}

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

function timestampTrouble(value: unknown): Trouble {
  if (typeof value !== 'string' || instantOf(value) !== null) {
    return typeof value === 'string' ? null : jsonTypeOf(value);
  }
  const [isUtc, fraction = ''] = /:\d\d(?:\.(\d*))?(?:Z|\+00:00)$/.exec(value) ?? [];
  const hasWrongDigits = isUtc !== undefined && fraction.length !== 3;
  return { kind: hasWrongDigits ? `a time with ${fraction.length} fraction digits, not 3` : 'no such instant', value };
}

/** How far a timestamp may be from the clock, ms. */
const clockTolerance = 5 * 60_000;

function clockTrouble({ sentAt, receivedAt }: Exchange, instant: number): Trouble {
  // Timestamps have whole milliseconds; the clock may have fractions of them.
  if (instant >= Math.floor(sentAt) - clockTolerance && instant <= receivedAt + clockTolerance) {
    return null;
  }
  const minutes = Math.round((instant - receivedAt) / 60_000);
  return { kind: minutes > 0 ? 'ahead of the clock' : 'behind the clock', value: counted(Math.abs(minutes), 'minute') };
}

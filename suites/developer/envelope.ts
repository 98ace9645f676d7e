import { at, isObject } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { Check, Checks } from '../engine/check.ts';
import { isUnread, judgeAll, type Rule } from '../engine/every-response.ts';
import { isSuccess } from '../session/answer.ts';
import type { Answered } from '../session/evidence/evidence.ts';
import { isDocumented, isFailure, judgeJson } from '../shared/every-response.ts';

type Filter = (exchange: Answered) => boolean;

const isEnveloped: Filter = (exchange) => isObject(exchange.response.json) || isUnread(exchange);
const isAccepted: Filter = ({ response }) => isSuccess(response);
const isBodiless: Filter = ({ response }) => [204, 304].includes(response.status);

const valueAt = ({ response }: Answered, pointer: string): unknown => at(response.json, pointer);

/** Judges one field of the envelope, in every response that has an envelope and passes the filter. */
const fieldRule =
  (
    place: string,
    expected: string,
    trouble: (value: unknown, exchange: Answered) => string | null,
    { filter = () => true, ...rest }: { readonly filter?: Filter } & Pick<Rule, 'leastResponses'> = {},
  ): Check =>
  async ({ evidence }) =>
    judgeAll(evidence.responses.filter(isEnveloped).filter(filter), {
      expected,
      place,
      trouble: (exchange) => trouble(valueAt(exchange, place), exchange),
      ...rest,
    });

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

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

  'developer.envelope.success': fieldRule('/success', 'true or false', (value) =>
    typeof value === 'boolean' ? null : show(value),
  ),

  'developer.envelope.success-matches-status': fieldRule(
    '/success',
    'true on 2xx, false on 4xx and 5xx',
    (value, exchange) => (value === isAccepted(exchange) ? null : `${show(value)} on ${exchange.response.status}`),
    {
      filter: (exchange) =>
        (typeof valueAt(exchange, '/success') === 'boolean' || isUnread(exchange)) &&
        (isAccepted(exchange) || isFailure(exchange)),
    },
  ),

  'developer.envelope.data': fieldRule('/data', 'an object', (value) => (isObject(value) ? null : kindOf(value)), {
    filter: isAccepted,
  }),

  'developer.envelope.data-on-error': fieldRule(
    '/data',
    'absent, null or empty',
    (value) => (isEmpty(value) ? null : show(value, 60)),
    { filter: isFailure },
  ),

  'developer.envelope.context': fieldRule('/context', 'an object, or null', (value) =>
    value === null || isObject(value) ? null : kindOf(value),
  ),

  'developer.envelope.error-on-success': fieldRule(
    '/error',
    'present and null',
    (value) => (value === null ? null : show(value, 60)),
    { filter: isAccepted },
  ),

  'developer.envelope.error-on-failure': fieldRule(
    '/error',
    'an object',
    (value) => (isObject(value) ? null : show(value, 60)),
    { filter: isFailure },
  ),

  'developer.envelope.trace-id': fieldRule('/meta/trace_id', 'a version 4 UUID', uuidTrouble),

  'developer.envelope.trace-id-unique': (session) => {
    const seen = new Set<unknown>();
    const judge = fieldRule(
      '/meta/trace_id',
      'a trace id that no other response has',
      (id) => {
        const isKnown = seen.has(id);
        seen.add(id);
        return isKnown ? 'a trace id that an earlier response has too' : null;
      },
      { filter: (exchange) => typeof valueAt(exchange, '/meta/trace_id') === 'string', leastResponses: 2 },
    );
    return judge(session);
  },

  'developer.envelope.timestamp': fieldRule(
    '/meta/timestamp',
    'a real UTC instant such as 2026-01-31T08:00:00.000Z',
    (value) => (instantOf(value) === null ? timestampTrouble(value) : null),
  ),

  'developer.envelope.timestamp-clock': fieldRule(
    '/meta/timestamp',
    'within five minutes of the clock',
    (value, exchange) => clockTrouble(exchange, instantOf(value) ?? 0),
    { filter: (exchange) => instantOf(valueAt(exchange, '/meta/timestamp')) !== null },
  ),
};

// The same trouble must have the same text in every response, since findings are grouped by it.

function kindOf(value: unknown): string {
  if (value === undefined || value === null) {
    return value === null ? 'null' : 'absent';
  }
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function uuidTrouble(value: unknown): string | null {
  if (typeof value !== 'string') {
    return kindOf(value);
  }
  if (uuidV4.test(value)) {
    return null;
  }
  const version = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(value)?.[1];
  if (version === undefined) {
    return 'a string that is no UUID';
  }
  return version === '4' ? 'a UUID whose variant is not the standard one' : `a UUID of version ${version}`;
}

function timestampTrouble(value: unknown): string {
  if (typeof value !== 'string') {
    return kindOf(value);
  }
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|\+00:00)$/.test(value)) {
    return `an instant that does not exist: ${value}`;
  }
  // What has other words than a time may be anything, and a secret with its digits replaced would not be redacted.
  const isTime = (value.match(/[a-z]+/gi) ?? []).every((word) => wordOfTime.test(word));
  return isTime && value.length <= 40 ? `a text of the form ${value.replace(/\d/g, '0')}` : 'a text that is no time';
}

const daysAndMonths =
  'Mon(day)?|Tue(sday)?|Wed(nesday)?|Thu(rsday)?|Fri(day)?|Sat(urday)?|Sun(day)?|Jan(uary)?|Feb(ruary)?|Mar(ch)?|' +
  'Apr(il)?|May|June?|July?|Aug(ust)?|Sep(tember)?|Oct(ober)?|Nov(ember)?|Dec(ember)?';
const wordOfTime = new RegExp(`^(T|Z|UTC|GMT|[AP]M|${daysAndMonths})$`, 'i');

function clockTrouble({ sentAt, receivedAt }: Exchange, instant: number): string | null {
  // Timestamps have whole milliseconds; the clock may have fractions of them.
  if (instant >= Math.floor(sentAt) - clockTolerance && instant <= receivedAt + clockTolerance) {
    return null;
  }
  const minutes = Math.round((instant - receivedAt) / 60_000);
  return minutes > 0 ? `${minutes} minutes ahead` : `${-minutes} minutes behind`;
}

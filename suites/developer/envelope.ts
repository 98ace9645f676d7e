import { answered } from '../kit/evidence.ts';
import { headerOf, type Exchange } from '../kit/exchange.ts';
import type { Checks } from '../kit/engine.ts';
import { judgeAll, type Answered } from '../kit/every-response.ts';
import { show } from '../kit/schema.ts';
import { at, isObject } from '../kit/search.ts';

const success = ({ response }: Answered): boolean => response.status >= 200 && response.status < 300;
const failure = ({ response }: Answered): boolean => response.status >= 400;
const body = ({ response }: Answered): unknown => response.json;
const enveloped = (exchange: Answered): boolean => isObject(body(exchange));
const absentOrEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Any `…/json` or `…+json` type labels JSON. */
const jsonType = /^[^;]*[/+]json\s*(;|$)/i;

/** What is wrong with a body as such; null where it is one JSON object, labelled as JSON. */
function bodyTrouble(exchange: Answered): string | null {
  const { status, text } = exchange.response;
  const type = headerOf(exchange.response.headers, 'content-type');
  if (status === 204 || status === 304) return `status ${status}, which has no body`;
  if (text === '') return 'an empty body';
  if (exchange.response.json === undefined) return `not JSON, labelled ${type ?? 'not at all'}`;
  if (!isObject(exchange.response.json)) return `JSON that is no object: ${show(exchange.response.json, 40)}`;
  return type !== null && jsonType.test(type) ? null : `JSON labelled ${type ?? 'not at all'}`;
}

const bodiless = (exchange: Exchange & { response: { status: number } }): boolean =>
  exchange.response.status === 204 || exchange.response.status === 304;

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const utcWithMilliseconds = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{3})(Z|\+00:00)$/;

/** Epoch milliseconds of a timestamp in the documented form; null where the form or the instant is wrong. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string' || !utcWithMilliseconds.test(value)) return null;
  const parsed = Date.parse(value);
  // A day that does not exist rolls over or does not parse; either way it does not come back as it was.
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().slice(0, 23) === value.slice(0, 23) ? parsed : null;
}

const clockTolerance = 5 * 60_000;

/** Response envelope: every clause on every response. */
export const envelope: Checks = {
  'developer.envelope.json': async ({ evidence }) =>
    judgeAll(answered(evidence).filter((exchange) => !bodiless(exchange) || exchange.purpose !== 'off-document'), {
      expected: 'one JSON object, labelled as JSON', place: 'body',
      trouble: bodyTrouble,
    }),

  'developer.envelope.success': async ({ evidence }) => judgeAll(answered(evidence).filter(enveloped), {
    expected: 'true or false', place: '/success',
    trouble: (exchange) => (typeof at(body(exchange), '/success') === 'boolean' ? null : show(at(body(exchange), '/success'))),
  }),

  'developer.envelope.success-matches-status': async ({ evidence }) =>
    judgeAll(answered(evidence).filter((exchange) => typeof at(body(exchange), '/success') === 'boolean' && (success(exchange) || failure(exchange))), {
      expected: 'true on 2xx, false on 4xx and 5xx', place: '/success',
      trouble: (exchange) => (at(body(exchange), '/success') === success(exchange) ? null : `${String(at(body(exchange), '/success'))} on ${exchange.response.status}`),
    }),

  'developer.envelope.data': async ({ evidence }) => judgeAll(answered(evidence).filter(enveloped).filter(success), {
    expected: 'an object', place: '/data',
    trouble: (exchange) => (isObject(at(body(exchange), '/data')) ? null : kindOf(at(body(exchange), '/data'))),
  }),

  'developer.envelope.data-on-error': async ({ evidence }) => judgeAll(answered(evidence).filter(enveloped).filter(failure), {
    expected: 'absent, null or empty', place: '/data',
    trouble: (exchange) => (absentOrEmpty(at(body(exchange), '/data')) ? null : show(at(body(exchange), '/data'), 60)),
  }),

  'developer.envelope.context': async ({ evidence }) => judgeAll(answered(evidence).filter(enveloped), {
    expected: 'an object, or null', place: '/context',
    trouble: (exchange) => objectOrNull(at(body(exchange), '/context')),
  }),

  'developer.envelope.error-on-success': async ({ evidence }) => judgeAll(answered(evidence).filter(enveloped).filter(success), {
    expected: 'present and null', place: '/error',
    trouble: (exchange) => (at(body(exchange), '/error') === null ? null : show(at(body(exchange), '/error'), 60)),
  }),

  'developer.envelope.error-on-failure': async ({ evidence }) => judgeAll(answered(evidence).filter(enveloped).filter(failure), {
    expected: 'an object', place: '/error',
    trouble: (exchange) => (isObject(at(body(exchange), '/error')) ? null : show(at(body(exchange), '/error'), 60)),
  }),

  'developer.envelope.trace-id': async ({ evidence }) => judgeAll(answered(evidence).filter(enveloped), {
    expected: 'a version 4 UUID', place: '/meta/trace_id',
    trouble: (exchange) => uuidTrouble(at(body(exchange), '/meta/trace_id')),
  }),

  'developer.envelope.trace-id-unique': async ({ evidence }) => {
    const seen = new Map<string, number>();
    return judgeAll(answered(evidence).filter((exchange) => typeof at(body(exchange), '/meta/trace_id') === 'string'), {
      expected: 'a trace id that no other response has', place: '/meta/trace_id', least: 2,
      trouble: (exchange) => {
        const id = String(at(body(exchange), '/meta/trace_id')).toLowerCase();
        const earlier = seen.get(id);
        if (earlier === undefined) seen.set(id, exchange.number);
        return earlier === undefined ? null : 'a trace id that an earlier response has too';
      },
    });
  },

  'developer.envelope.timestamp': async ({ evidence }) => judgeAll(answered(evidence).filter(enveloped), {
    expected: 'a real UTC instant such as 2026-01-31T08:00:00.000Z', place: '/meta/timestamp',
    trouble: (exchange) => (instantOf(at(body(exchange), '/meta/timestamp')) === null ? timestampTrouble(at(body(exchange), '/meta/timestamp')) : null),
  }),

  'developer.envelope.timestamp-clock': async ({ evidence }) =>
    judgeAll(answered(evidence).filter((exchange) => instantOf(at(body(exchange), '/meta/timestamp')) !== null), {
      expected: 'within five minutes of the clock', place: '/meta/timestamp',
      trouble: (exchange) => clockTrouble(exchange, instantOf(at(body(exchange), '/meta/timestamp')) ?? 0),
    }),
};

const kindOf = (value: unknown): string =>
  (value === undefined ? 'absent' : value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`);

const objectOrNull = (value: unknown): string | null => (value === null || isObject(value) ? null : kindOf(value));

/** Alike troubles must read alike, or each response would be a cause of its own. */
function uuidTrouble(value: unknown): string | null {
  if (typeof value === 'string' && uuidV4.test(value)) return null;
  const version = typeof value === 'string' ? /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(value)?.[1] : undefined;
  if (version === '4') return 'a UUID whose variant is not the standard one';
  return version !== undefined ? `a UUID of version ${version}` : typeof value === 'string' ? 'a string that is no UUID' : kindOf(value);
}

function timestampTrouble(value: unknown): string {
  if (typeof value !== 'string') return kindOf(value);
  const form = value.slice(0, 40).replace(/[0-9]/g, '0');
  return utcWithMilliseconds.test(value) ? `an instant that does not exist: ${value}` : `a text of the form ${form}`;
}

function clockTrouble({ sentAt, receivedAt }: Exchange, instant: number): string | null {
  if (instant >= sentAt - clockTolerance && instant <= receivedAt + clockTolerance) return null;
  const minutes = Math.round((instant - receivedAt) / 60_000);
  return minutes > 0 ? `${minutes} minutes ahead` : `${-minutes} minutes behind`;
}

import { at, isObject } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import { type Exchange, headerOf } from '../../results/exchange.ts';
import type { Checks } from '../engine/engine.ts';
import { type Answered, judgeAll } from '../engine/every-response.ts';
import { answered } from '../session/evidence.ts';

const success = ({ response }: Answered): boolean => Math.floor(response.status / 100) === 2;
const failure = ({ response }: Answered): boolean => response.status >= 400;
const body = ({ response }: Answered): unknown => response.json;
const enveloped = (exchange: Answered): boolean => isObject(body(exchange));
const absentOrEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Any `…/json` or `…+json` type labels JSON. */
const jsonType = /^[^;]*[/+]json\s*(;|$)/i;

/** One JSON object, labelled as JSON. */
const isLabelledObject = (exchange: Answered): boolean =>
  enveloped(exchange) && jsonType.test(headerOf(exchange.response.headers, 'content-type') ?? '');

function bodyFound({ response: { headers, text, json } }: Answered): string {
  const label = `labelled ${headerOf(headers, 'content-type') ?? 'not at all'}`;
  if (text === '') {
    return 'an empty body';
  }
  if (json === undefined) {
    return `not JSON, ${label}`;
  }
  return isObject(json) ? `JSON ${label}` : `JSON that is no object: ${show(json, 40)}`;
}

const bodiless = ({ response }: Answered): boolean => [204, 304].includes(response.status);

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const isUuidV4 = (value: unknown): boolean => typeof value === 'string' && uuidV4.test(value);

/** Epoch milliseconds of a timestamp in the documented form; null where the form or the instant is wrong. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string') {
    return null;
  }
  const [instant, utc] = [Date.parse(value), value.replace('+00:00', 'Z')];
  // A day that does not exist rolls over or does not parse; either way it does not come back as it was.
  return !Number.isNaN(instant) && utc.length === 24 && new Date(instant).toISOString() === utc ? instant : null;
}

const clockTolerance = 5 * 60_000;

/** Response envelope: every clause on every response. */
export const envelope: Checks = {
  'developer.envelope.json': async ({ evidence }) =>
    judgeAll(
      answered(evidence).filter((exchange) => !bodiless(exchange) || exchange.purpose !== 'off-document'),
      {
        expected: 'one JSON object, labelled as JSON',
        place: 'body',
        trouble: (exchange) => (isLabelledObject(exchange) ? null : bodyFound(exchange)),
      },
    ),

  'developer.envelope.success': async ({ evidence }) =>
    judgeAll(answered(evidence).filter(enveloped), {
      expected: 'true or false',
      place: '/success',
      trouble: (exchange) =>
        typeof at(body(exchange), '/success') === 'boolean' ? null : show(at(body(exchange), '/success')),
    }),

  'developer.envelope.success-matches-status': async ({ evidence }) =>
    judgeAll(
      answered(evidence).filter(
        (exchange) => typeof at(body(exchange), '/success') === 'boolean' && (success(exchange) || failure(exchange)),
      ),
      {
        expected: 'true on 2xx, false on 4xx and 5xx',
        place: '/success',
        trouble: (exchange) =>
          at(body(exchange), '/success') === success(exchange)
            ? null
            : `${String(at(body(exchange), '/success'))} on ${exchange.response.status}`,
      },
    ),

  'developer.envelope.data': async ({ evidence }) =>
    judgeAll(answered(evidence).filter(enveloped).filter(success), {
      expected: 'an object',
      place: '/data',
      trouble: (exchange) => (isObject(at(body(exchange), '/data')) ? null : kindOf(at(body(exchange), '/data'))),
    }),

  'developer.envelope.data-on-error': async ({ evidence }) =>
    judgeAll(answered(evidence).filter(enveloped).filter(failure), {
      expected: 'absent, null or empty',
      place: '/data',
      trouble: (exchange) =>
        absentOrEmpty(at(body(exchange), '/data')) ? null : show(at(body(exchange), '/data'), 60),
    }),

  'developer.envelope.context': async ({ evidence }) =>
    judgeAll(answered(evidence).filter(enveloped), {
      expected: 'an object, or null',
      place: '/context',
      trouble: (exchange) => objectOrNull(at(body(exchange), '/context')),
    }),

  'developer.envelope.error-on-success': async ({ evidence }) =>
    judgeAll(answered(evidence).filter(enveloped).filter(success), {
      expected: 'present and null',
      place: '/error',
      trouble: (exchange) => (at(body(exchange), '/error') === null ? null : show(at(body(exchange), '/error'), 60)),
    }),

  'developer.envelope.error-on-failure': async ({ evidence }) =>
    judgeAll(answered(evidence).filter(enveloped).filter(failure), {
      expected: 'an object',
      place: '/error',
      trouble: (exchange) => (isObject(at(body(exchange), '/error')) ? null : show(at(body(exchange), '/error'), 60)),
    }),

  'developer.envelope.trace-id': async ({ evidence }) =>
    judgeAll(answered(evidence).filter(enveloped), {
      expected: 'a version 4 UUID',
      place: '/meta/trace_id',
      trouble: (exchange) =>
        isUuidV4(at(body(exchange), '/meta/trace_id')) ? null : uuidTrouble(at(body(exchange), '/meta/trace_id')),
    }),

  'developer.envelope.trace-id-unique': async ({ evidence }) => {
    const seen = new Set<string>();
    return judgeAll(
      answered(evidence).filter((exchange) => typeof at(body(exchange), '/meta/trace_id') === 'string'),
      {
        expected: 'a trace id that no other response has',
        place: '/meta/trace_id',
        least: 2,
        trouble: (exchange) => {
          const id = String(at(body(exchange), '/meta/trace_id'));
          const known = seen.has(id);
          seen.add(id);
          return known ? 'a trace id that an earlier response has too' : null;
        },
      },
    );
  },

  'developer.envelope.timestamp': async ({ evidence }) =>
    judgeAll(answered(evidence).filter(enveloped), {
      expected: 'a real UTC instant such as 2026-01-31T08:00:00.000Z',
      place: '/meta/timestamp',
      trouble: (exchange) =>
        instantOf(at(body(exchange), '/meta/timestamp')) === null
          ? timestampTrouble(at(body(exchange), '/meta/timestamp'))
          : null,
    }),

  'developer.envelope.timestamp-clock': async ({ evidence }) =>
    judgeAll(
      answered(evidence).filter((exchange) => instantOf(at(body(exchange), '/meta/timestamp')) !== null),
      {
        expected: 'within five minutes of the clock',
        place: '/meta/timestamp',
        trouble: (exchange) => {
          const instant = instantOf(at(body(exchange), '/meta/timestamp')) ?? 0;
          return isNear(exchange, instant) ? null : clockTrouble(exchange, instant);
        },
      },
    ),
};

const objectOrNull = (value: unknown): string | null => (value === null || isObject(value) ? null : kindOf(value));
const isNear = ({ sentAt, receivedAt }: Exchange, instant: number): boolean =>
  instant >= sentAt - clockTolerance && instant <= receivedAt + clockTolerance;

// Alike troubles must read alike, or each response would be a cause of its own.
function kindOf(value: unknown): string {
  return value === undefined
    ? 'absent'
    : value === null
      ? 'null'
      : Array.isArray(value)
        ? 'an array'
        : `a ${typeof value}`;
}

function uuidTrouble(value: unknown): string {
  if (typeof value !== 'string') {
    return kindOf(value);
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
  return `a text of the form ${value.slice(0, 40).replace(/[0-9]/g, '0')}`;
}

function clockTrouble({ receivedAt }: Exchange, instant: number): string {
  const minutes = Math.round((instant - receivedAt) / 60_000);
  return minutes > 0 ? `${minutes} minutes ahead` : `${-minutes} minutes behind`;
}

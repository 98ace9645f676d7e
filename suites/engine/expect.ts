import { at, isObject, walk } from '../../common/json.ts';
import { differences, show } from '../../common/schema.ts';
import type { Schema } from '../../contract/schemas.ts';
import type { Exchange } from '../../results/exchange.ts';
import { likelyCause } from '../../results/likely-cause.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Answer } from '../session/call.ts';

type Text = Omit<Finding, 'request' | 'response' | 'curl' | 'exchange'>;

/** The trace id a response carries, where it carries one. */
export function traceIdOf(exchange: Exchange): string | null {
  const id = at(exchange.response?.json, '/meta/trace_id');
  return typeof id === 'string' ? id.slice(0, 100) : null;
}

/** A finding about one exchange, with all that is needed to see it again, and its likely cause where the exchange shows one. */
export function findingOn({ exchange }: { readonly exchange: Exchange }, text: Text): Finding {
  const cause = text.cause ?? likelyCause(exchange);
  return {
    ...text,
    ...(cause === undefined ? {} : { cause }),
    request: { method: exchange.request.method, url: exchange.request.url },
    ...(exchange.response ? { response: { status: exchange.response.status, traceId: traceIdOf(exchange) } } : {}),
    curl: exchange.curl,
    exchange: exchange.number,
  };
}

/** `GET /api/v1/ads/audits`, of the exchange's documented endpoint or of its own path. */
export function nameOf({ exchange }: { readonly exchange: Exchange }): string {
  return (
    exchange.endpoint ??
    `${exchange.request.method} ${exchange.request.url.replace(/^https?:\/\/[^/]+/, '').replace(/\?.*/, '')}`
  );
}

/** What came: `401 UNAUTHORIZED`, `200`, or why there was no answer. */
export function cameOf(answer: Answer): string {
  if (answer.status === 0) {
    return answer.exchange.failure?.message ?? 'no answer';
  }
  const redirect = answer.status >= 300 && answer.status < 400 ? ` to ${answer.header('Location') ?? 'nowhere'}` : '';
  return `${answer.status}${redirect}${messageOf(answer)}`;
}

/** The deployment's own words about a failure, out of wherever the error object keeps them. */
function messageOf(answer: Answer): string {
  const error = at(answer.exchange.response?.json, '/error');
  if (!isObject(error)) {
    return '';
  }
  const words = walk(error)
    .map(({ value }) => value)
    .filter((value): value is string => typeof value === 'string' && value !== '');
  return words.length === 0 ? '' : ` (${words.join(': ').slice(0, 200)})`;
}

/**
 * Whether a call was accepted: 2xx, and at least one of the marks that the API documents for a success. A bare
 * `200 {}` shows nothing; a single missing mark is its own clause's business.
 */
export function accepted(answer: Answer): boolean {
  if (answer.status < 200 || answer.status > 299) {
    return false;
  }
  if (answer.exchange.api === 'workspace') {
    return answer.json !== undefined && answer.json !== null;
  }
  return at(answer.json, '/success') === true || isObject(at(answer.json, '/data'));
}

/** Null where the call was accepted; otherwise the finding. `cause` may say what the reader should look at first. */
export function expectAccepted(
  answer: Answer,
  what = `${nameOf(answer)} does not succeed`,
  cause?: string,
): Finding | null {
  if (accepted(answer)) {
    return null;
  }
  const bare = answer.status >= 200 && answer.status <= 299;
  const place = what.includes(nameOf(answer)) ? '' : ` on ${nameOf(answer)}`;
  return findingOn(answer, {
    message: `${what}: ${cameOf(answer)}${bare ? ' without any mark of a success in its body' : ''}${place}`,
    expected: bare ? '2xx with the documented body' : '2xx',
    actual: bare ? show(answer.exchange.response?.json ?? answer.exchange.response?.text) : cameOf(answer),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Null where the call got that status; otherwise the finding. The code in the body is a clause of its own. */
export function expectStatus(answer: Answer, status: number, what: string, cause?: string): Finding | null {
  if (answer.status === status) {
    return null;
  }
  return findingOn(answer, {
    message: `${what}: ${cameOf(answer)} on ${nameOf(answer)}`,
    expected: String(status),
    actual: cameOf(answer),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** One finding for each place in which the value at the pointer differs from the schema. */
export function expectSchema(answer: Answer, schema: Schema, pointer: string): Finding[] {
  return differences(schema, at(answer.exchange.response?.json, pointer), pointer)
    .slice(0, 20)
    .map(({ place, expected, actual }) =>
      findingOn(answer, {
        message: `${nameOf(answer)} answers otherwise than documented: ${place} is ${actual}, not ${expected}`,
        expected,
        actual,
        place,
      }),
    );
}

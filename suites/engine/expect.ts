import { at, isObject, pointerNames, walk } from '../../common/json.ts';
import type { Difference } from '../../common/schema.ts';
import { show } from '../../common/words.ts';
import type { Exchange } from '../../results/exchange.ts';
import { answeredInPlace, likelyCause } from '../../results/likely-cause.ts';
import { Inconclusive, type Tally } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import { escaped } from '../reading/own-words.ts';
import { isUnguessable } from '../reading/record.ts';
import type { Answer } from '../session/call.ts';

/** What a check says in a finding. The rest comes from the exchange; so does the script, unless the check gives one. */
type Text = Omit<Finding, 'request' | 'response' | 'exchange'>;

/**
 * A finding about one exchange, with all that it takes to repeat it, and the likely cause that it shows. It has no
 * response where the answer shows nothing: its status is 0.
 */
export function findingOn(on: { readonly exchange: Exchange; readonly status?: number }, text: Text): Finding {
  const { exchange, status } = on;
  const curl = text.curl ?? exchange.curl?.();
  const id = at(exchange.response?.json, '/meta/trace_id');
  const traceId = typeof id === 'string' ? id.slice(0, 100) : null;
  const shown = likelyCause(exchange);
  // Where somebody else answered, no check knows better.
  const cause = answeredInPlace.test(shown ?? '') ? shown : (text.cause ?? shown);
  return {
    ...text,
    ...(cause === undefined ? {} : { cause }),
    request: { method: exchange.request.method, url: exchange.request.url },
    ...(exchange.response && status !== 0 ? { response: { status: exchange.response.status, traceId } } : {}),
    ...(curl === undefined ? {} : { curl }),
    exchange: exchange.number,
  };
}

/** Tallies a comparison on one exchange. `text` says what came, for the finding where the comparison does not hold. */
export const judgeThat = (tally: Tally, holds: boolean, on: Parameters<typeof findingOn>[0], text: Text): void =>
  tally.judge(holds ? null : findingOn(on, text));

/** The error that leaves a clause, or a part of it, open because of an answer. `blames`: the clause at fault. */
export const undecided = (answer: Answer, message: string, blames?: string): Inconclusive =>
  new Inconclusive(
    findingOn(answer, { message, actual: describeAnswer(answer), ...(blames === undefined ? {} : { blames }) }),
  );

/** Throws Inconclusive where a call was not accepted; `cannot` begins its finding: `Key cannot be rotated`. */
export function needAccepted(answer: Answer, cannot: string, blames: string): void {
  if (!answer.accepted) {
    throw undecided(answer, `${cannot}: ${describeAnswer(answer)}`, blames);
  }
}

/** The finding on a call that got no answer, or none that could be read: it shows nothing of what it was made for. */
function unanswered(answer: Answer, expected: string): Finding {
  const actual = describeAnswer(answer);
  const message = `${callName(answer)} could not be judged: ${actual}`;
  return findingOn(answer, { message, expected, actual });
}

/** null where the call was accepted, otherwise the finding, whose message begins with `what`. */
export function expectAccepted(answer: Answer, what = `${callName(answer)} failed`): Finding | null {
  if (answer.accepted) {
    return null;
  }
  if (answer.status === 0) {
    return unanswered(answer, '2xx');
  }
  const came = describeUnaccepted(answer);
  const call = callName(answer);
  const { lack } = answer;
  return findingOn(answer, {
    message: `${what}: ${came}${what.includes(call) ? '' : ` on ${call}`}`,
    expected: lack ? '2xx with the documented body' : '2xx',
    actual: lack ? show(answer.json ?? answer.text) : came,
    ...causeOf(lack?.cause),
  });
}

const causeOf = (cause: string | undefined): Pick<Finding, 'cause'> => (cause === undefined ? {} : { cause });

/**
 * null where the call got that status, or one of several, otherwise the finding. `what` says what was sent, such as
 * `A call without a key`. The error code in the body has a clause of its own.
 */
export function expectStatus(
  answer: Answer,
  status: number | readonly number[],
  what: string,
  cause?: string,
): Finding | null {
  const statuses = [status].flat();
  if (statuses.includes(answer.status)) {
    return null;
  }
  const expected = statuses.join(' or ');
  const actual = describeAnswer(answer);
  if (answer.status === 0) {
    return unanswered(answer, expected);
  }
  const call = callName(answer);
  return findingOn(answer, {
    message: `${what} got ${actual}, not ${expected}, on ${call}`,
    expected,
    actual,
    ...causeOf(cause),
    alike: { what: `${what} got ${answer.status}, not ${expected}`, call },
  });
}

/** `GET /api/v1/ads/health-score differs from the document: /data/score is "78", not number`. */
export const differenceOf = (call: string, { place, expected, actual }: Difference): string =>
  `${call} differs from the document: ${place} is ${actual === 'absent' ? 'missing' : `${actual}, not ${expected}`}`;

/** A call as findings name it: the id of its endpoint, `GET /api/v1/ads/audits`, or else its method and path. */
export const callName = ({ exchange: { endpoint, request } }: { readonly exchange: Exchange }): string =>
  endpoint ?? `${request.method} ${request.url.replace(/^https?:\/\/[^/]+/, '').replace(/\?.*/, '')}`;

/** What came: `401 (UNAUTHORIZED)`, `200`, or why there was no response. */
export function describeAnswer(answer: Answer): string {
  const { status } = answer;
  const missing = whyNoAnswer(answer);
  if (missing !== null) {
    return missing;
  }
  const redirect = status >= 300 && status < 400 ? ` to ${answer.header('Location') ?? 'nowhere'}` : '';
  const unread = answer.exchange.failure === null ? '' : `, not read: ${answer.exchange.failure.message}`;
  return `${status}${redirect}${errorWords(answer)}${unread}`;
}

/** What came in place of an accepted answer: `401 (UNAUTHORIZED)`, `200, but its body is not JSON`. */
export const describeUnaccepted = (answer: Answer): string =>
  `${describeAnswer(answer)}${answer.lack ? `, but ${answer.lack.what}` : ''}`;

/** Why no answer came, such as `Connection refused`; null if one came. */
export const whyNoAnswer = ({ status, exchange }: Answer): string | null =>
  status === 0 ? (exchange.failure?.message ?? 'no answer') : null;

/**
 * The words of the error object, each once, as ` (UNAUTHORIZED: …)`: no ids, times and links, and before a sentence the
 * field under whose name it is. Of a refusal without one, the words of the whole body.
 */
function errorWords({ status, json, text }: Answer): string {
  const error = at(json, '/error');
  if (!isObject(error) && status < 400) {
    return '';
  }
  if (json === undefined) {
    const title = /<title[^>]*>([^<]+)/i.exec(text.slice(0, 4_000))?.[1];
    const shown = (title ?? (/^\s*</.test(text) ? '' : text.slice(0, 200))).replace(/\s+/g, ' ').trim();
    return shown === '' ? '' : ` (${shown})`;
  }
  const texts = walk(isObject(error) ? error : json).flatMap(({ value, pointer }) =>
    typeof value === 'string' && value !== '' && !isUnguessable(value) && !aboutNothing.test(value)
      ? [`${fieldBefore(value, pointer)}${value}`]
      : [],
  );
  const words = [...new Set(texts)];
  return words.length === 0 ? '' : ` (${words.join(': ').slice(0, 200)})`;
}

/** `lead: ` before the sentence of `{"fields": {"lead": ["This field is required."]}}`. */
function fieldBefore(text: string, pointer: string): string {
  const name = pointerNames(pointer).findLast((one) => /\D/.test(one)) ?? '';
  const isSaid = name === '' || ofErrors.test(name) || new RegExp(`\\b${escaped(name)}\\b`).test(text);
  return /\s/.test(text) && !isSaid ? `${name}: ` : '';
}

/** Names of an error's own texts. */
const ofErrors =
  /^(error|message|msg|detail|title|reason|description|text|hint|info|cause|code|type|kind)s?$|message$|^error/i;

/** A time or a link. */
const aboutNothing = /^(?:\d{4}-\d\d-\d\d[T ][\d:.]+\S*|[a-z]+:\/\/\S+)$/i;

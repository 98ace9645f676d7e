import { at, isObject, pointerNames, walk } from '../../common/json.ts';
import type { Exchange } from '../../results/exchange.ts';
import { escaped } from '../reading/own-words.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import type { Answer } from '../session/answer.ts';

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
function errorWords({ status, json, text, exchange }: Answer): string {
  const error = at(json, '/error');
  if (!isObject(error) && status < 400) {
    return '';
  }
  if (json === undefined) {
    const title = /<title[^>]*>([^<]+)/i.exec(text.slice(0, 4_000))?.[1];
    const shown = (title ?? (/^\s*</.test(text) ? '' : text.slice(0, 200))).replace(/\s+/g, ' ').trim();
    return shown === '' ? '' : ` (${shown})`;
  }
  // RFC 9457, 3.1.5: `instance` may be the path that was called, with the id in it.
  const isCalled = (value: string): boolean => value.startsWith('/') && exchange.request.url.includes(value);
  const texts = walk(isObject(error) ? error : json).flatMap(({ value, pointer }) =>
    typeof value === 'string' && value !== '' && !isUnguessable(value) && !aboutNothing.test(value) && !isCalled(value)
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

import { STATUS_CODES } from 'node:http';
import type { Content, Entry, Har, Header, PostData, QueryString, Request, Response } from 'har-format';
import { encoded } from '../common/uri.ts';
import { thousands } from '../common/words.ts';
import { cut } from '../results/bound.ts';
import { type Exchange, type HeaderLines, headerOf } from '../results/exchange.ts';
import type { ReceivedDelivery, Run } from '../results/verdict.ts';
import { jsonText } from './text.ts';
import { purposeOf } from './words.ts';

/** The bounds of a file, so that browsers and editors can still open it: entries, and characters of bodies. */
const most = { entries: 50_000, body: 65_536, bodies: 50_000_000 } as const;

/**
 * exchanges.har: the exchanges of the run as HAR 1.2, in the order of sending, so that an entry's place is its
 * exchange's number. A comment says how many are left out beyond the bound.
 */
export function exchangesHar(run: Run): string {
  const kept = run.exchanges.slice(0, most.entries);
  const left = run.exchanges.length - kept.length;
  const body = Math.max(256, Math.min(most.body, Math.floor(most.bodies / Math.max(1, kept.length))));
  const entries = kept.map((exchange) => entryOf(exchange, body));
  return harOf(run, entries, `Seed ${run.seed}${left > 0 ? `; ${thousands(left)} later exchanges are left out` : ''}`);
}

/** deliveries.har: the webhook deliveries that the run received, as `npm run signature` can read them. */
export const deliveriesHar = (run: Run): string =>
  harOf(run, run.deliveries.slice(0, most.entries).map(deliveryEntry), `Seed ${run.seed}`);

function harOf({ suite: { name, version } }: Run, entries: readonly Entry[], comment: string): string {
  const har: Har = { log: { version: '1.2', creator: { name, version }, comment, entries: [...entries] } };
  return jsonText(har, 1);
}

function entryOf(exchange: Exchange, mostBody: number): Entry {
  const time = Math.max(0, exchange.receivedAt - exchange.sentAt) || 0;
  return {
    startedDateTime: new Date(exchange.sentAt).toISOString(),
    time,
    request: requestOf(exchange.request, mostBody),
    response: responseOf(exchange, mostBody),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: `Exchange ${exchange.number}, ${exchange.api} API: ${purposeOf(exchange)}${exchange.isBare ? '; only its status was kept' : ''}`,
    _number: exchange.number,
    _api: exchange.api,
    _purpose: exchange.purpose,
    ...(exchange.isBare ? { _isBare: true } : {}),
  };
}

/** A delivery as an entry, with the status that the receiver answered. */
function deliveryEntry(delivery: ReceivedDelivery, index: number): Entry {
  const { method, url, headers, body, encoding, answered, receivedAt } = delivery;
  const request = requestOf({ method, url, headers, body }, most.body);
  const postData = request.postData === undefined ? {} : { postData: { ...request.postData, _encoding: encoding } };
  return {
    startedDateTime: new Date(receivedAt).toISOString(),
    time: 0,
    request: { ...request, ...postData },
    response: responseOf({ response: { status: answered, headers: [], text: '', json: undefined }, failure: null }, 0),
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    comment: `Delivery ${index + 1}`,
  };
}

function requestOf({ method, url, headers, body }: Exchange['request'], mostBody: number): Request {
  return {
    method,
    url: uri(url),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: lines(headers),
    queryString: query(url),
    headersSize: -1,
    bodySize: body === null ? 0 : Buffer.byteLength(body),
    ...(body === null ? {} : { postData: postData(headers, body, mostBody) }),
  };
}

/**
 * A URL as a URI (RFC 3986), which HAR requires: characters that clients may send but a URI may not have are
 * percent-encoded.
 */
export function uri(url: string): string {
  if (!URL.canParse(url) || new URL(url).origin === 'null') {
    return `about:invalid?${rest(url)}`;
  }
  const { origin, pathname, search } = new URL(url);
  return origin + rest(pathname + search);
}

const rest = (text: string): string =>
  text.replace(/[^\w\-.~:/?@!$&'()*+,;=%]+|%(?![0-9a-f]{2})/gi, (part) => encoded(part));

const postData = (headers: HeaderLines, body: string, mostBody: number): PostData => ({
  mimeType: typeOf(headers, ''),
  text: cut(body, mostBody),
});

/**
 * The response of an exchange. After a transport failure it has status 0. The reason is in `_error`, as browsers write
 * it; so is the reason why a body was not read.
 */
function responseOf({ response, failure }: Pick<Exchange, 'response' | 'failure'>, mostBody: number): Response {
  const { status, headers, text } = response ?? { status: 0, headers: [], text: '' };
  const content: Content = {
    size: Buffer.byteLength(text),
    mimeType: typeOf(headers, 'x-unknown'),
    text: cut(text, mostBody),
  };
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: lines(headers),
    content,
    redirectURL: headerOf(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: response === null ? -1 : content.size,
    ...(response === null || failure !== null ? { _error: failure?.message ?? 'no response' } : {}),
  };
}

const typeOf = (headers: HeaderLines, otherwise: string): string => headerOf(headers, 'content-type') ?? otherwise;

const lines = (pairs: Iterable<readonly [name: string, value: string]>): Header[] =>
  Array.from(pairs, ([name, value]) => ({ name, value }));

const query = (url: string): QueryString[] => lines(URL.canParse(url) ? new URL(url).searchParams : []);

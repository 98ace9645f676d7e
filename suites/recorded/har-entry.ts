import { at } from '../../common/json.ts';
import { type HeaderLines, headerOf } from '../../results/exchange.ts';
import { bodyOf, type RecordedBody } from './har-body.ts';

/** A call that a deployment answered, as it is in the recording, not redacted. */
export interface RecordedCall {
  /** Its place in the recording, from 1. */
  readonly number: number;
  readonly method: string;
  readonly url: URL;
  readonly sent: HeaderLines;
  readonly sentBody: string | null;
  /** Epoch milliseconds. */
  readonly sentAt: number;
  readonly tookMs: number;
  readonly status: number;
  readonly headers: HeaderLines;
  /** Whether the recorder kept the headers of the answer. */
  readonly hasHeaders: boolean;
  readonly body: RecordedBody;
}

/** Why an entry is no call that a deployment answered: in words, for a count of such entries. */
export type LeftOut = string;

const noHttp = 'no HTTP calls (WebSockets, extensions, broken entries)';

/** An entry of a HAR as a call, or why it is none. `folder`: that of the recording. */
export function callIn(entry: unknown, number: number, folder: string): RecordedCall | LeftOut {
  const method = text(at(entry, '/request/method')).toUpperCase();
  const given = text(at(entry, '/request/url'));
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !/^[A-Z]{1,20}$/.test(method)) {
    return noHttp;
  }
  const sent = headersAt(entry, '/request');
  const headers = headersAt(entry, '/response');
  const status = Number(at(entry, '/response/status'));
  const leftOut = whyNotTheServers(entry, { sent, headers, status });
  if (leftOut !== null) {
    return leftOut;
  }
  const sentBody = at(entry, '/request/postData/text');
  const took = Number(at(entry, '/time'));
  const type = text(at(entry, '/response/content/mimeType'));
  // DevTools write `_error: null` into each answer that went well.
  const isPart =
    at(entry, '/_isBare') !== undefined || ![undefined, null, ''].includes(at(entry, '/response/_error') as '');
  return {
    number,
    method,
    url,
    sent,
    sentBody: typeof sentBody === 'string' ? sentBody : null,
    sentAt: Date.parse(text(at(entry, '/startedDateTime'))) || 0,
    tookMs: took > 0 && Number.isFinite(took) ? took : 0,
    status,
    // Where the recorder kept no headers, it may have kept the type.
    headers: headers.length > 0 || type === '' ? headers : [['Content-Type', type]],
    hasHeaders: headers.length > 0,
    body: isPart ? null : bodyOf(at(entry, '/response/content'), { method, status, headers, folder }),
  };
}

/** Why an answer is not the server's; null: it is. */
function whyNotTheServers(
  entry: unknown,
  { sent, headers, status }: Pick<RecordedCall, 'sent' | 'headers' | 'status'>,
): LeftOut | null {
  if (!Number.isInteger(status) || status < 100 || status > 999) {
    return 'calls without an answer (blocked, aborted, failed)';
  }
  if (status === 101) {
    return noHttp;
  }
  const isHsts = at(entry, '/response/statusText') === 'Internal Redirect';
  if (isHsts || headerOf(headers, 'non-authoritative-reason') !== null) {
    return 'redirects that the browser made itself (HSTS)';
  }
  const isFromCache = Boolean(at(entry, '/_fromCache')) || at(entry, '/_fetchedViaServiceWorker') === true;
  const wasAskedByCache = ['if-none-match', 'if-modified-since'].some((name) => headerOf(sent, name) !== null);
  const isRevalidated = status === 304 && (wasAskedByCache || text(at(entry, '/response/content/text')) !== '');
  return isFromCache || isRevalidated ? "answers from the browser's cache or a service worker" : null;
}

function headersAt(entry: unknown, place: string): HeaderLines {
  const list = at(entry, `${place}/headers`);
  return Array.isArray(list)
    ? list.map((line: unknown) => [text(at(line, '/name')), text(at(line, '/value'))] as const)
    : [];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

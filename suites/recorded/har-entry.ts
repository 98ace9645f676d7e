import { member } from '../../common/json.ts';
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
  readonly body: RecordedBody;
}

/** Why an entry is no call that a deployment answered: in words, for a count of such entries. */
export type LeftOut = string;

/** An entry of a HAR as a call, or why it is none. `folder`: that of the recording. */
export function callIn(entry: unknown, number: number, folder: string): RecordedCall | LeftOut {
  const request = member(entry, 'request');
  const response = member(entry, 'response');
  const method = text(member(request, 'method')).toUpperCase();
  const given = text(member(request, 'url'));
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !/^[A-Z]{1,20}$/.test(method)) {
    return 'no HTTP calls (WebSockets, extensions, broken entries)';
  }
  const sent = headersOf(request);
  const headers = headersOf(response);
  const status = Number(member(response, 'status'));
  const content = member(response, 'content');
  const made = madeByBrowser({ entry, response, content, sent, headers, status });
  if (made !== null) {
    return made;
  }
  const sentBody = member(member(request, 'postData'), 'text');
  const took = Number(member(entry, 'time'));
  const isPart = member(entry, '_isBare') !== undefined || isError(member(response, '_error'));
  return {
    number,
    method,
    url,
    sent,
    sentBody: typeof sentBody === 'string' ? sentBody : null,
    sentAt: Date.parse(text(member(entry, 'startedDateTime'))) || 0,
    tookMs: took > 0 && Number.isFinite(took) ? took : 0,
    status,
    headers: headers.length > 0 ? headers : typeOf(content),
    body: isPart ? null : bodyOf(content, { method, status, headers, folder }),
  };
}

/** DevTools write `_error: null` into each answer that went well. */
const isError = (error: unknown): boolean => error !== undefined && error !== null && error !== '';

interface Parts {
  readonly entry: unknown;
  readonly response: unknown;
  readonly content: unknown;
  readonly sent: HeaderLines;
  readonly headers: HeaderLines;
  readonly status: number;
}

/** Why an answer is not the server's; null: it is. */
function madeByBrowser({ entry, response, content, sent, headers, status }: Parts): LeftOut | null {
  if (!Number.isInteger(status) || status < 100 || status > 999) {
    return 'calls without an answer (blocked, aborted, failed)';
  }
  if (status === 101) {
    return 'no HTTP calls (WebSockets, extensions, broken entries)';
  }
  if (
    headerOf(headers, 'non-authoritative-reason') !== null ||
    member(response, 'statusText') === 'Internal Redirect'
  ) {
    return 'redirects that the browser made itself (HSTS)';
  }
  const isFromCache = isSet(member(entry, '_fromCache')) || member(entry, '_fetchedViaServiceWorker') === true;
  const wasAskedByCache = ['if-none-match', 'if-modified-since'].some((name) => headerOf(sent, name) !== null);
  const isRevalidated = status === 304 && (wasAskedByCache || text(member(content, 'text')) !== '');
  return isFromCache || isRevalidated ? "answers from the browser's cache or a service worker" : null;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false && value !== '';

/** The type of the content as a header line, where the recorder kept no headers. */
function typeOf(content: unknown): HeaderLines {
  const type = text(member(content, 'mimeType'));
  return type === '' ? [] : [['Content-Type', type]];
}

/** Whether the recorder kept the headers of an answer. */
export const hasHeaders = (entry: unknown): boolean => headersOf(member(entry, 'response')).length > 0;

function headersOf(message: unknown): HeaderLines {
  const list = member(message, 'headers');
  return Array.isArray(list)
    ? list.map((line: unknown) => [text(member(line, 'name')), text(member(line, 'value'))] as const)
    : [];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

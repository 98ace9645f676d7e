import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decompress } from '../../common/decompress.ts';
import { at, isJsonDocument, isObject, member, parseJson, scalarText } from '../../common/json.ts';
import { isMasked } from '../../common/redaction/key-like.ts';
import { limitHeaders } from '../../contract/limits.ts';
import { type HeaderLines, headerOf } from '../../results/exchange.ts';
import { intermediaryOf } from '../../results/likely-cause.ts';
import { isGatewayError } from '../session/evidence/evidence.ts';

/** A call that a deployment answered, as it is in the recording, not redacted. */
export type RecordedCall = Exclude<ReturnType<typeof callIn>, string>;

const noHttp = 'no HTTP calls (WebSockets, extensions, broken entries)';

/**
 * An entry of a HAR as a call, or why it is none. `number`: its place in the recording, from 1. `folder`: that of the
 * file; a recorder may keep bodies beside it.
 */
export function callIn(entry: unknown, number: number, folder: string) {
  const method = textIn(at(entry, '/request/method')).toUpperCase();
  const url = URL.parse(textIn(at(entry, '/request/url')));
  if (url === null || !/^https?:$/.test(url.protocol) || !/^[A-Z]{1,20}$/.test(method)) {
    return noHttp;
  }
  const sent = headersAt(entry, '/request');
  const given = headersAt(entry, '/response');
  // What a sanitizer masked is not known: it is hidden, in brackets, or empty or a digest as all others are.
  const areReplaced = given.length > 1 && given.every(([, value]) => /^([0-9a-f]{32,128})?$/i.test(value));
  const headers = given.filter(([, value]) => !(areReplaced || isMasked(value) || /^[[<(].*[\])>]$/.test(value)));
  const status = Number(at(entry, '/response/status'));
  const body = bodyOf(at(entry, '/response'), { method, status, headers, folder });
  const leftOut = whyNotTheServers(entry, { status, headers, text: body ?? '' }) ?? redirectOf(url, status, headers);
  if (leftOut !== null) {
    return leftOut;
  }
  const sentBody = at(entry, '/request/postData/text');
  const took = Number(at(entry, '/time'));
  const type = textIn(at(entry, '/response/content/mimeType'));
  const masked = given.filter((line) => !headers.includes(line)).map(([name]) => name.toLowerCase());
  const hasHeaders =
    given.some(([name]) => !shownToScripts.test(name)) &&
    !limitHeaders.some((name) => masked.includes(name.toLowerCase()));
  const isTypeLost = given.length === 0 || masked.includes('content-type');
  // DevTools write `_error: null` into each answer that went well.
  const isPart =
    at(entry, '/_isBare') !== undefined || ![undefined, null, ''].includes(at(entry, '/response/_error') as '');
  return {
    number,
    method,
    url,
    sent,
    sentBody: typeof sentBody === 'string' ? sentBody : null,
    /** Epoch milliseconds by the server's Date, else by the recorder's clock, which may be wrong; 0: not known. */
    sentAt:
      timeIn(headerOf(headers, 'date') ?? '') || (given.length > 0 ? timeIn(textIn(at(entry, '/startedDateTime'))) : 0),
    tookMs: took > 0 && Number.isFinite(took) ? took : 0,
    status,
    // Where headers were not kept, the type may have been.
    headers: isTypeLost && type !== '' ? [...headers, ['Content-Type', type] as const] : headers,
    /** Whether the recorder saw all headers of the answer, and kept the values of those that say what a limit has. */
    hasHeaders,
    /** null where the recorder did not keep it, or not to its end. */
    body: isPart ? null : body,
  };
}

/** What a recorder in a page sees of another origin's headers (Fetch, CORS-safelisted response-header names). */
const shownToScripts = /^(cache-control|content-(language|length|type)|expires|last-modified|pragma)$/i;

/** Epoch milliseconds; 0 if a text is no time, has no zone, or is of 1970, which recorders write for an unknown one. */
function timeIn(text: string): number {
  const time = /(?:Z|GMT|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : 0;
  return time > dawn ? time : 0;
}
const dawn = Date.UTC(1990);

/** Why an answer is not the server's; null: it is. */
function whyNotTheServers(entry: unknown, answer: Parameters<typeof intermediaryOf>[0]): string | null {
  const { status, headers, text } = answer;
  if (status === 101) {
    return noHttp;
  }
  // An interim answer, such as 103 (Early Hints), is none. Proxyman has 999 where it got none (its #922).
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    return 'calls without an answer (blocked, aborted, failed)';
  }
  if (at(entry, '/_wasFulfilled') === true) {
    return 'answers that a test made itself (route.fulfill of Playwright)';
  }
  const isHsts = at(entry, '/response/statusText') === 'Internal Redirect';
  if (isHsts || headerOf(headers, 'non-authoritative-reason') !== null) {
    return 'redirects that the browser made itself (HSTS)';
  }
  // Gateways write JSON too, and not the error that the documents have.
  const isOfGateway = isGatewayError(status) && !isObject(member(parseJson(text), 'error'));
  if (isOfGateway || intermediaryOf(answer) !== undefined) {
    return 'errors of a gateway or of the recorder itself';
  }
  // A cache asks for 304, and not every browser records that it did.
  const cache = at(entry, '/cache');
  const isFromCache =
    status === 304 ||
    Boolean(at(entry, '/_fromCache')) ||
    // chrome-har notes the first where a disk cache answered, and Firefox the second alone, often as null.
    isObject(member(cache, 'beforeRequest')) ||
    (member(cache, 'afterRequest') !== undefined && member(cache, 'beforeRequest') === undefined) ||
    at(entry, '/_fetchedViaServiceWorker') === true ||
    !['', 'Network Load'].includes(textIn(at(entry, '/_fetchType')));
  return isFromCache ? "answers from the browser's cache or a service worker" : null;
}

/**
 * Why a redirect is no answer to a documented call: it leads to the path itself (FastAPI, Django), or to another host's
 * sign-in page, since a session in front of the deployment has ended (oauth2-proxy); null: it is one.
 */
function redirectOf(url: URL, status: number, headers: HeaderLines): string | null {
  const to = URL.parse(headerOf(headers, 'location') ?? '/', url.href);
  if (to === null || status < 300 || status >= 400) {
    return null;
  }
  if (to.pathname.replace(/\/$/, '') === url.pathname.replace(/\/$/, '')) {
    return 'redirects to the same path, with or without a slash';
  }
  const isSignIn = /\b(log-?in|sign-?in|sso|oauth2?|authorize|saml2?)\b/i.test(to.pathname);
  return isSignIn && to.host !== url.host ? "redirects to another host's sign-in page" : null;
}

function headersAt(entry: unknown, place: string): HeaderLines {
  const list = at(entry, `${place}/headers`);
  return Array.isArray(list)
    ? list.map((line: unknown) => [textIn(at(line, '/name')), scalarText(at(line, '/value')) ?? ''] as const)
    : [];
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What is known of an answer besides its content. */
interface Answered {
  readonly method: string;
  readonly status: number;
  readonly headers: HeaderLines;
  readonly folder: string;
}

/**
 * The body that the `content` of a HAR's response holds. What recorders do not keep is not empty: without a text it is
 * empty only where something says so. Sizes count compressed bytes, characters or bytes, depending on the recorder, so
 * a text that is a complete JSON document is taken as whole, whatever its size.
 */
function bodyOf(response: unknown, around: Answered): string | null {
  const content = member(response, 'content');
  const text = member(content, 'text') ?? textBeside(member(content, '_file'), around.folder);
  const given = Number(member(content, 'size') ?? -1);
  const isCoded = headerOf(around.headers, 'content-encoding') !== null;
  // Recorders write -1 for what they do not know, and some the size of what they kept.
  const size = Math.max(given, isCoded ? -1 : Number(headerOf(around.headers, 'content-length') ?? -1));
  if (typeof text !== 'string' || text === '') {
    return isKnownEmpty(response, size, around) ? '' : null;
  }
  const body = decoded(text, textIn(member(content, 'encoding')), around);
  if (isStillPacked(body, around)) {
    return null;
  }
  const bytes = Buffer.byteLength(body);
  const isCut = size > bytes && !isJsonDocument(body);
  // Sanitizers write `[application/json; charset=utf-8 redacted]`.
  return isCut || (bytes < 100 && /^\W*(?:\S+ ){0,2}redacted\W*$/i.test(body)) ? null : body;
}

/** Whether a text is what a recorder made of compressed bytes: they have control characters, or are no UTF-8. */
const isStillPacked = (body: string, { headers }: Answered): boolean =>
  (headerOf(headers, 'content-encoding') !== null || body.startsWith('\x1f')) &&
  /\ufffd|(?!\s)\p{Cc}/u.test(body) &&
  !isJsonDocument(body);

/**
 * Whether an answer without a text has an empty body, and not one that was not recorded. Of a body that they lost, some
 * recorders say that its size is 0: then something else says that there was one, or that nothing is known of it.
 * mitmproxy has null for the text of a body that it streamed.
 */
function isKnownEmpty(response: unknown, size: number, { method, status, headers }: Answered): boolean {
  if (method === 'HEAD' || status === 204 || status === 304) {
    return true;
  }
  const isLost = Number(member(response, 'bodySize') ?? 0) !== 0 || at(response, '/content/text') === null;
  const hasCoding = ['transfer-encoding', 'content-encoding'].some((name) => headerOf(headers, name) !== null);
  const length = headerOf(headers, 'content-length');
  return length === null ? size === 0 && !isLost && !hasCoding : Number(length) === 0;
}

/**
 * The text of a body as it was sent. The base64 flag is set wrongly, or not set, by some recorders; others keep the
 * bytes as they came, compressed.
 */
function decoded(text: string, encoding: string, { headers }: Answered): string {
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text)) {
    return text;
  }
  const bytes = unpacked(Buffer.from(text, 'base64'), headerOf(headers, 'content-encoding'));
  return encoding !== '' || (!isJsonDocument(text) && isJsonDocument(bytes)) ? bytes : text;
}

/** The text in bytes, unpacked, if they are still compressed. */
function unpacked(bytes: Buffer, encoding: string | null): string {
  try {
    return decompress(bytes, encoding, largestBody).toString('utf8');
  } catch {
    return bytes.toString('utf8');
  }
}

/** Bodies of Playwright's recordings may be in files beside the HAR, which `_file` names. */
const largestBody = 16 * 1_048_576;

function textBeside(name: unknown, folder: string): string | undefined {
  // Only a file in the folder itself: a recording may come from anybody.
  if (typeof name !== 'string' || name !== basename(name)) {
    return undefined;
  }
  const path = join(folder, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= largestBody ? readFileSync(path, 'utf8') : undefined;
}

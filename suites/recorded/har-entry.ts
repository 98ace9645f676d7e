import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { at, member } from '../../common/json.ts';
import { type HeaderLines, headerOf } from '../../results/exchange.ts';

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

/** The body of a recorded answer; null where the recorder did not keep it, or not to its end. */
type RecordedBody = string | null;

/** What is known of an answer besides its content. */
interface Around {
  readonly method: string;
  readonly status: number;
  readonly headers: HeaderLines;
  /** The folder of the recording: a recorder may keep bodies in files beside it. */
  readonly folder: string;
}

/**
 * The body that `content` of a HAR entry holds. What recorders do not keep is not empty: without a text it is empty only
 * where something says so. Sizes count compressed bytes, characters or bytes, depending on the recorder, so a text that is
 * a complete JSON document is taken as whole, whatever its size.
 */
function bodyOf(content: unknown, around: Around): RecordedBody {
  const text = member(content, 'text') ?? textBeside(member(content, '_file'), around.folder);
  const given = Number(member(content, 'size') ?? -1);
  // Recorders write -1 for what they do not know.
  const size = given >= 0 ? given : null;
  if (typeof text !== 'string' || text === '') {
    return isKnownEmpty(size, around) ? '' : null;
  }
  const body = decoded(text, member(content, 'encoding') === 'base64');
  if (isStillPacked(body, around)) {
    return null;
  }
  const bytes = Buffer.byteLength(body);
  // mitmproxy counts the compressed bytes, and says how many more there are without compression.
  const unpacked = size === null ? null : size + Number(member(content, 'compression') ?? 0);
  // Some recorders strip a byte order mark, which has three bytes.
  const isCut = size !== null && size > bytes + 3 && unpacked !== bytes && !isJsonDocument(body);
  return isCut ? null : body;
}

/** Whether a text is what a recorder made of compressed bytes: they have control characters, or are no UTF-8. */
const isStillPacked = (body: string, { headers }: Around): boolean =>
  (headerOf(headers, 'content-encoding') !== null || body.startsWith('\x1f')) &&
  /\ufffd|(?!\s)\p{Cc}/u.test(body) &&
  !isJsonDocument(body);

/** Whether an answer without a text has an empty body, and not one that was not recorded. */
function isKnownEmpty(size: number | null, { method, status, headers }: Around): boolean {
  if (method === 'HEAD' || status === 204 || status === 304) {
    return true;
  }
  const length = headerOf(headers, 'content-length');
  return length === null ? size === 0 : Number(length) === 0;
}

/** The text of a body as it was sent. The base64 flag is set wrongly, or not set, by some recorders. */
function decoded(text: string, isFlagged: boolean): string {
  const isBase64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text);
  if (!isBase64) {
    return text;
  }
  const bytes = Buffer.from(text, 'base64').toString('utf8');
  return isFlagged || (!isJsonDocument(text) && isJsonDocument(bytes)) ? bytes : text;
}

/** Whether a text is a JSON object or list from its first character to its last. */
function isJsonDocument(text: string): boolean {
  try {
    const json: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof json === 'object' && json !== null;
  } catch {
    return false;
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

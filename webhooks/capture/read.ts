import { CannotRun } from '../../common/cannot-run.ts';
import { isObject, member, scalarText } from '../../common/json.ts';
import { jsonIn } from '../../common/json-file.ts';
import { type Delivery, headerValues } from '../signature/delivery.ts';

/** The error if a capture cannot be read: where, and why. */
export const unreadable = (why: string): CannotRun => new CannotRun(`${cannot}: ${why}`);
const cannot = 'Cannot read the capture';
const wayOut = 'save any other recording as HAR or as raw HTTP';

/** Why a request is no delivery that can be judged: words that follow "1 request". */
type LeftOut = string;

const bodyLost = 'whose body was not recorded as it was sent';
const noRequest = 'without an absolute URL';

/**
 * The requests in a capture: a recorder's JSON (a HAR, what ngrok's API gives at /api/requests/http, objects with method,
 * URL, headers and body such as webhook.site's), or raw HTTP; of those that cannot be judged, why. Throws CannotRun.
 */
export const readRequests = (text: Buffer): (Delivery | LeftOut)[] =>
  /^\s*[{[]/.test(text.toString('latin1', 0, 512)) ? readJson(text.toString('utf8')) : readHttp(text);

/** What may stand between requests: blank lines, separators, and the comments and variables of .http files. */
const between = /(?:\s+|(?:#|\/\/|@)[^\n]*(?:\n|$))*/y;
/** What ends a body of unknown length: a separator, the answer to its request, or a request. */
const bodyEnd = /^(?:###|HTTP\/[\d.]+ \d{3}|[A-Z]{2,20} \S+ HTTP\/[\d.]+\r?$)/gm;
/** What ends an answer. */
const answerEnd = /^(?:###|[A-Z]{2,20} \S+ HTTP\/)/gm;
/** A request's first line and headers, folded ones as well, and what asks for its body (RFC 9110, 15.2.1). */
const head =
  /([A-Z]{2,20}) (\S+(?:\s+[?&]\S+)*)(?: HTTP\/[\d.]+)?\r?\n((?:[^\s:#]+:[^\n]*\n(?:[ \t]+\S[^\n]*\n)*)*)(?:\r?\n|(?=###)|$)(?:HTTP\/[\d.]+ 100[^\n]*\n\r?\n)?/y;

/** What `pattern` finds at `from` (y) or behind it (g). */
function match(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** Where the answer that begins at `from` ends. Behind its length the next request may stand in the same line. */
function answerEndIn(text: string, from: number): number {
  const [all = ''] = /^HTTP\/(?:\S[^\n]*\n)+\r?\n/.exec(text.slice(from, from + 65_536)) ?? [];
  const [, length = text.length] = /^content-length:\s*(\d{1,9})\s*$/im.exec(all) ?? [];
  const end = from + all.length + Number(length);
  const isNext = /^[A-Z]{2,20} \S+ HTTP\//.test(text.slice(end, end + 8_192));
  return isNext ? end : (match(answerEnd, text, from)?.index ?? text.length);
}

/** The request in what `curl -v` prints: its lines begin with `> `, those of the answer with `< `, notes with `* `. */
const withoutPrefixes = (text: string): string =>
  /^(?:[*{}] .*\r?\n)*> [A-Z]+ \S/.test(text.slice(0, 16_384))
    ? text.replace(/^(?:[*<](?: .*)?|[{}] \[\d.*)(?:\r?\n|$)/gm, '').replace(/^>(?: |(?=\r?$))/gm, '')
    : text;

/**
 * Raw requests, as `nc`, `curl -v`, HTTPie, a proxy or an editor's .http file has them; a line that begins with `###`, or
 * the answer, separates them. The body has as many bytes as Content-Length says; without it, it ends before the next
 * separator, answer or request, without the line endings before it.
 */
function readHttp(file: Buffer): (Delivery | LeftOut)[] {
  // One character is one byte.
  const text = withoutPrefixes(file.toString('latin1'));
  const line = (at: number): string => `line ${text.slice(0, at).split('\n').length}`;
  const deliveries: (Delivery | LeftOut)[] = [];
  const skipped = (from: number): number => {
    for (let at = from; ; at = answerEndIn(text, at)) {
      at += match(between, text, at)?.[0].length ?? 0;
      if (!/^HTTP\/[\d.]+ \d{3}/.test(text.slice(at, at + 20))) {
        return at;
      }
    }
  };
  for (let at = skipped(0); at < text.length; ) {
    const [all = '', method, spaced = '', folded = ''] = match(head, text, at) ?? [];
    const target = spaced.replace(/\s+/g, '');
    const lines = folded.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
    if (method === undefined) {
      throw unreadable(
        `${line(at)} does not begin a request: "POST /hook HTTP/1.1", headers and a blank line${deliveries.length === 0 ? `; ${wayOut}` : '; or the body before it is longer than its Content-Length: the capture reformatted it'}`,
      );
    }
    const headers = lines.flatMap((one): [string, string][] => {
      const [, name, value = ''] = /^([^:]*):(.*)/s.exec(one) ?? [];
      return name === undefined ? [] : [[name, value.trim()]];
    });
    const value = (name: string): string | undefined => headerValues({ headers }, name)[0];
    const absolute =
      URL.parse(target)?.href ?? URL.parse(`https://${value('host') ?? 'unknown.invalid'}${target}`)?.href;
    if (absolute === undefined) {
      throw unreadable(`${line(at)} and its Host header do not make a URL`);
    }
    const bodyAt = at + all.length;
    const chunked = value('transfer-encoding')?.toLowerCase() === 'chunked' ? unchunk(text, bodyAt) : undefined;
    const { body, end } = chunked ?? bodyOf(text, bodyAt, value('content-length'));
    if (end > text.length) {
      const had = `${text.length - bodyAt} bytes, and its Content-Length says ${value('content-length')}`;
      return [...deliveries, `whose body has ${had} (cut off, or with other blanks or line endings)`];
    }
    const url = target.startsWith('/') ? target : pathOf(absolute);
    deliveries.push({ method, url, registeredUrl: absolute, headers, body: Buffer.from(body, 'latin1') });
    at = skipped(end);
  }
  return deliveries;
}

/** The body that begins at `at`, and where it ends. */
function bodyOf(text: string, at: number, length = '') {
  if (/^\d{1,9}$/.test(length)) {
    return { body: text.slice(at, at + Number(length)), end: at + Number(length) };
  }
  const end = match(bodyEnd, text, at)?.index ?? text.length;
  return { body: text.slice(at, end).replace(/(?:\r?\n)+$/, ''), end };
}

/** A chunked body, put together; undefined if these are no chunks: some recorders keep the header for a whole body. */
function unchunk(text: string, from: number): ReturnType<typeof bodyOf> | undefined {
  const size = /([0-9A-Fa-f]{1,7})(?:;[^\n]*)?\r?\n/y;
  let body = '';
  for (let at = from; ; ) {
    const [line = '', digits] = match(size, text, at) ?? [];
    if (digits === undefined) {
      return undefined;
    }
    const length = Number.parseInt(digits, 16);
    const chunk = at + line.length;
    body += text.slice(chunk, chunk + length);
    at = chunk + length + (match(/\r?\n/y, text, chunk + length)?.[0].length ?? 0);
    if (length === 0) {
      return { body, end: at };
    }
  }
}

function readJson(text: string): (Delivery | LeftOut)[] {
  const found = requestsIn(jsonIn(text, cannot));
  if (found.length > 0) {
    return found;
  }
  throw unreadable(
    `no HAR: log.entries is not a list. What ngrok's /api/requests/http gives is read too, and objects with method, url, headers and body, such as those of webhook.site; ${wayOut}`,
  );
}

/** Recorders nest their requests less deep. */
const deepest = 20;

/** The requests in a recorder's JSON, wherever they are. ngrok has each raw, in base64. */
function requestsIn(value: unknown, depth = 0): (Delivery | LeftOut)[] {
  if (typeof value !== 'object' || value === null || depth > deepest) {
    return [];
  }
  const raw = member(member(value, 'request'), 'raw');
  const own = typeof raw === 'string' ? readHttp(Buffer.from(raw, 'base64')) : ofObject(value);
  return own === null ? Object.values(value).flatMap((each) => requestsIn(each, depth + 1)) : [own].flat();
}

const textAt = (value: unknown, name: string): string => scalarText(member(value, name)) ?? '';

/** What recorders call a body as it came; `body` may also be a parsed one. */
const bodyNames = ['content', 'body'];

/**
 * The request that an object is; null: it has no headers or no method. A HAR has the body in `postData`, and marks bytes
 * by `encoding` or `_encoding`, since it has only text.
 */
function ofObject(value: unknown): Delivery | LeftOut | null {
  const headers = linesOf(member(value, 'headers'));
  const method = member(value, 'method');
  if (headers === undefined || typeof method !== 'string') {
    return null;
  }
  const data = member(value, 'postData');
  const given = [data && (member(data, 'text') ?? {}), ...bodyNames.map((name) => member(value, name))];
  const bodies = given.filter((one) => one !== undefined && one !== null);
  const text = bodies.length === 0 ? '' : bodies.find((one) => typeof one === 'string');
  const [length = member(value, 'bodySize')] = headerValues({ headers }, 'content-length');
  // One that has a length and no text was not recorded.
  if (text === undefined || (text === '' && Number(length) > 0)) {
    return bodyLost;
  }
  const [host] = headerValues({ headers }, 'host');
  // RequestBin has the path alone.
  const url = textAt(value, 'url') || (host === undefined ? '' : `https://${host}${textAt(value, 'path')}`);
  // A proxy's CONNECT has a host and a port for a URL.
  if (!URL.canParse(url) && method !== 'CONNECT') {
    return noRequest;
  }
  const encoding = member(data, 'encoding') ?? member(data, '_encoding');
  const body = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
  return { method, url: pathOf(url), registeredUrl: url, headers, body };
}

/** Header lines, from a HAR's list, or an object; webhook.site has lists of a header's values there. */
function linesOf(headers: unknown): [string, string][] | undefined {
  if (Array.isArray(headers) && headers.every((one) => textAt(one, 'name') !== '')) {
    return headers.map((one: unknown) => [textAt(one, 'name'), textAt(one, 'value')]);
  }
  return isObject(headers)
    ? Object.entries(headers).flatMap(([name, values]) =>
        [values].flat().map((one): [string, string] => [name, scalarText(one) ?? '']),
      )
    : undefined;
}

const pathOf = (url: string): string => {
  const { pathname = '/', search = '' } = URL.parse(url) ?? {};
  return pathname + search;
};

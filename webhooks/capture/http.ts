import type { Delivery } from '../signature/delivery.ts';
import { UnreadableCapture } from './unreadable.ts';

/**
 * Reads raw HTTP requests as deliveries, as `nc`, a proxy or an editor's .http file has them. Lines end with CRLF or
 * LF, and a line that begins with `###` separates requests. The body has as many bytes as Content-Length says; without
 * it, the body ends before the separator or the end of the file, without its last line ending. A chunked body is put
 * together. `registeredUrl` is the URL that the webhook was registered with; by default it is https and the Host
 * header. Throws UnreadableCapture, which names the line, if the text is no request.
 */
export function readHttp(capture: Buffer, registeredUrl?: string): Delivery[] {
  const file = withoutPrefixes(capture);
  const deliveries: Delivery[] = [];
  let at = skipBetween(file, 0);
  while (at < file.length) {
    const { delivery, end } = readRequest(file, at, registeredUrl);
    deliveries.push(delivery);
    at = skipBetween(file, end);
  }
  return deliveries;
}

/** The request in what `curl -v` prints: lines of it begin with `> `, those of the answer with `< `, notes with `* `. */
function withoutPrefixes(capture: Buffer): Buffer {
  if (!/^(\*.*\r?\n|[{}] \[.*\n)*> [A-Z]+ \S/.test(capture.toString('latin1', 0, 16_384))) {
    return capture;
  }
  const lines = capture
    .toString('latin1')
    .split('\n')
    .filter((line) => !/^(\*( |\r?$)|<( |\r?$)|[{}] \[\d)/.test(line));
  return Buffer.from(lines.map((line) => line.replace(/^>( |(?=\r?$))/, '')).join('\n'), 'latin1');
}

interface Line {
  readonly text: string;
  readonly next: number;
}

function lineAt(file: Buffer, at: number): Line {
  const feed = file.indexOf(0x0a, at);
  const end = feed < 0 ? file.length : feed;
  return {
    text: file.toString('latin1', at, file[end - 1] === 0x0d && end > at ? end - 1 : end),
    next: feed < 0 ? file.length : feed + 1,
  };
}

const lineNumber = (file: Buffer, at: number): number =>
  file.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;

const requestLine = /^[A-Z]{2,20} \S+ HTTP\//;
const statusLine = /^HTTP\/[\d.]+ \d{3}/;

/**
 * The start of the next request, after blank lines, the separators, comments and variables of .http files, and the
 * response to the request before.
 */
function skipBetween(file: Buffer, from: number): number {
  let isResponse = false;
  let at = from;
  while (at < file.length) {
    const { text, next } = lineAt(file, at);
    isResponse = (isResponse && !text.startsWith('###') && !requestLine.test(text)) || statusLine.test(text);
    if (!isResponse && text.trim() !== '' && !/^(#|\/\/|@)/.test(text)) {
      return at;
    }
    at = next;
  }
  return at;
}

function readRequest(
  file: Buffer,
  from: number,
  registeredUrl: string | undefined,
): { delivery: Delivery; end: number } {
  const first = lineAt(file, from);
  const [, method, target] = /^([A-Z]{2,20}) (\S+)(?: HTTP\/[\d.]+)?\s*$/.exec(first.text.slice(0, 16_384)) ?? [];
  if (method === undefined || target === undefined) {
    throw new UnreadableCapture(`line ${lineNumber(file, from)} is not a request line such as "POST /hook HTTP/1.1"`);
  }
  const { headers, bodyAt } = readHeaders(file, first.next);
  const { body, end } = readBody(file, bodyAt, headers);
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? 'unknown.invalid';
  const absolute = URL.canParse(target) ? target : `https://${host}${target}`;
  if (!URL.canParse(absolute)) {
    throw new UnreadableCapture(`line ${lineNumber(file, from)} and its Host header do not make a URL`);
  }
  const { pathname, search } = new URL(absolute);
  const url = target.startsWith('/') ? target : `${pathname}${search}`;
  return {
    delivery: { method, url, registeredUrl: registeredUrl ?? absolute, headers, body, receivedAt: Number.NaN },
    end,
  };
}

function readHeaders(file: Buffer, from: number): { headers: [string, string][]; bodyAt: number } {
  const headers: [string, string][] = [];
  let at = from;
  while (at < file.length) {
    const { text, next } = lineAt(file, at);
    if (text === '') {
      return { headers, bodyAt: next };
    }
    if (text.startsWith('###')) {
      return { headers, bodyAt: at };
    }
    const colon = text.indexOf(':');
    if (colon <= 0 || /\s/.test(text.slice(0, colon))) {
      throw new UnreadableCapture(
        `line ${lineNumber(file, at)} is not a header "Name: value" (a blank line ends the headers)`,
      );
    }
    headers.push([text.slice(0, colon), text.slice(colon + 1).trim()]);
    at = next;
  }
  return { headers, bodyAt: at };
}

function readBody(file: Buffer, at: number, headers: readonly [string, string][]): { body: Buffer; end: number } {
  const value = (name: string): string | undefined => headers.find(([key]) => key.toLowerCase() === name)?.[1];
  const length = value('content-length');
  if (value('transfer-encoding')?.toLowerCase() === 'chunked') {
    const whole = unchunk(file, at);
    if (whole !== undefined) {
      return whole;
    }
  }
  if (length === undefined) {
    return untilSeparator(file, at);
  }
  const size = /^\d{1,9}$/.test(length) ? Number(length) : Number.NaN;
  if (!(at + size <= file.length)) {
    throw new UnreadableCapture(
      `the body from line ${lineNumber(file, at)} has ${file.length - at} bytes, and its Content-Length says ${length.slice(0, 20)}: ` +
        'capture it whole, or remove the header if a tool changed its blanks or line endings',
    );
  }
  const rest = lineAt(file, at + size);
  if (rest.text.trim() !== '' && !endsBody(rest.text) && !requestLine.test(rest.text)) {
    throw new UnreadableCapture(
      `the body from line ${lineNumber(file, at)} is longer than its Content-Length of ${size}`,
    );
  }
  return { body: file.subarray(at, at + size), end: at + size };
}

/** A separator, or the response of which the request was captured. */
const endsBody = (line: string): boolean => line.startsWith('###') || statusLine.test(line);

function untilSeparator(file: Buffer, from: number): { body: Buffer; end: number } {
  let at = from;
  while (at < file.length && !endsBody(lineAt(file, at).text)) {
    at = lineAt(file, at).next;
  }
  return { body: file.subarray(from, at - lineEndingBefore(file, at, from)), end: at };
}

/** How many bytes of a line ending there are right before `at`, not going back further than `from`. */
function lineEndingBefore(file: Buffer, at: number, from: number): number {
  if (file[at - 1] !== 0x0a || at === from) {
    return 0;
  }
  return file[at - 2] === 0x0d && at - 1 > from ? 2 : 1;
}

/**
 * A chunked body, put together; undefined if the bytes are not chunks: some recorders keep the header for a whole body.
 */
function unchunk(file: Buffer, from: number): { body: Buffer; end: number } | undefined {
  const chunks: Buffer[] = [];
  let at = from;
  while (at < file.length) {
    const { text, next } = lineAt(file, at);
    const size = /^[0-9A-Fa-f]{1,7}(?:;.*)?$/.test(text) ? Number.parseInt(text, 16) : Number.NaN;
    if (Number.isNaN(size) || next + size > file.length) {
      return undefined;
    }
    if (size === 0) {
      return { body: Buffer.concat(chunks), end: lineAt(file, next).text === '' ? lineAt(file, next).next : next };
    }
    chunks.push(file.subarray(next, next + size));
    if (lineAt(file, next + size).text !== '') {
      return undefined;
    }
    at = lineAt(file, next + size).next;
  }
  return undefined;
}

import { member } from '../../../common/json.ts';
import type { Delivery } from '../delivery.ts';

/** Thrown if a capture cannot be read; the message says where and why. */
export class UnreadableCapture extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableCapture';
  }
}

/** The requests of a HAR as deliveries. Throws UnreadableCapture if the text is not a HAR. */
export function readHar(text: string): Delivery[] {
  let har: unknown;
  try {
    har = JSON.parse(text);
  } catch (error) {
    throw new UnreadableCapture(
      `not JSON: ${error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 120) : ''}`,
    );
  }
  const entries = member(member(har, 'log'), 'entries');
  if (!Array.isArray(entries)) {
    throw new UnreadableCapture('no HAR: log.entries is not a list');
  }
  return entries.map((entry: unknown, index) => deliveryOf(entry, `log.entries[${index}]`));
}

function deliveryOf(entry: unknown, place: string): Delivery {
  const request = member(entry, 'request');
  const url = member(request, 'url');
  const method = member(request, 'method');
  if (typeof url !== 'string' || !URL.canParse(url) || typeof method !== 'string') {
    throw new UnreadableCapture(`${place}.request has no method and absolute URL`);
  }
  const { pathname, search } = new URL(url);
  const started = member(entry, 'startedDateTime');
  const receivedAt = typeof started === 'string' ? Date.parse(started) : Number.NaN;
  return {
    method,
    url: `${pathname}${search}`,
    registeredUrl: url,
    headers: headersOf(request, place),
    body: bodyOf(request, place),
    receivedAt,
  };
}

function headersOf(request: unknown, place: string): [string, string][] {
  const list = member(request, 'headers');
  if (!Array.isArray(list)) {
    throw new UnreadableCapture(`${place}.request.headers is not a list`);
  }
  return list.map((header: unknown, index) => {
    const name = member(header, 'name');
    const value = member(header, 'value');
    if (typeof name !== 'string' || typeof value !== 'string') {
      throw new UnreadableCapture(`${place}.request.headers[${index}] has no name and value`);
    }
    return [name, value];
  });
}

/** The body of a request. Recorders that keep bytes mark them by `encoding` or `_encoding`, since HAR has only text. */
function bodyOf(request: unknown, place: string): Buffer {
  const data = member(request, 'postData');
  if (data === undefined || data === null) {
    return Buffer.alloc(0);
  }
  const text = member(data, 'text');
  if (typeof text !== 'string') {
    throw new UnreadableCapture(
      `${place}.request.postData has no text, and a signature covers the body as it was sent`,
    );
  }
  const encoding = member(data, 'encoding') ?? member(data, '_encoding');
  return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
}

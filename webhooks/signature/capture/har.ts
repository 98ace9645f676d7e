import type { Delivery } from '../delivery.ts';

/** Thrown where a capture cannot be read; the message says where and why. */
export class UnreadableCapture extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableCapture';
  }
}

/** The requests of a HAR, each as a delivery. Throws UnreadableCapture where it is no HAR. */
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

/** HAR has text only; recorders that keep bytes say so with `encoding` or `_encoding`. */
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

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

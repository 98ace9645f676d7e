import { isObject, member } from '../../common/json.ts';
import type { Delivery } from '../signature/delivery.ts';
import { readHttp } from './http.ts';
import { UnreadableCapture } from './unreadable.ts';

/**
 * The requests of a recorder's JSON as deliveries: a HAR, what ngrok's API (/api/requests/http) answers, or the
 * requests of webhook.site. Throws UnreadableCapture for any other.
 */
export function readJson(text: string, registeredUrl?: string): Delivery[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 120) : '';
    throw new UnreadableCapture(`not JSON: ${reason}`);
  }
  const entries = member(member(json, 'log'), 'entries');
  if (Array.isArray(entries)) {
    return entries.map((entry: unknown, index) => ofHar(entry, `log.entries[${index}]`));
  }
  const requests = member(json, 'requests') ?? [json];
  const raws = Array.isArray(requests) ? requests.map((one) => member(member(one, 'request'), 'raw')) : [];
  if (raws.length > 0 && raws.every((raw) => typeof raw === 'string')) {
    return raws.flatMap((raw) => readHttp(Buffer.from(raw, 'base64'), registeredUrl));
  }
  const rows = Array.isArray(json) ? json : (member(json, 'data') ?? [json]);
  if (Array.isArray(rows) && rows.length > 0 && rows.every((row) => typeof member(row, 'content') === 'string')) {
    return rows.map((row: unknown, index) => ofWebhookSite(row, `request ${index + 1}`));
  }
  throw new UnreadableCapture(
    "no HAR: log.entries is not a list. What ngrok's /api/requests/http and webhook.site's requests give is read too; save any other recording as HAR or as raw HTTP",
  );
}

function ofHar(entry: unknown, place: string): Delivery {
  const request = member(entry, 'request');
  const started = member(entry, 'startedDateTime');
  const headers = member(request, 'headers');
  if (!Array.isArray(headers)) {
    throw new UnreadableCapture(`${place}.request.headers is not a list`);
  }
  const lines = headers.map((header: unknown, index): [string, string] => {
    const [name, value] = [member(header, 'name'), member(header, 'value')];
    if (typeof name !== 'string' || typeof value !== 'string') {
      throw new UnreadableCapture(`${place}.request.headers[${index}] has no name and value`);
    }
    return [name, value];
  });
  return {
    ...called(member(request, 'method'), member(request, 'url'), `${place}.request`),
    headers: lines,
    body: bodyOf(request, place),
    receivedAt: typeof started === 'string' ? Date.parse(started) : Number.NaN,
  };
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

/** webhook.site's headers are lists of values by name. */
function ofWebhookSite(row: unknown, place: string): Delivery {
  const headers = member(row, 'headers');
  const created = member(row, 'created_at');
  const content = member(row, 'content');
  return {
    ...called(member(row, 'method'), member(row, 'url'), place),
    headers: Object.entries(isObject(headers) ? headers : {}).flatMap(([name, values]) =>
      [values].flat().flatMap((value): [string, string][] => (typeof value === 'string' ? [[name, value]] : [])),
    ),
    body: Buffer.from(typeof content === 'string' ? content : ''),
    receivedAt: typeof created === 'string' ? Date.parse(`${created.replace(' ', 'T')}Z`) : Number.NaN,
  };
}

/** A proxy's CONNECT has a host and a port for a URL. */
function called(method: unknown, url: unknown, place: string): Pick<Delivery, 'method' | 'url' | 'registeredUrl'> {
  const absolute = method === 'CONNECT' && typeof url === 'string' ? `https://${url}/` : url;
  if (typeof method !== 'string' || typeof absolute !== 'string' || !URL.canParse(absolute)) {
    throw new UnreadableCapture(`${place} has no method and absolute URL`);
  }
  const { pathname, search } = new URL(absolute);
  return { method, url: `${pathname}${search}`, registeredUrl: absolute };
}

import { isObject, parseJson } from '../../common/json.ts';
import { jsonText } from '../signature/read/json-text.ts';
import { accept, changeHeader, either, type Probe, payload, reject, signedDraft, withBody } from './probe.ts';

const parsed = (body: Buffer): unknown => parseJson(body.toString('utf8'));

/** The body with its last letter or digit replaced, so that its length stays the same and JSON stays JSON. */
function tampered(body: Buffer): Buffer | undefined {
  const at = body.findLastIndex((byte) => /[a-z0-9]/.test(String.fromCharCode(byte)));
  if (at < 0) {
    return undefined;
  }
  const changed = Buffer.from(body);
  const [usual, second] = (body[at] ?? 0) < 0x3a ? '12' : 'ab';
  changed.write((String.fromCharCode(body[at] ?? 0) === usual ? second : usual) ?? '', at);
  return changed;
}

/** The same JSON with spaces. */
function spaced(body: Buffer): Buffer | undefined {
  const json = parsed(body);
  return json === undefined ? undefined : Buffer.from(jsonText(json, { comma: ', ', colon: ': ' }));
}

/** The same JSON with its keys in another order. */
function reordered(body: Buffer): Buffer | undefined {
  const json = parsed(body);
  return isObject(json) ? Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(json).reverse()))) : undefined;
}

/** Probes of the body. Most receivers that fail verify what a parser made of it. */
export const bodyProbes: readonly Probe[] = [
  accept('non-ascii-body', 'Body contains umlauts and emoji in UTF-8', (kit) =>
    signedDraft(kit, ({ id }) => ({ body: payload(id, 'Zürich, № 7, 予約 😀') })),
  ),
  accept('spaced-json-body', 'Body is JSON with spaces, escapes and 1.0, as another serialiser writes it', (kit) =>
    signedDraft(kit, ({ id }) => ({
      body: Buffer.from(
        `{ "id": "${id}",\n  "type": "booking.created", "amount": 1.0, "note": "Z\\u00fcrich \\/ 7" }\n`,
      ),
    })),
  ),
  accept('large-body', 'Body is 64 KiB', (kit) =>
    signedDraft(kit, ({ id }) => ({ body: payload(id, 'x'.repeat(65_536)) })),
  ),
  accept('charset-parameter', 'Content-Type has a charset parameter', (kit) =>
    signedDraft(kit, ({ headers }) => ({
      headers: changeHeader(headers, 'content-type', (value) => `${value}; charset=utf-8`),
    })),
  ),
  reject('tampered-body', 'One byte of the body is changed after signing', (kit) => withBody(kit, tampered)),
  reject('re-serialised-body', 'Body is the same JSON, written with spaces after signing', (kit) =>
    withBody(kit, spaced),
  ),
  reject('reordered-body', 'Body is the same JSON with its keys in another order after signing', (kit) =>
    withBody(kit, reordered),
  ),
  reject('byte-order-mark', 'A byte order mark is prepended to the body after signing', (kit) =>
    withBody(kit, (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])),
  ),
  reject('newline-added', 'A newline is appended to the body after signing', (kit) =>
    withBody(kit, (body) => Buffer.concat([body, Buffer.from('\n')])),
  ),
  reject('emptied-body', 'The body is removed after signing', (kit) => withBody(kit, () => Buffer.alloc(0))),
  either('invalid-utf8', 'Body contains bytes that are not UTF-8, signed as they are', (kit) =>
    signedDraft(kit, ({ id }) => ({ body: Buffer.from(`{"id":"${id}","note":"\xff\xfe\x80"}`, 'latin1') })),
  ),
  either('broken-json', 'Validly signed body: broken JSON', (kit) =>
    signedDraft(kit, ({ id }) => ({ body: Buffer.from(`{"id":"${id}",`) })),
  ),
  either('null-body', 'Validly signed body: null', (kit) => signedDraft(kit, () => ({ body: Buffer.from('null') }))),
  either('empty-body', 'Validly signed empty body', (kit) => signedDraft(kit, () => ({ body: Buffer.alloc(0) }))),
  either('get-method', 'Method is GET', (kit) => signedDraft(kit, () => ({ method: 'GET' }))),
];

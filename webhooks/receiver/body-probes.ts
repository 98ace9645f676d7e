import { jsonText } from '../signature/read/json-text.ts';
import type { Probe } from './probe.ts';
import { changeHeader, payload, signedDraft, withBody } from './probe.ts';

const text = (from: string): Buffer => Buffer.from(from, 'utf8');

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The last letter or digit is replaced: the length stays the same, and JSON stays JSON. */
function tampered(body: Buffer): Buffer | undefined {
  const at = Math.max(
    ...[...body.entries()]
      .slice(-4_096)
      .filter(([, byte]) => /[a-z0-9]/.test(String.fromCharCode(byte)))
      .map(([index]) => index),
    -1,
  );
  if (at < 0) {
    return undefined;
  }
  const changed = Buffer.from(body);
  const digit = (body[at] ?? 0) < 0x3a;
  changed[at] = digit ? (body[at] === 0x31 ? 0x32 : 0x31) : body[at] === 0x61 ? 0x62 : 0x61;
  return changed;
}

/** Changes to the body: most receivers that fail verify what a parser made of it. */
export const bodyProbes: readonly Probe[] = [
  {
    id: 'non-ascii-body',
    title: 'Body holds umlauts and emoji in UTF-8',
    expects: 'accept',
    build: (kit) => signedDraft(kit, (draft) => ({ ...draft, body: payload(draft.id, 'Zürich, № 7, 予約 😀') })),
  },
  {
    id: 'spaced-json-body',
    title: 'Body is JSON with spaces, escapes and 1.0, as another serialiser writes it',
    expects: 'accept',
    build: (kit) =>
      signedDraft(kit, (draft) => ({
        ...draft,
        body: text(
          `{ "id": "${draft.id}",\n  "type": "booking.created", "amount": 1.0, "note": "Z\\u00fcrich \\/ 7" }\n`,
        ),
      })),
  },
  {
    id: 'large-body',
    title: 'Body has 64 KiB',
    expects: 'accept',
    build: (kit) => signedDraft(kit, (draft) => ({ ...draft, body: payload(draft.id, 'x'.repeat(65_536)) })),
  },
  {
    id: 'charset-parameter',
    title: 'Content-Type has a charset parameter',
    expects: 'accept',
    build: (kit) =>
      signedDraft(kit, (draft) => ({
        ...draft,
        headers: changeHeader(draft.headers, 'content-type', (value) => `${value}; charset=utf-8`),
      })),
  },
  {
    id: 'tampered-body',
    title: 'One byte of the body is changed after signing',
    expects: 'reject',
    build: (kit) => withBody(kit, tampered),
  },
  {
    id: 're-serialised-body',
    title: 'Body is the same JSON, written with spaces after signing',
    expects: 'reject',
    build: (kit) =>
      withBody(kit, (body) =>
        parsed(body) === undefined ? undefined : text(jsonText(parsed(body), { comma: ', ', colon: ': ' })),
      ),
  },
  {
    id: 'reordered-body',
    title: 'Body is the same JSON with its keys in another order after signing',
    expects: 'reject',
    build: (kit) =>
      withBody(kit, (body) => {
        const value = parsed(body);
        return typeof value !== 'object' || value === null || Array.isArray(value)
          ? undefined
          : text(JSON.stringify(Object.fromEntries(Object.entries(value).reverse())));
      }),
  },
  {
    id: 'byte-order-mark',
    title: 'A byte order mark is prepended to the body after signing',
    expects: 'reject',
    build: (kit) => withBody(kit, (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])),
  },
  {
    id: 'newline-added',
    title: 'A newline is appended to the body after signing',
    expects: 'reject',
    build: (kit) => withBody(kit, (body) => Buffer.concat([body, text('\n')])),
  },
  {
    id: 'emptied-body',
    title: 'The body is removed after signing',
    expects: 'reject',
    build: (kit) => withBody(kit, () => Buffer.alloc(0)),
  },
  {
    id: 'invalid-utf8',
    title: 'Body holds bytes that are not UTF-8, signed as they are',
    expects: 'either',
    build: (kit) =>
      signedDraft(kit, (draft) => ({
        ...draft,
        body: Buffer.concat([text(`{"id":"${draft.id}","note":"`), Buffer.from([0xff, 0xfe, 0x80]), text('"}')]),
      })),
  },
  {
    id: 'broken-json',
    title: 'Body is validly signed, broken JSON',
    expects: 'either',
    build: (kit) => signedDraft(kit, (draft) => ({ ...draft, body: text(`{"id":"${draft.id}",`) })),
  },
  {
    id: 'null-body',
    title: 'Body is validly signed, the JSON null',
    expects: 'either',
    build: (kit) => signedDraft(kit, (draft) => ({ ...draft, body: text('null') })),
  },
  {
    id: 'empty-body',
    title: 'Body is empty, validly signed',
    expects: 'either',
    build: (kit) => signedDraft(kit, (draft) => ({ ...draft, body: Buffer.alloc(0) })),
  },
  {
    id: 'get-method',
    title: 'Method is GET',
    expects: 'either',
    build: (kit) => signedDraft(kit, (draft) => ({ ...draft, method: 'GET' })),
  },
];

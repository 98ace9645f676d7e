import { createHash, createHmac } from 'node:crypto';
import { parseJson } from '../../common/json.ts';
import type { Scheme } from '../signature/scheme.ts';
import { writeTime } from '../signature/times.ts';
import { changeHeader, type Kit, type Outgoing, payload } from './kit.ts';

/** accept: 2xx. reject: 4xx. either: accepting and rejecting are both fine, and only a 5xx is a finding. */
export type Expectation = 'accept' | 'reject' | 'either';

/** A delivery that differs from a validly signed one in one thing only. */
export interface Probe {
  readonly id: string;
  /** What is different, as a fact. */
  readonly title: string;
  readonly expects: Expectation;
  /** Makes the request; undefined if the probe does not apply to the scheme. */
  readonly build: (kit: Kit) => Outgoing | undefined;
}

const row =
  (expects: Expectation) =>
  (id: string, title: string, build: Probe['build']): Probe => ({ id, title, expects, build });
const [accept, reject, either] = [row('accept'), row('reject'), row('either')];

const hour = 3_600_000;

/**
 * What receivers of released products and libraries get wrong: a body that a parser has changed, a missing or cut
 * signature that is compared to its own length, a fallback secret, an algorithm that the sender names, old deliveries.
 */
export const probes: readonly Probe[] = [
  accept('non-ascii-body', 'Body contains umlauts and emoji in UTF-8', (kit) =>
    kit.valid(({ id }) => ({ body: payload(id, 'Zürich, № 7, 予約 😀') })),
  ),
  accept('spaced-json-body', 'Body is JSON with spaces, escapes and 1.0, as another serialiser writes it', (kit) =>
    kit.valid(({ id }) => ({
      body: Buffer.from(
        `{ "id": "${id}",\n  "type": "booking.created", "amount": 1.0, "note": "Z\\u00fcrich \\/ 7" }\n`,
      ),
    })),
  ),
  accept('large-body', 'Body is 64 KiB', (kit) => kit.valid(({ id }) => ({ body: payload(id, 'x'.repeat(65_536)) }))),
  accept('charset-parameter', 'Content-Type has a charset parameter', (kit) =>
    kit.valid(({ headers }) => ({
      headers: changeHeader(headers, 'content-type', (value) => `${value}; charset=utf-8`),
    })),
  ),
  accept('wrong-then-right', 'Two signatures, a wrong one before the right one', (kit) =>
    twoEntries(kit, 'wrong first'),
  ),
  accept('right-then-wrong', 'Two signatures, the right one before a wrong one', (kit) =>
    twoEntries(kit, 'right first'),
  ),
  reject('tampered-body', 'One byte of the body is changed after signing', (kit) => kit.withBody(tampered)),
  reject('re-serialised-body', 'Body is the same JSON, written with spaces after signing', (kit) =>
    kit.withBody((body) => {
      const json = parseJson(body.toString('utf8'));
      return json === undefined ? undefined : Buffer.from(JSON.stringify(json, null, 1));
    }),
  ),
  reject('byte-order-mark', 'A byte order mark is prepended to the body after signing', (kit) =>
    kit.withBody((body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])),
  ),
  reject('newline-added', 'A newline is appended to the body after signing', (kit) =>
    kit.withBody((body) => Buffer.concat([body, Buffer.from('\n')])),
  ),
  reject('emptied-body', 'The body is removed after signing', (kit) => kit.withBody(() => Buffer.alloc(0))),
  reject('wrong-secret', 'Signed with another secret', (kit) => kit.valid(undefined, { secret: kit.wrongSecret })),
  reject('empty-key', 'Signed with an empty key', (kit) => kit.valid(undefined, { key: Buffer.alloc(0) })),
  reject('undefined-key', 'Signed with the word undefined as key', (kit) =>
    kit.valid(undefined, { key: Buffer.from('undefined') }),
  ),
  reject('no-signature', 'Signature header is missing', (kit) =>
    kit.withHeader(kit.scheme.signature.name, () => undefined),
  ),
  reject('empty-signature', 'Signature header is empty', (kit) => kit.withValue(() => '')),
  reject('label-only', 'Signature header lacks only the signature', (kit) =>
    kit.scheme.signature.template === '{signature}' ? undefined : kit.withSignature(() => ''),
  ),
  reject('half-signature', 'Signature is cut to its first half', (kit) =>
    kit.withSignature((signature) => signature.slice(0, signature.length / 2)),
  ),
  reject('last-character', 'Third-last character of the signature is changed', (kit) =>
    kit.withSignature((signature) => oneOff(kit.scheme, signature, signature.length - 3)),
  ),
  reject('other-encoding', 'Signature is right, in another encoding', (kit) =>
    kit.scheme.kind === 'parts' ? kit.withSignature((signature) => otherEncoding(kit.scheme, signature)) : undefined,
  ),
  reject('sha1', 'Signature is an HMAC-SHA1 under the right secret', sha1),
  reject('unkeyed', 'Signature is the SHA-256 of the secret and the content, not an HMAC', (kit) =>
    kit.scheme.kind === 'parts'
      ? kit.valid(undefined, { digest: (content, key) => createHash('sha256').update(key).update(content).digest() })
      : undefined,
  ),
  reject('jws-none', 'JWS says that it is not signed (alg none)', (kit) =>
    kit.scheme.kind === 'jws' ? kit.withValue(signedNone) : undefined,
  ),
  reject('not-ascii', 'Signature has the right length and holds non-ASCII letters', (kit) =>
    kit.withSignature((signature) => 'é'.repeat(signature.length)),
  ),
  reject('stale', 'Timestamp is one hour old, validly signed', (kit) =>
    kit.scheme.time === undefined ? undefined : kit.valid(({ at }) => ({ at: at - hour })),
  ),
  reject('timestamp-edited', 'Timestamp is changed by two seconds after signing', (kit) =>
    withTime(kit, (at) => writeTime(at - 2_000, kit.scheme.time?.unit ?? 's')),
  ),
  reject('timestamp-word', 'Timestamp is replaced by a word after signing', (kit) => withTime(kit, () => 'yesterday')),
  reject('no-timestamp', 'Timestamp is missing', (kit) => withTime(kit, () => null)),
  reject('other-id', 'Id is changed after signing', (kit) => {
    const name = idHeader(kit.scheme);
    return name === undefined ? undefined : kit.withHeader(name, (value) => `${value}x`);
  }),
  either('timestamp-word-signed', 'Validly signed timestamp that is a word', (kit) =>
    kit.scheme.time === undefined ? undefined : kit.valid(undefined, { timeText: 'yesterday' }),
  ),
  either('header-twice', 'Signature header is sent twice, a wrong one first', headerTwice),
  either('very-long', 'Signature is followed by 4,000 characters', (kit) =>
    kit.withSignature((signature) => signature + 'A'.repeat(4_000)),
  ),
  either('invalid-utf8', 'Body contains bytes that are not UTF-8, signed as they are', (kit) =>
    kit.valid(({ id }) => ({ body: Buffer.from(`{"id":"${id}","note":"\xff\xfe\x80"}`, 'latin1') })),
  ),
  either('broken-json', 'Validly signed body: broken JSON', (kit) =>
    kit.valid(({ id }) => ({ body: Buffer.from(`{"id":"${id}",`) })),
  ),
  either('null-body', 'Validly signed body: null', (kit) => kit.valid(() => ({ body: Buffer.from('null') }))),
  either('empty-body', 'Validly signed empty body', (kit) => kit.valid(() => ({ body: Buffer.alloc(0) }))),
  either('get-method', 'Method is GET', (kit) => kit.valid(() => ({ method: 'GET' }))),
];

/** The body with its last letter or digit replaced, so that its length stays the same and JSON stays JSON. */
function tampered(body: Buffer): Buffer | undefined {
  const at = body.findLastIndex((byte) => /[a-z0-9]/.test(String.fromCharCode(byte)));
  if (at < 0) {
    return undefined;
  }
  const changed = Buffer.from(body);
  changed.write(otherThan(String.fromCharCode(body[at] ?? 0)), at);
  return changed;
}

/** A digit for a digit, a letter for a letter, but another one. */
function otherThan(character: string): string {
  const [usual = '', second = ''] = /[0-9]/.test(character) ? ['7', '3'] : ['a', 'b'];
  return character === usual ? second : usual;
}

/** The signature with one character replaced. In base64 of hexadecimal it is a digit: another letter may be its case. */
function oneOff(scheme: Scheme, signature: string, at: number): string {
  if (scheme.kind === 'parts' && scheme.encoding === 'base64-hex') {
    const hex = Buffer.from(signature, 'base64').toString('latin1');
    return Buffer.from(otherThan(hex.charAt(0)) + hex.slice(1), 'latin1').toString('base64');
  }
  return signature.slice(0, at) + otherThan(signature.charAt(at)) + signature.slice(at + 1);
}

function otherEncoding(scheme: Scheme, signature: string): string {
  const isHex = scheme.kind === 'parts' && scheme.encoding === 'hex';
  return Buffer.from(signature, isHex ? 'hex' : 'base64').toString(isHex ? 'base64' : 'hex');
}

/** An HMAC-SHA1 under the right key. If the header names the algorithm, it says sha1. */
function sha1(kit: Kit): Outgoing | undefined {
  if (kit.scheme.kind !== 'parts') {
    return undefined;
  }
  const sent = kit.valid(undefined, { digest: (content, key) => createHmac('sha1', key).update(content).digest() });
  const named = (value: string): string => value.replace(/sha-?256/i, 'sha1');
  return { ...sent, headers: changeHeader(sent.headers, kit.scheme.signature.name, named) };
}

/** Two signatures, a right and a wrong one; undefined if the scheme has no lists. */
function twoEntries(kit: Kit, order: 'wrong first' | 'right first'): Outgoing | undefined {
  const { list, template } = kit.scheme.signature;
  const label =
    template
      .slice(0, template.indexOf('{signature}'))
      .split(list === ' ' ? ' ' : /[,;]\s?/)
      .at(-1) ?? '';
  return list === undefined
    ? undefined
    : kit.withValue((value, signature) => {
        const wrong = oneOff(kit.scheme, signature, 4);
        const pair = order === 'wrong first' ? [wrong, signature] : [signature, wrong];
        return value.replace(`${label}${signature}`, () => pair.map((one) => label + one).join(list));
      });
}

/** Two signature headers, the first of which is wrong. */
function headerTwice(kit: Kit): Outgoing {
  const { signature, ...sent } = kit.valid();
  const wrong = oneOff(kit.scheme, signature, 4);
  return {
    ...sent,
    headers: sent.headers.flatMap(([name, value]) =>
      name === kit.scheme.signature.name
        ? [[name, value.replace(signature, wrong)] as const, [name, value] as const]
        : [[name, value] as const],
    ),
  };
}

/** The JWS with `alg` none and no signature. */
const signedNone = (value: string): string =>
  value.replace(/[\w-]+\.([\w-]+)\.[\w-]+/, `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.$1.`);

/** A valid delivery whose time is replaced after signing, or removed (null). */
function withTime({ scheme: { time }, withHeader }: Kit, change: (at: number) => string | null): Outgoing | undefined {
  if (time?.from !== 'header') {
    return undefined;
  }
  return withHeader(time.name, (value, { at }) => {
    const sent = writeTime(at, time.unit);
    const changed = change(at);
    if (changed !== null) {
      return value.replace(sent, () => changed);
    }
    return time.label === undefined ? undefined : value.replace(`${time.label}${sent}`, '').replace(/^[\s,;&]+/, '');
  });
}

/** The header with the id that is part of the signed content. */
function idHeader(scheme: Scheme): string | undefined {
  const places = scheme.kind === 'parts' ? scheme.parts : [];
  const own = places.find(
    (part) => part.from === 'header' && part.label === undefined && part.name !== scheme.time?.name,
  );
  return own?.from === 'header' ? own.name : undefined;
}

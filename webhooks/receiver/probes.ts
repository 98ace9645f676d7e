import { createHash } from 'node:crypto';
import { parseJson } from '../../common/json.ts';
import type { PartsScheme } from '../signature/scheme.ts';
import { changeHeader, hmacUnder, payload, type Sent, type Signer, withHeader } from './sign.ts';

/** accept: 2xx. reject: 4xx. */
type Expectation = 'accept' | 'reject';

/** A delivery that differs from a validly signed one in one thing only. */
export interface Probe {
  readonly id: string;
  readonly expects: Expectation;
  /** What is different, as a fact. */
  readonly title: string;
  /** Makes the request; undefined if the probe does not apply to the scheme. */
  readonly build: (signer: Signer) => Sent | undefined;
}

const row = (id: string, expects: Expectation, title: string, build: Probe['build']): Probe => ({
  id,
  expects,
  title,
  build,
});

/**
 * What receivers of released products and libraries get wrong: a body that a parser has changed, a missing or cut
 * signature that is compared to its own length, a fallback secret, an algorithm that the sender names, old deliveries.
 */
export const probes: readonly Probe[] = [
  row('non-ascii-body', 'accept', 'Body contains umlauts and emoji in UTF-8', ({ signed }) =>
    signed(({ id }) => ({ body: payload(id, 'Zürich, № 7, 予約 😀') })),
  ),
  row('spaced-json-body', 'accept', 'Body is JSON with spaces, escapes and 1.0', ({ signed }) =>
    signed(({ id }) => ({
      body: Buffer.from(
        `{ "id": "${id}",\n  "type": "booking.created", "amount": 1.0, "note": "Z\\u00fcrich \\/ 7" }\n`,
      ),
    })),
  ),
  // Receivers that decode a body chunk by chunk break characters of several bytes.
  row('large-body', 'accept', 'Body is 64 KiB, of characters of four bytes', ({ signed }) =>
    signed(({ id }) => ({ body: payload(id, '😀'.repeat(16_384)) })),
  ),
  row('charset-parameter', 'accept', 'Content-Type has a charset parameter', ({ signed }) =>
    signed(({ headers }) => ({
      headers: changeHeader(headers, 'content-type', (value) => `${value}; charset=utf-8`),
    })),
  ),
  row('wrong-then-right', 'accept', 'Two signatures, a wrong one before the right one', (signer) =>
    twoEntries(signer, (right) => [oneOff(signer.scheme, right), right]),
  ),
  row('right-then-wrong', 'accept', 'Two signatures, the right one before a wrong one', (signer) =>
    twoEntries(signer, (right) => [right, oneOff(signer.scheme, right)]),
  ),
  row('tampered-body', 'reject', 'One character of the body is changed after signing', ({ signed }) =>
    withBody(signed(), (body) => body.replace(/[a-z0-9](?=[^a-z0-9]*$)/, (one) => (one === '7' ? '3' : '7'))),
  ),
  row('re-serialised-body', 'reject', 'Body is the same JSON, written with spaces after signing', ({ signed }) =>
    withBody(signed(), (body) => {
      const json = parseJson(body);
      return json === undefined ? body : JSON.stringify(json, null, 1);
    }),
  ),
  row('newline-added', 'reject', 'A newline is appended to the body after signing', ({ signed }) =>
    withBody(signed(), (body) => `${body}\n`),
  ),
  row('wrong-secret', 'reject', 'Signed with another secret', ({ signed, wrongly }) => signed(undefined, wrongly)),
  row('no-json', 'reject', 'Signed with another secret, and no JSON', ({ signed, wrongly }) =>
    signed(() => ({ body: Buffer.from('{"id":') }), wrongly),
  ),
  row('empty-key', 'reject', 'Signed with an empty key', ({ signed }) => signed(undefined, hmacUnder(''))),
  row('undefined-key', 'reject', 'Signed with the word undefined as key', ({ signed }) =>
    signed(undefined, hmacUnder('undefined')),
  ),
  row('no-signature', 'reject', 'Signature header is missing', ({ signed, scheme }) =>
    withHeader(signed(), scheme.signature.name, () => undefined),
  ),
  row('empty-signature', 'reject', 'Signature header is empty', ({ signed, scheme }) =>
    withHeader(signed(), scheme.signature.name, () => ''),
  ),
  row('half-signature', 'reject', 'Signature is cut to its first half', (signer) =>
    withSignature(signer, (signature) => signature.slice(0, signature.length / 2)),
  ),
  row('one-character', 'reject', 'One of the last characters of the signature is changed', (signer) =>
    withSignature(signer, (signature) => oneOff(signer.scheme, signature)),
  ),
  row('not-ascii', 'reject', 'Signature has the right length and holds non-ASCII letters', (signer) =>
    withSignature(signer, (signature) => 'é'.repeat(signature.length)),
  ),
  row('sha1', 'reject', 'Signature is an HMAC-SHA1 under the right secret', ({ signed, scheme, key }) =>
    withHeader(
      signed(undefined, hmacUnder(key, 'sha1')),
      scheme.signature.name,
      // If the header names the algorithm, it says sha1.
      (value) => value.replace(/sha-?256/i, 'sha1'),
    ),
  ),
  row('unkeyed', 'reject', 'Signature is the SHA-256 of the secret and the content, not an HMAC', ({ signed, key }) =>
    signed(undefined, (content) => createHash('sha256').update(key).update(content).digest()),
  ),
  row('stale', 'reject', 'Timestamp is one hour old, validly signed', ({ signed, scheme }) =>
    scheme.time === undefined ? undefined : signed(({ at }) => ({ at: at - 3_600_000 })),
  ),
];

/** A delivery whose body is replaced after signing; undefined if the change makes no difference. */
function withBody(sent: Sent, change: (body: string) => string): Sent | undefined {
  const body = Buffer.from(change(sent.body.toString('latin1')), 'latin1');
  return body.equals(sent.body) ? undefined : { ...sent, body };
}

/** A delivery whose signature is replaced by another text. */
function withSignature({ signed, scheme }: Signer, change: (signature: string) => string): Sent {
  const sent = signed();
  return withHeader(sent, scheme.signature.name, (value) =>
    value.replace(sent.signature, () => change(sent.signature)),
  );
}

/** The signature with one character replaced. In base64 of hexadecimal it is a digit: another letter may be its case. */
function oneOff({ encoding }: PartsScheme, signature: string): string {
  const other = (text: string): string =>
    text.replace(/.(?=.{2}$)/, (one) => (/\d/.test(one) ? (one === '7' ? '3' : '7') : one === 'a' ? 'b' : 'a'));
  return encoding === 'base64-hex'
    ? Buffer.from(other(Buffer.from(signature, 'base64').toString('latin1'))).toString('base64')
    : other(signature);
}

/** Two signatures in the order that `pair` gives; undefined if the scheme has no lists. */
function twoEntries({ signed, scheme }: Signer, pair: (right: string) => readonly string[]): Sent | undefined {
  const { list, template, name } = scheme.signature;
  const before = template.slice(0, template.indexOf('{signature}'));
  const label = before.split(list === ' ' ? ' ' : /[,;]\s?/).at(-1) ?? '';
  const sent = signed();
  return list === undefined
    ? undefined
    : withHeader(sent, name, (value) =>
        value.replace(`${label}${sent.signature}`, () =>
          pair(sent.signature)
            .map((one) => label + one)
            .join(list),
        ),
      );
}

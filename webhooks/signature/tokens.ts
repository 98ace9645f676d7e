import { parseJson, scalarText, walk } from '../../common/json.ts';
import { decoded } from '../../common/uri.ts';
import { decodeRun, runs } from '../verify/verify.mjs';
import { bounds, type Delivery, isForm } from './delivery.ts';
import type { Encoding, Place } from './scheme.ts';

/** A text of a delivery as it was sent, and its place. */
export interface Placed {
  readonly text: string;
  readonly place: Place;
}

/** A run of characters that may be a digest, with its encoding and its bytes. */
export interface Token extends Placed {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  /** Bodies are full of hashes: there it must be in a field named for a signature, or the signature of a JWS. */
  readonly mayBeSignature: boolean;
}

type Run = Omit<Token, 'place' | 'mayBeSignature'>;

/** The size of an HMAC-SHA256. */
export const macBytes = 32;

/** Other sizes of signatures: MD5, SHA-1, SHA-384, Ed25519 or SHA-512, ECDSA, RSA. */
const otherSizes = [16, 20, 48, 64, 70, 71, 72, 128, 256, 384, 512];

/** The body as JSON, a form as a flat object, or a JWS as text; undefined if it is none, or too large to parse. */
export function parseBody(delivery: Pick<Delivery, 'body' | 'headers'>): unknown {
  if (delivery.body.length === 0 || delivery.body.length > bounds.parsedBody) {
    return undefined;
  }
  const text = delivery.body.toString('utf8');
  if (isForm(delivery, text)) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  return compactJws.exec(text)?.[0] === text ? text : parseJson(text, bounds.parsedValues);
}

/** The texts, numbers and flags of a parsed body, shallow ones first, so that the bound cuts off deep ones. */
export const leavesOf = (body: unknown): Placed[] =>
  walk(body, bounds.leaves)
    .slice(0, bounds.leaves)
    .map(({ pointer: name, value }): Placed => ({ place: { from: 'field', name }, text: scalarText(value) ?? '' }))
    .filter(({ text }) => text !== '' && text.length <= bounds.headerLength);

/** The texts of a delivery that may hold a signature: whole headers, the query, and leaves of its body. */
export const textsOf = (delivery: Delivery, leaves: readonly Placed[]): Placed[] => [
  ...delivery.headers
    .slice(0, bounds.headers)
    .map(([name, text]): Placed => ({ place: { from: 'header', name }, text })),
  ...queryOf(delivery.url),
  ...leaves,
];

/** A compact JWS (RFC 7515), with its header and payload; that may be detached. */
export const compactJws = /(?<![\w-])(ey[\w-]+)\.([\w-]*)\.[\w-]+/;

/**
 * All runs in headers, query and body that have a digest's size, whatever the name of their place. Only before what may
 * be a signature something else may stand (`sha256=…`).
 */
export const findTokens = (delivery: Delivery, leaves: readonly Placed[] = leavesOf(parseBody(delivery))): Token[] =>
  textsOf(delivery, leaves)
    .flatMap(({ place, text }) => {
      const mayBeSignature = place.from !== 'field' || isSignatureNamed(place) || compactJws.test(text);
      return tokensIn(text.slice(0, bounds.headerLength))
        .filter((token) => mayBeSignature || token.text === text)
        .map((token) => ({ ...token, place, mayBeSignature }));
    })
    .slice(0, bounds.tokens);

/** Whether a place is named for a signature. */
export const isSignatureNamed = ({ name }: Place): boolean =>
  /sign|hmac|digest|(^|[_/-])(mac|sig)($|[_\d-])/i.test(name);

/** The tokens in a text: of 32 bytes, which may come before or after anything, and of the size of other signatures. */
function tokensIn(value: string): Run[] {
  const found = new Map<string, Run>();
  for (const [encoding, pattern] of runs) {
    for (const [text] of value.matchAll(pattern)) {
      const bytes = decodeRun(text, encoding);
      // Without padding it is mostly URL-safe.
      const isUrlSafe = encoding === 'base64' && !text.endsWith('=') && !/[+/]/.test(text);
      if (bytes.length === macBytes && !found.has(text)) {
        found.set(text, { encoding: isUrlSafe ? 'base64url' : encoding, text, bytes });
      }
    }
  }
  for (const [text] of value.matchAll(/[A-Za-z0-9+/_-]+={0,2}/g)) {
    const encoding = /^(?:[0-9A-Fa-f]{2})+$/.test(text) ? 'hex' : 'base64';
    const bytes = decodeRun(text, encoding);
    const isWhole = encoding === 'hex' || text.replace(/=+$/, '').length === Math.ceil((bytes.length * 4) / 3);
    if (isWhole && otherSizes.includes(bytes.length) && !found.has(text)) {
      found.set(text, { encoding, text, bytes });
    }
  }
  // A long signature in base64 may hold a run of this size between a plus and a slash.
  const all = [...found.values()];
  return all.filter(({ text }) => !all.some((other) => other.text.length > text.length && other.text.includes(text)));
}

/** The parameters of a query, percent-decoded. A plus stays a plus, since base64 has them. */
export const queryOf = (url: string): Placed[] =>
  (url.slice(0, bounds.headerLength).split(/[?#]/)[1] ?? '')
    .split('&')
    .filter(Boolean)
    .slice(0, bounds.headers)
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return { place: { from: 'query', name: decoded(name) }, text: decoded(value.join('=')) };
    });

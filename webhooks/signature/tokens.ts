import { decoded } from '../../common/uri.ts';
import { bounds } from './bounds.ts';
import type { Delivery } from './delivery.ts';
import type { Leaf } from './leaves.ts';
import type { Encoding, Place } from './scheme.ts';

/** A run of characters that may be a digest, with its place, its encoding and its bytes. */
export interface Token {
  readonly place: Place;
  readonly encoding: Encoding;
  /** The text as sent. */
  readonly text: string;
  readonly bytes: Buffer;
}

/** The size of an HMAC-SHA256. */
export const macBytes = 32;

/** Sizes of MD5, SHA-1, SHA-384 and SHA-512 (and of Ed25519 signatures). */
const otherSizes: readonly number[] = [16, 20, 48, 64];

/**
 * All runs in headers, query and body that have a digest's size, whatever the name of their place. Bodies are full of
 * hashes, so only in a field named for a signature may something stand before the digest (`sha256=…`).
 */
export function findTokens(delivery: Delivery, leaves: readonly Leaf[]): Token[] {
  const found: Token[] = [];
  const add = (place: Place, text: string): void => {
    found.push(...tokensIn(text.slice(0, bounds.headerLength)).map((token) => ({ ...token, place })));
  };
  for (const [name, value] of delivery.headers.slice(0, bounds.headers)) {
    add({ from: 'header', name }, value);
  }
  for (const [name, value] of queryOf(delivery.url)) {
    add({ from: 'query', name }, value);
  }
  for (const { pointer, text } of leaves) {
    const place = { from: 'field', name: pointer } as const;
    const whole = tokensIn(text).filter((token) => token.text === text || isSignatureNamed(place));
    found.push(...whole.map((token) => ({ ...token, place })));
  }
  // A JWS in place of the body.
  if (delivery.body[0] === 0x65 && delivery.body.length <= bounds.headerLength) {
    add({ from: 'field', name: '' }, delivery.body.toString('latin1'));
  }
  return found.slice(0, bounds.tokens);
}

/** Whether a place is named for a signature. */
export const isSignatureNamed = ({ name }: Place): boolean => /sign|hmac|digest|(^|[_/-])(mac|sig)($|[_-])/i.test(name);

type UnplacedToken = Omit<Token, 'place'>;

/** The 32 bytes that the document promises may come before or after anything: a time, a service's name, `0x`. */
const patterns: readonly (readonly [Encoding, RegExp])[] = [
  ['hex', /(?<![0-9A-Fa-f])[0-9A-Fa-f]{64}(?![0-9A-Fa-f])/g],
  ['base64-hex', /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{86}(?:==)?(?![A-Za-z0-9+/=])/g],
  ['base64', /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=?(?![A-Za-z0-9+/=])/g],
  ['base64url', /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}=?(?![A-Za-z0-9_=-])/g],
];

/** The tokens in a text. */
export function tokensIn(value: string): UnplacedToken[] {
  const found = new Map<string, UnplacedToken>();
  for (const [encoding, pattern] of patterns) {
    for (const [text] of value.matchAll(pattern)) {
      const inner = encoding === 'base64-hex' ? Buffer.from(text, 'base64').toString('latin1') : text;
      const bytes = Buffer.from(inner, encoding.endsWith('hex') ? 'hex' : 'base64');
      // Without padding it is mostly URL-safe.
      const isUrlSafe = encoding === 'base64' && !text.endsWith('=') && !/[+/]/.test(text);
      if (bytes.length === macBytes && !found.has(text)) {
        found.set(text, { encoding: isUrlSafe ? 'base64url' : encoding, text, bytes });
      }
    }
  }
  for (const [text] of value.matchAll(/[A-Za-z0-9+/_-]+={0,2}/g)) {
    const isHex = /^(?:[0-9A-Fa-f]{2})+$/.test(text);
    const bytes = Buffer.from(text, isHex ? 'hex' : 'base64');
    const isWhole = isHex || text.length === Math.ceil(bytes.length / 3) * 4;
    if (isWhole && otherSizes.includes(bytes.length) && !found.has(text)) {
      found.set(text, { encoding: isHex ? 'hex' : 'base64', text, bytes });
    }
  }
  return [...found.values()];
}

/** The parameters of a query, percent-decoded. A plus stays a plus, since base64 has them. */
export const queryOf = (url: string): [string, string][] =>
  (url.slice(0, bounds.headerLength).split('?')[1]?.split('#')[0] ?? '')
    .split('&')
    .filter(Boolean)
    .slice(0, bounds.headers)
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decoded(name), decoded(value.join('='))];
    });

import { bounds } from './bounds.ts';
import type { Delivery } from './delivery.ts';
import { leavesOf } from './leaves.ts';
import type { Encoding, Source } from './scheme.ts';
import { labelBefore, queryOf } from './source.ts';

/** A run of characters that may be a digest: its bytes, where it stands and how it is written. */
export interface Token {
  readonly source: Source;
  readonly encoding: Encoding;
  /** As sent. */
  readonly text: string;
  /** Where it begins in its value. */
  readonly at: number;
  readonly bytes: Buffer;
}

/** Sizes of MD5, SHA-1, SHA-256, SHA-384 and SHA-512 (and of Ed25519 signatures). */
export const digestSizes = [16, 20, 32, 48, 64] as const;

/** Every run in headers, query and JSON texts that has a digest's size. Needs no list of names: nothing is ignored by name. */
export function findTokens(delivery: Delivery, parsedBody: unknown): Token[] {
  const found: Token[] = [];
  for (const [name, value] of delivery.headers.slice(0, bounds.headers)) {
    for (const token of tokensIn(value.slice(0, bounds.headerLength))) {
      found.push({ ...token, source: { in: 'header', name, label: labelOf(value, token) } });
    }
  }
  for (const [name, value] of queryOf(delivery.url)) {
    found.push(...tokensIn(value).map((token) => ({ ...token, source: { in: 'query', name } as const })));
  }
  for (const { pointer, text } of leavesOf(parsedBody)) {
    const named = signatureName.test(pointer);
    const whole = tokensIn(text).filter((token) => token.text.length === text.length || (named && text.length <= 512));
    found.push(...whole.map((token) => ({ ...token, source: { in: 'body', pointer } as const })));
  }
  return found.slice(0, bounds.tokens);
}

/** A body's fields are full of hashes: only one that is named for a signature may have a name in front of it (`sha256=…`). */
const signatureName = /(sign|signature|hmac|digest|[/_-]mac)[^/]*$/i;

/** Null where the token is the whole value. */
function labelOf(value: string, token: Pick<Token, 'at' | 'text'>): string | null {
  if (token.at === 0 && token.text.length === value.trim().length) {
    return null;
  }
  return labelBefore(value.slice(0, token.at));
}

type Bare = Omit<Token, 'source'>;

function tokensIn(value: string): Bare[] {
  const found: Bare[] = [];
  for (const match of value.matchAll(/[A-Za-z0-9+/_-]+={0,2}/g)) {
    const token = hexToken(match[0], match.index) ?? base64Token(match[0], match.index);
    if (token !== undefined) {
      found.push(token);
    }
  }
  return found;
}

/** A name glued to the digest: `sha256-…`, `v1_…`. Any other prefix belongs to an identifier, which is no digest. */
const glued = /^(?:(?:hmac|sha-?\d{1,3}|sig|signature|[hsv]\d{0,2})[-_/]){1,3}/i;

/** A run of hexadecimal digits, possibly behind a glued name (`sha256_…`). */
function hexToken(run: string, at: number): Bare | undefined {
  const text = /[0-9A-Fa-f]+$/.exec(run.slice(-128))?.[0] ?? '';
  const size = text.length / 2;
  const prefix = run.slice(0, run.length - text.length);
  if (!isDigestSize(size) || (prefix !== '' && glued.exec(prefix)?.[0] !== prefix)) {
    return framedHexToken(run, at);
  }
  return { encoding: 'hex', text, at: at + prefix.length, bytes: Buffer.from(text, 'hex') };
}

/** Of the documents' own size, a digest may stand behind or before anything: a time, a service's name, `0x`. */
function framedHexToken(run: string, at: number): Bare | undefined {
  const match = /(?<![0-9A-Za-z])(?:0x)?([0-9A-Fa-f]{64})(?![0-9A-Za-z])/.exec(run);
  const text = match?.[1];
  if (match === null || text === undefined) {
    return undefined;
  }
  return {
    encoding: 'hex',
    text,
    at: at + match.index + match[0].length - text.length,
    bytes: Buffer.from(text, 'hex'),
  };
}

/** The same in base64. */
const framed = /^[A-Za-z0-9.]{1,32}[-_](?=[A-Za-z0-9+/_-]{43}=?$)/;

/** Unpadded runs count at 32 bytes and where no padding is due: identifiers have 27 characters often, digests seldom. */
function base64Token(run: string, at: number): Bare | undefined {
  if (run.length > 200) {
    return undefined;
  }
  for (const prefix of new Set(['', glued.exec(run)?.[0] ?? '', framed.exec(run)?.[0] ?? ''])) {
    const text = run.slice(prefix.length);
    const bytes = Buffer.from(text, 'base64');
    const bare = text.replace(/=+$/, '');
    if (bare.length !== Math.ceil((bytes.length * 4) / 3)) {
      continue;
    }
    const padded = bare.length < text.length;
    const encoding = /[-_]/.test(text) || (!padded && bytes.length % 3 !== 0) ? 'base64url' : 'base64';
    const inner = bytes.length === 64 ? bytes.toString('latin1') : '';
    const place = { text, at: at + prefix.length };
    if (/^[0-9a-fA-F]{64}$/.test(inner)) {
      return { ...place, encoding: 'base64-hex', bytes: Buffer.from(inner, 'hex') };
    }
    if (bytes.length === 32 || (isDigestSize(bytes.length) && padded) || bytes.length === 48) {
      return { ...place, encoding, bytes };
    }
  }
  return undefined;
}

const isDigestSize = (size: number): boolean => (digestSizes as readonly number[]).includes(size);

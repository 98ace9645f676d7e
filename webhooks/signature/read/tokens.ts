import type { Delivery } from '../delivery.ts';
import type { Encoding, Groups, Source } from '../scheme.ts';
import { queryOf } from '../source.ts';
import { bounds } from './bounds.ts';
import { labelBefore } from './header-values.ts';
import { readJws } from './jws.ts';
import type { Leaf } from './leaves.ts';

/** A run of characters that may be a digest, with its place, its encoding and its bytes. */
export interface Token {
  readonly source: Source;
  readonly encoding: Encoding;
  /** The text as sent. */
  readonly text: string;
  /** The index of the text in the value at `source`. */
  readonly at: number;
  readonly bytes: Buffer;
  /** Present if its hexadecimal digits are written in groups. */
  readonly groups?: Groups;
}

/** Sizes of MD5, SHA-1, SHA-256, SHA-384 and SHA-512 (and of Ed25519 signatures). */
const digestSizes: readonly number[] = [16, 20, 32, 48, 64];

/** The size of an HMAC-SHA256. */
export const macBytes = 32;

/** All runs in headers, query and body that have a digest's size, whatever the name of their place. */
export function findTokens(delivery: Delivery, leaves: readonly Leaf[]): Token[] {
  const found: Token[] = [];
  for (const [name, value] of delivery.headers.slice(0, bounds.headers)) {
    for (const token of tokensIn(value.slice(0, bounds.headerLength))) {
      found.push({ ...token, source: { in: 'header', name, label: labelOf(value, token) } });
    }
  }
  for (const [name, value] of queryOf(delivery.url)) {
    found.push(...tokensIn(value).map((token) => ({ ...token, source: { in: 'query', name } as const })));
  }
  for (const { pointer, text } of [{ pointer: '', text: wholeText(delivery) }, ...leaves]) {
    const source = { in: 'body', pointer } as const;
    const jws = text.startsWith('ey') ? readJws(text) : undefined;
    if (jws !== undefined) {
      found.push({ source, ...base64Tail(text, jws.signature) });
      continue;
    }
    const named = signatureField.test(pointer) && text.length <= 512;
    const whole = tokensIn(text).filter((token) => named || token.text.length === text.length);
    found.push(...(pointer === '' ? [] : whole.map((token) => ({ ...token, source }))));
  }
  return found.slice(0, bounds.tokens);
}

/** The body's text if it may be a JWS; otherwise empty. */
const wholeText = ({ body }: Delivery): string =>
  body.length <= bounds.parsedBody && body[0] === 0x65 ? body.toString('latin1').trim() : '';

const base64Tail = (text: string, tail: string): UnplacedToken => ({
  encoding: 'base64url',
  text: tail,
  at: text.lastIndexOf(tail),
  bytes: Buffer.from(tail, 'base64url'),
});

/**
 * Bodies are full of hashes, so only in a field named for a signature may a name come before the digest (`sha256=…`).
 */
const signatureField = /(sign|signature|hmac|digest|[/_-]mac)[^/]*$/i;

/** Whether a place is named for a signature. */
export function isSignatureNamed(source: Source): boolean {
  const name = source.in === 'body' ? source.pointer : source.name;
  return /sign|hmac|digest|(^|[_/-])(mac|sig)($|[_-])/i.test(name);
}

/** The label of a token in a header's value; null if the token is the whole value. */
function labelOf(value: string, { at, text }: Pick<Token, 'at' | 'text'>): string | null {
  return at === 0 && text.length === value.trim().length ? null : labelBefore(value.slice(0, at));
}

type UnplacedToken = Omit<Token, 'source'>;

/** The tokens in a text. */
export function tokensIn(value: string): UnplacedToken[] {
  const grouped = groupedTokens(value);
  const runs = grouped.length > 0 ? [] : [...value.matchAll(/[A-Za-z0-9+/_-]+={0,2}/g)];
  return [...grouped, ...runs.flatMap(({ 0: run, index }) => hexToken(run, index) ?? base64Token(run, index) ?? [])];
}

/** Patterns of 32 bytes in hexadecimal, in groups of two to 32 digits. */
const groupings = [2, 4, 8, 16, 32].map((every) => ({
  every,
  pattern: new RegExp(
    `(?<![0-9A-Za-z])[0-9A-Fa-f]{${every}}([:. -])(?:[0-9A-Fa-f]{${every}}\\1){${64 / every - 2}}[0-9A-Fa-f]{${every}}(?![0-9A-Za-z])`,
    'g',
  ),
}));

const groupedTokens = (value: string): UnplacedToken[] =>
  value.length < 65
    ? []
    : groupings.flatMap(({ every, pattern }) =>
        [...value.matchAll(pattern)].map(({ 0: text, 1: by = '', index }) => ({
          encoding: 'hex',
          text,
          at: index,
          bytes: Buffer.from(text.replaceAll(by, ''), 'hex'),
          groups: { every, by },
        })),
      );

/** A name attached to the digest: `sha256-…`, `v1_…`. With any other prefix, the run is an identifier and no digest. */
const attachedName = /^(?:(?:hmac|sha-?\d{1,3}|sig|signature|[hsv]\d{0,2})[-_/]){1,3}/i;

/** A run of hexadecimal digits, possibly with an attached name. */
function hexToken(run: string, at: number): UnplacedToken | undefined {
  const text = /[0-9A-Fa-f]+$/.exec(run.slice(-128))?.[0] ?? '';
  const prefix = run.slice(0, run.length - text.length);
  if (!digestSizes.includes(text.length / 2) || (prefix !== '' && attachedName.exec(prefix)?.[0] !== prefix)) {
    return framedHexToken(run, at);
  }
  return { encoding: 'hex', text, at: at + prefix.length, bytes: Buffer.from(text, 'hex') };
}

/**
 * A digest of 32 bytes, which the documents promise, may come before or after anything: a time, a service's name, `0x`.
 */
function framedHexToken(run: string, at: number): UnplacedToken | undefined {
  const match = /(?<![0-9A-Za-z])(?:0x)?([0-9A-Fa-f]{64})(?![0-9A-Za-z])/.exec(run);
  const text = match?.[1] ?? '';
  const place = at + (match?.index ?? 0) + (match?.[0].length ?? 0) - text.length;
  return match === null ? undefined : { encoding: 'hex', text, at: place, bytes: Buffer.from(text, 'hex') };
}

/** A digest in base64 may come after a name, or before an underscore or hyphen and a time. */
const framed = /^[A-Za-z0-9.]{1,32}[-_](?=[A-Za-z0-9+/_-]{43}=?$)/;
const trailed = /(?<=^[A-Za-z0-9+/_-]{43}=?)[-_][A-Za-z0-9]{1,24}$/;

/**
 * A run of base64. Without padding it must have 32 bytes, or a size that needs none: runs of 27 characters are mostly
 * identifiers.
 */
function base64Token(run: string, at: number): UnplacedToken | undefined {
  if (run.length > 200) {
    return undefined;
  }
  for (const prefix of new Set(['', attachedName.exec(run)?.[0] ?? '', framed.exec(run)?.[0] ?? ''])) {
    const text = run.slice(prefix.length).replace(trailed, '');
    const bytes = Buffer.from(text, 'base64');
    const bare = text.replace(/=+$/, '');
    if (bare.length !== Math.ceil((bytes.length * 4) / 3)) {
      continue;
    }
    const place = { text, at: at + prefix.length };
    const inner = bytes.length === 64 ? bytes.toString('latin1') : '';
    if (/^[0-9a-fA-F]{64}$/.test(inner)) {
      return { ...place, encoding: 'base64-hex', bytes: Buffer.from(inner, 'hex') };
    }
    const padded = bare.length < text.length;
    if (bytes.length === macBytes || (digestSizes.includes(bytes.length) && padded) || bytes.length === 48) {
      const urlSafe = /[-_]/.test(text) || (!padded && bytes.length % 3 !== 0);
      return { ...place, encoding: urlSafe ? 'base64url' : 'base64', bytes };
    }
  }
  return undefined;
}

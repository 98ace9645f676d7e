import { createHash, createHmac } from 'node:crypto';
import { pointerNames } from '../../common/json.ts';
import { keyOf, signedContent } from '../verify/verify.mjs';
import type { HeaderLines } from './delivery.ts';
import type { JwsScheme, Scheme } from './scheme.ts';
import { writeTime } from './times.ts';

/** What a delivery is made of before it is signed. */
export interface Draft {
  readonly method: string;
  /** The webhook's URL as it was registered. */
  readonly url: string;
  readonly headers: HeaderLines;
  readonly body: Buffer;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The delivery's id, for schemes that sign one. */
  readonly id: string;
}

export interface SignOptions {
  /** The time's text, instead of the draft's `at` in the scheme's unit. */
  readonly timeText?: string;
  /** The HMAC's key, instead of the one made of the secret. */
  readonly key?: Buffer;
  /** Computes the digest from content and key, instead of the HMAC. */
  readonly digest?: (content: Buffer, key: Buffer) => Buffer;
}

export interface Signed {
  /** The draft's headers and those of the scheme: time, id and signature. */
  readonly headers: HeaderLines;
  /** The text of the signature, as it is in its header. */
  readonly signature: string;
}

/** Why deliveries cannot be signed by a scheme; undefined if they can. */
export function obstacleToSigning(scheme: Scheme): string | undefined {
  if (scheme.signature.from !== 'header') {
    return `its signature is in the ${scheme.signature.from}, not in a header`;
  }
  return scheme.kind === 'parts' && scheme.parts.some(({ from }) => from === 'field' || from === 'query')
    ? 'its content holds a field of the body or the query'
    : undefined;
}

/** Signs a draft. Throws a TypeError if the scheme cannot be used to sign, or the secret does not have its form. */
export function sign(scheme: Scheme, draft: Draft, secret: string, options: SignOptions = {}): Signed {
  const obstacle = obstacleToSigning(scheme);
  const key = options.key ?? keyOf(scheme.key, secret);
  if (obstacle !== undefined || key === undefined) {
    const form = `the secret is not ${scheme.key.decode} behind "${scheme.key.strip}"`;
    throw new TypeError(`Cannot sign by this scheme: ${obstacle ?? form}`);
  }
  const time = options.timeText ?? (scheme.time === undefined ? '' : writeTime(draft.at, scheme.time.unit));
  const token = scheme.kind === 'jws' ? unsignedJws(scheme, draft) : '';
  const lines = [...draft.headers, ...headersBeside(scheme, draft, time)];
  const headersWith = (signature: string): HeaderLines => {
    const value = scheme.signature.template.replaceAll('{time}', time).replaceAll('{signature}', signature);
    return [...lines, [scheme.signature.name, value]];
  };
  const written = (mac: Buffer): string => token + encoded(mac, scheme);
  const { pathname, search } = new URL(draft.url);
  const unsigned = {
    ...draft,
    url: pathname + search,
    registeredUrl: draft.url,
    // Zeros hold the place, since the time may be in the same header.
    headers: headersWith(written(Buffer.alloc(32))),
  };
  const digest = options.digest ?? ((content, by) => createHmac('sha256', by).update(content).digest());
  const signature = written(digest(signedContent(scheme, unsigned), key));
  return { headers: headersWith(signature), signature };
}

function encoded(mac: Buffer, scheme: Scheme): string {
  switch (scheme.kind) {
    case 'parts':
      return scheme.encoding === 'base64-hex'
        ? Buffer.from(mac.toString('hex')).toString('base64')
        : mac.toString(scheme.encoding);
    case 'jws':
      return mac.toString('base64url');
    case 'rfc9421':
      return mac.toString('base64');
  }
}

/** The headers that a scheme needs beside the signature's: time, id, digest, and lists of what is signed. */
function headersBeside(scheme: Scheme, draft: Draft, time: string): [string, string][] {
  if (scheme.kind === 'rfc9421') {
    const covered = `("@method" "@target-uri" "content-digest");created=${Math.floor(draft.at / 1_000)};alg="hmac-sha256"`;
    return [
      ['Content-Digest', `sha-256=:${createHash('sha256').update(draft.body).digest('base64')}:`],
      ['Signature-Input', `${scheme.label}=${covered}`],
    ];
  }
  const parts = scheme.kind === 'parts' ? scheme.parts : [];
  const places = [...parts, ...(scheme.time === undefined ? [] : [scheme.time])].flatMap((part): [string, string][] => {
    if (part.from === 'signed-headers') {
      return [[part.name, part.name]];
    }
    const isOwn = part.from === 'header' && part.label === undefined;
    return isOwn ? [[part.name, part.name === scheme.time?.name ? time : draft.id]] : [];
  });
  const given = new Set(draft.headers.map(([name]) => name.toLowerCase()));
  return [...new Map(places)].filter(([name]) => !given.has(name.toLowerCase()));
}

/** The two parts of a compact JWS before its signature. */
function unsignedJws({ claim, encoding = 'hex' }: JwsScheme, draft: Draft): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(draft.at / 1_000);
  const hash: unknown = createHash('sha256').update(draft.body).digest(encoding);
  const covering = pointerNames(claim ?? '').reduceRight((inner, step) => ({ [step]: inner }), hash);
  const claims = { iat, exp: iat + 300, jti: draft.id, ...(claim === undefined ? {} : (covering as object)) };
  return `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}.`;
}

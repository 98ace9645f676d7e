import { createHash, createHmac } from 'node:crypto';
import { pointerNames } from '../../common/json.ts';
import { keyOf } from '../verify/verify.mjs';
import { type HeaderLines, headerValues } from './delivery.ts';
import type { JwsScheme, MessageScheme, Part, PartsScheme, Place, Scheme } from './scheme.ts';
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
  const digest = options.digest ?? ((content, by) => createHmac('sha256', by).update(content).digest());
  const { content, encoding, lines } = prepare(scheme, draft, time);
  const mac = digest(Buffer.from(content), key);
  const text = encoding === 'base64-hex' ? Buffer.from(mac.toString('hex')).toString('base64') : mac.toString(encoding);
  const signature = scheme.kind === 'jws' ? `${content}.${text}` : text;
  const value = scheme.signature.template.replaceAll('{time}', time).replaceAll('{signature}', signature);
  return { headers: [...draft.headers, ...lines, [scheme.signature.name, value]], signature };
}

interface Prepared {
  readonly content: Buffer | string;
  readonly encoding: PartsScheme['encoding'];
  /** The headers that the scheme needs beside the signature's. */
  readonly lines: HeaderLines;
}

function prepare(scheme: Scheme, draft: Draft, time: string): Prepared {
  switch (scheme.kind) {
    case 'parts':
      return prepareParts(scheme, draft, time);
    case 'jws':
      return prepareJws(scheme, draft);
    case 'rfc9421':
      return prepareMessage(scheme, draft);
  }
}

const samePlace = (one: Place, other: Place | undefined): boolean =>
  JSON.stringify([one.name, one.from === 'header' ? one.label : '']) ===
  JSON.stringify([other?.name, other?.from === 'header' ? other.label : '']);

function prepareParts(scheme: PartsScheme, draft: Draft, time: string): Prepared {
  const { parts, joiner, encoding } = scheme;
  const lines: [string, string][] = [];
  const textOf = (place: Place): string => {
    const isTime = samePlace(place, scheme.time);
    const given = headerValues({ headers: [...draft.headers, ...lines] }, place.name)[0];
    const value = isTime ? time : (given ?? draft.id);
    if (given === undefined && place.from === 'header' && place.label === undefined) {
      lines.push([place.name, value]);
    }
    return value;
  };
  // The first pass makes the headers that a part may list.
  for (const part of [...parts, ...(scheme.time === undefined ? [] : [scheme.time])]) {
    if (part.from === 'header') {
      textOf(part);
    } else if (part.from === 'signed-headers') {
      lines.push([part.name, part.name]);
    }
  }
  const { pathname, search, host } = new URL(draft.url);
  const pieceOf = (part: Part): Buffer | string => {
    switch (part.from) {
      case 'text':
        return part.text;
      case 'body':
        return part.hash === undefined ? draft.body : createHash('sha256').update(draft.body).digest(part.hash);
      case 'method':
        return draft.method;
      case 'url':
        return draft.url;
      case 'target':
        return pathname + search;
      case 'path':
        return pathname;
      case 'host':
        return host;
      case 'signed-headers':
        return `${part.name}:${part.name}`;
      default:
        return textOf(part);
    }
  };
  const pieces = parts.map((part) => Buffer.from(pieceOf(part)));
  const between = Buffer.from(joiner);
  const content = Buffer.concat(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [between, piece])));
  return { content, encoding, lines };
}

function prepareJws({ claim, encoding = 'hex' }: JwsScheme, draft: Draft): Prepared {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(draft.at / 1_000);
  const hash: unknown = createHash('sha256').update(draft.body).digest(encoding);
  const covering = pointerNames(claim ?? '').reduceRight((inner, step) => ({ [step]: inner }), hash);
  const claims = { iat, exp: iat + 300, jti: draft.id, ...(claim === undefined ? {} : (covering as object)) };
  return { content: `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`, encoding: 'base64url', lines: [] };
}

function prepareMessage({ label }: MessageScheme, draft: Draft): Prepared {
  const digest = `sha-256=:${createHash('sha256').update(draft.body).digest('base64')}:`;
  const created = Math.floor(draft.at / 1_000);
  const parameters = `("@method" "@target-uri" "content-digest");created=${created};alg="hmac-sha256"`;
  const content = [
    `"@method": ${draft.method}`,
    `"@target-uri": ${draft.url}`,
    `"content-digest": ${digest}`,
    `"@signature-params": ${parameters}`,
  ].join('\n');
  return {
    content,
    encoding: 'base64',
    lines: [
      ['Content-Digest', digest],
      ['Signature-Input', `${label}=${parameters}`],
    ],
  };
}

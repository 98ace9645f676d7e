import { createHash } from 'node:crypto';
import { pointerNames } from '../../common/json.ts';
import { headerValues } from './delivery.ts';
import type { Draft } from './draft.ts';
import type { Content, JwsCover, Scheme, Source } from './scheme.ts';

type Line = [name: string, value: string];

const sha256 = (draft: Draft): string => createHash('sha256').update(draft.body).digest('base64');

/** The headers that a scheme needs besides the signature's: timestamp, id, digests and lists of what is signed. */
export function schemeHeaders(scheme: Scheme, draft: Draft, timestamp: string): Line[] {
  const made: Line[] = [];
  const add = (name: string, value: string): void => {
    if (headerValues({ headers: [...draft.headers, ...made] }, name).length === 0) {
      made.push([name, value]);
    }
  };
  /** The name of a header that holds only this value. */
  const ownHeader = (source: Source): string | undefined =>
    source.in === 'header' && source.label === null ? source.name : undefined;
  const time = scheme.timestamp && ownHeader(scheme.timestamp.source);
  if (time !== undefined) {
    add(time, timestamp);
  }
  for (const part of scheme.content.kind === 'parts' ? scheme.content.parts : []) {
    const name = part.kind === 'value' ? ownHeader(part.source) : undefined;
    if (part.kind === 'value' && name !== undefined) {
      add(name, part.role === 'timestamp' ? timestamp : draft.id);
    }
  }
  for (const [name, value] of listedHeaders(scheme.content, draft, made)) {
    add(name, value);
  }
  return made;
}

/** The headers of contents that list what they cover. */
function listedHeaders(content: Content, draft: Draft, made: readonly Line[]): Line[] {
  const seconds = Math.floor(draft.at / 1_000);
  switch (content.kind) {
    case 'canonical-request':
      return [
        [
          content.signedHeaders,
          [content.signedHeaders, ...made.map(([name]) => name)].map((name) => name.toLowerCase()).join(','),
        ],
      ];
    case 'message-signature':
      return [
        ['Content-Digest', `sha-256=:${sha256(draft)}:`],
        [
          'Signature-Input',
          `${content.label}=("@method" "@target-uri" "content-digest");created=${seconds};keyid="webhook";alg="hmac-sha256"`,
        ],
      ];
    case 'http-signature':
      return [
        ['Host', URL.canParse(draft.url) ? new URL(draft.url).host : ''],
        ['Date', new Date(draft.at).toUTCString()],
        ['Digest', `SHA-256=${sha256(draft)}`],
      ];
    default:
      return [];
  }
}

/** A compact JWS (HS256) that covers the body in the scheme's way. */
export function jwsValue(covers: JwsCover, draft: Draft, hmac: (content: Buffer) => Buffer): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const seconds = Math.floor(draft.at / 1_000);
  if (covers.by === 'detached') {
    const head = encode({ alg: 'HS256', iat: seconds, ...(covers.encoded ? {} : { b64: false, crit: ['b64'] }) });
    const payload = covers.encoded ? Buffer.from(draft.body.toString('base64url')) : draft.body;
    return `${head}..${hmac(Buffer.concat([Buffer.from(`${head}.`), payload])).toString('base64url')}`;
  }
  const claims = { iat: seconds, exp: seconds + 300, jti: draft.id, ...hashClaim(covers, draft) };
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${input}.${hmac(Buffer.from(input)).toString('base64url')}`;
}

function hashClaim(covers: JwsCover, { body }: Draft): object {
  if (covers.by !== 'hash') {
    return {};
  }
  const hash: unknown = createHash('sha256').update(body).digest(covers.encoding);
  const nested = pointerNames(covers.claim).reduceRight((inner, step) => ({ [step]: inner }), hash);
  return typeof nested === 'object' && nested !== null ? nested : {};
}

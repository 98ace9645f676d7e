import { createHash } from 'node:crypto';
import { bounds } from './bounds.ts';
import type { Budget } from './budget.ts';
import type { Delivery } from './delivery.ts';
import { explain } from './explain.ts';
import type { Key } from './keys.ts';
import { leavesOf } from './leaves.ts';
import type { Content } from './scheme.ts';
import type { Match, Scene } from './search.ts';

/** A compact JWS taken apart. */
export interface Jws {
  readonly algorithm: string;
  readonly signingInput: string;
  readonly signature: string;
  readonly claims: unknown;
}

export type ClaimEncoding = 'hex' | 'base64' | 'base64url';

/** Reads a compact JWS, with or without `Bearer` before it; undefined where the text is none. */
export function readJws(text: string): Jws | undefined {
  const match = /^(?:Bearer\s+)?([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(text.slice(0, bounds.headerLength));
  const [, head, payload, signature] = match ?? [];
  if (head === undefined || payload === undefined || signature === undefined) {
    return undefined;
  }
  const header = decodeJson(head);
  if (typeof header !== 'object' || header === null || !('alg' in header) || typeof header.alg !== 'string') {
    return undefined;
  }
  return { algorithm: header.alg, signingInput: `${head}.${payload}`, signature, claims: decodeJson(payload) };
}

/** The claim of a JWS that holds the body's SHA-256. */
export function bodyClaim(claims: unknown, body: Buffer): Extract<Content, { kind: 'jws' }> | undefined {
  const hash = createHash('sha256').update(body).digest();
  for (const { pointer, text } of leavesOf(claims)) {
    for (const claimEncoding of ['hex', 'base64', 'base64url'] as const) {
      const same =
        claimEncoding === 'hex' ? text.toLowerCase() === hash.toString('hex') : text === hash.toString(claimEncoding);
      if (same) {
        return { kind: 'jws', claim: pointer, claimEncoding };
      }
    }
  }
  return undefined;
}

/** Headers that are a compact JWS, with their names. */
export function jwsHeaders(delivery: Delivery): { readonly name: string; readonly jws: Jws }[] {
  return delivery.headers.slice(0, bounds.headers).flatMap(([name, value]) => {
    const jws = readJws(value.trim());
    return jws === undefined ? [] : [{ name, jws }];
  });
}

/** A JWS HS256 in a header. Without a claim that holds the body's hash, its content is a text that leaves the body out. */
export function findJws(scene: Scene, keys: readonly Key[], budget: Budget): Match[] {
  return jwsHeaders(scene.delivery)
    .filter(({ jws }) => jws.algorithm === 'HS256')
    .flatMap(({ name, jws }) => {
      const content =
        bodyClaim(jws.claims, scene.delivery.body) ?? ({ kind: 'jws', claim: '', claimEncoding: 'hex' } as const);
      return explain(scene, keys, budget, jws.signingInput)
        .filter(({ token }) => token.source.in === 'header' && token.source.name === name)
        .map(({ token, key }) => ({ token, key, content }));
    });
}

function decodeJson(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

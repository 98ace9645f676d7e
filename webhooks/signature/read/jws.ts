import { parseJson } from '../../../common/json.ts';

/** The parts of a compact JWS. */
export interface Jws {
  readonly algorithm: string;
  /** Its first part, and its second, which is empty if the payload is detached. */
  readonly head: string;
  readonly payload: string;
  readonly signature: string;
  readonly claims: unknown;
}

/** Reads a compact JWS, with or without `Bearer` before it; undefined if the text is not one. */
export function readJws(text: string): Jws | undefined {
  const [, head, payload, signature] = /^\s*(?:Bearer\s+)?([\w-]+)\.([\w-]*)\.([\w-]+)\s*$/.exec(text) ?? [];
  const header = head === undefined ? undefined : decodeJson(head);
  if (typeof header !== 'object' || header === null || !('alg' in header) || typeof header.alg !== 'string') {
    return undefined;
  }
  return {
    algorithm: header.alg.slice(0, 20),
    head: head ?? '',
    payload: payload ?? '',
    signature: signature ?? '',
    claims: decodeJson(payload ?? ''),
  };
}

const decodeJson = (part: string): unknown => parseJson(Buffer.from(part, 'base64url').toString('utf8'));

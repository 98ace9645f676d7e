import { encoded } from '../../../common/uri.ts';
import type { Api } from '../api.ts';
import type { Call } from '../call.ts';
import type { KeyMode } from '../key.ts';
import type { WireRequest } from './transport.ts';

/** A secret as basic credentials, in the place of the user. */
export const basic = (secret: string): string => `Basic ${Buffer.from(`${secret}:`).toString('base64')}`;

/** The same in the place of the password. */
export const basicPassword = (secret: string): string => `Basic ${Buffer.from(`key:${secret}`).toString('base64')}`;

function keyHeader(mode: KeyMode, secret: string): readonly [string, string] | null {
  switch (mode) {
    case 'header':
      return ['X-API-Key', secret];
    case 'bearer':
      return ['Authorization', `Bearer ${secret}`];
    case 'basic':
      return ['Authorization', basic(secret)];
    case 'cookie':
      return ['Cookie', `api_key=${encoded(secret)}`];
    case 'query':
      return null;
  }
}

function queryOf(call: Call, mode: KeyMode): string {
  const inQuery = mode === 'query' ? call.key : call.queryKey;
  if (!inQuery && call.query === undefined) {
    return '';
  }
  const query = new URLSearchParams(
    Object.entries(call.query ?? {}).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  if (inQuery) {
    query.set('api_key', inQuery.secret);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** What of an API makes the request that a call stands for. */
type WireRules = Pick<Api<never>, 'keyModes' | 'alwaysTyped'>;

/** The request that a call stands for. `mode` defaults to the one that the API's document recommends. */
export function wireOf(rules: WireRules, origin: string, call: Call): WireRequest {
  const mode = call.mode ?? rules.keyModes[0];
  const body = call.body === undefined ? null : typeof call.body === 'string' ? call.body : JSON.stringify(call.body);
  const headers = new Map<string, string>([
    ['Accept', 'application/json'],
    ['Accept-Encoding', 'gzip, deflate, br'],
    // What is wrong with a body is read in English.
    ['Accept-Language', 'en'],
  ]);
  if (body !== null || rules.alwaysTyped) {
    headers.set('Content-Type', 'application/json');
  }
  const pair = call.key ? keyHeader(mode, call.key.secret) : null;
  if (pair) {
    headers.set(...pair);
  }
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    if (value === '') {
      headers.delete(name);
    } else {
      headers.set(name, value);
    }
  }
  return { method: call.method, url: `${origin}${call.path}${queryOf(call, mode)}`, headers: [...headers], body };
}

import { suiteOf } from '../../../common/suite.ts';
import { encoded } from '../../../common/uri.ts';
import type { Api } from '../api.ts';
import type { Call, KeyMode } from '../call.ts';
import type { WireRequest } from './transport.ts';

/** Basic credentials with the secret as the user. */
export const basic = (secret: string): string => `Basic ${Buffer.from(`${secret}:`).toString('base64')}`;

/** Basic credentials with the secret both as the user and as the password. */
export const basicTwice = (secret: string): string => `Basic ${Buffer.from(`${secret}:${secret}`).toString('base64')}`;

/** The header that carries a key; null: it goes into the query. */
const keyHeader: Readonly<Record<KeyMode, (secret: string) => readonly [string, string] | null>> = {
  header: (secret) => ['X-API-Key', secret],
  bearer: (secret) => ['Authorization', `Bearer ${secret}`],
  basic: (secret) => ['Authorization', basic(secret)],
  cookie: (secret) => ['Cookie', `api_key=${encoded(secret)}`],
  query: () => null,
};

function queryOf(call: Call, mode: KeyMode): string {
  const keyInQuery = mode === 'query' ? call.key : call.queryKey;
  const query = new URLSearchParams(
    Object.entries(call.query ?? {}).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  if (keyInQuery) {
    query.set('api_key', keyInQuery.secret);
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

const { name: suiteName, version } = suiteOf();
/** Firewalls refuse calls of clients that do not say what they are. */
const userAgent = `${suiteName}/${version}`;

/**
 * The request that a call is sent as. A call without a mode sends its key in the way that the document recommends.
 * `extra`: headers of the user's (EXTRA_HEADERS), as far as the call has none of these names itself.
 */
export function wireOf(
  rules: Pick<Api<never>, 'keyModes' | 'alwaysTyped'>,
  origin: string,
  call: Call,
  extra: Readonly<Record<string, string>> = {},
): WireRequest {
  const mode = call.mode ?? rules.keyModes[0];
  const body = typeof call.body === 'string' ? call.body : (JSON.stringify(call.body) ?? null);
  const headers = new Map<string, string>([
    ['Accept', 'application/json'],
    ['User-Agent', userAgent],
    ['Accept-Encoding', 'gzip, deflate, br'],
    // The suite reads in English what is wrong with a body (suites/records/named-fields.ts).
    ['Accept-Language', 'en'],
  ]);
  if (body !== null || rules.alwaysTyped) {
    headers.set('Content-Type', 'application/json');
  }
  const withKey = call.key ? keyHeader[mode](call.key.secret) : null;
  if (withKey) {
    headers.set(...withKey);
  }
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    if (value === '') {
      headers.delete(name);
    } else {
      headers.set(name, value);
    }
  }
  const own = new Set([...headers.keys()].map((name) => name.toLowerCase()));
  const added = Object.entries(extra).filter(([name]) => !own.has(name.toLowerCase()));
  const url = `${origin}${call.path}${queryOf(call, mode)}`;
  return { method: call.method, url, headers: [...headers, ...added], body };
}

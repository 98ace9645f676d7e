import type { Api } from './api.ts';
import type { Call } from './call.ts';
import type { ApiKey, KeyMode } from './key.ts';
import type { WireRequest } from './transport.ts';

const basic = (secret: string): string => `Basic ${Buffer.from(`${secret}:`).toString('base64')}`;

function keyHeader(mode: KeyMode, secret: string): readonly [string, string] | null {
  switch (mode) {
    case 'header':
      return ['X-API-Key', secret];
    case 'bearer':
      return ['Authorization', `Bearer ${secret}`];
    case 'basic':
      return ['Authorization', basic(secret)];
    case 'cookie':
      return ['Cookie', `api_key=${encodeURIComponent(secret)}`];
    case 'query':
      return null;
  }
}

function queryOf(call: Call, mode: KeyMode): string {
  const query = new URLSearchParams(
    Object.entries(call.query ?? {}).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  const inQuery = mode === 'query' ? call.key : call.queryKey;
  if (inQuery) {
    query.set('api_key', inQuery.secret);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** What of an API makes the request that a call stands for. */
export type WireRules = Pick<Api<never>, 'keyModes' | 'alwaysTyped'>;

/** The request that a call stands for. `mode` defaults to the one that the API's document recommends. */
export function wireOf(rules: WireRules, origin: string, call: Call): WireRequest {
  const mode = call.mode ?? rules.keyModes[0];
  const body = call.body === undefined ? null : typeof call.body === 'string' ? call.body : JSON.stringify(call.body);
  const headers = new Map<string, string>([
    ['Accept', 'application/json'],
    ['Accept-Encoding', 'gzip, deflate, br'],
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

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * What a shell puts a key's value in for: its setting, or, for a key that no setting holds, a word in capitals that has to
 * be set first. Where it is not, the shell says so and sends nothing.
 */
function variable({ label, origin, environment }: ApiKey): string {
  const name = label.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
  if (origin === 'given') {
    return `$${name}`;
  }
  const words = label.replace(/[^\w ,.-]/g, '');
  const what =
    origin === 'own'
      ? `a ${environment} key like the one named ${words} that the run made and deleted`
      : `a key that is not valid - ${words}`;
  return `\${${/^\d/.test(name) ? '_' : ''}${name}:?set it to ${what}}`;
}

/** A curl line for the request, its keys replaced by the names of their settings. */
export function curlOf(request: WireRequest, call: Call, clean: (text: string) => string): string {
  const keys = [call.key, call.queryKey ?? null]
    .filter((key): key is ApiKey => key !== null && key.secret !== '')
    .map((key) => ({
      name: variable(key),
      secret: key.secret,
      encoded: encodeURIComponent(key.secret),
      basic: basic(key.secret),
    }));
  // A key stands outside the single quotes, so that the shell puts its value in.
  const shell = (text: string): string =>
    keys.reduce(
      (shown, { name, secret, encoded, basic: pair }) =>
        shown
          .replaceAll(pair, `Basic '"$(printf %s: "${name}" | base64 | tr -d "\\n")"'`)
          .replaceAll(encoded, `'"${name}"'`)
          .replaceAll(secret, `'"${name}"'`),
      quote(text),
    );
  const headers = request.headers
    .filter(([name]) => name !== 'Accept-Encoding')
    // curl leaves out a header without a value, unless a semicolon takes the place of the colon.
    .map(([name, value]) => `-H ${shell(value === '' ? `${name};` : `${name}: ${value}`)}`);
  const body =
    request.body === null
      ? []
      : [`--data-raw ${quote(request.body.length > 2000 ? `${request.body.slice(0, 2000)}…` : request.body)}`];
  const line = [
    'curl',
    '-i',
    ...(request.method === 'GET' ? [] : ['-X', request.method]),
    ...headers,
    ...body,
    shell(request.url),
  ].join(' ');
  return clean(line);
}

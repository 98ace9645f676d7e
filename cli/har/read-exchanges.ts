import { readFileSync } from 'node:fs';
import { CannotRun } from '../../common/cannot-run.ts';
import type { Redactor } from '../../common/redact.ts';
import { counted } from '../../common/words.ts';
import type { Api } from '../../contract/clause.ts';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { type Exchange, type HeaderLines, headerOf } from '../../results/exchange.ts';

/** The exchanges of a recording that are of one of the two APIs. */
export interface Recording {
  readonly exchanges: readonly Exchange[];
  /** Origins that calls of each API went to. */
  readonly origins: Readonly<Partial<Record<Api, string>>>;
  /** How many entries are calls of neither API. */
  readonly others: number;
}

const apis: readonly { readonly api: Api; readonly root: string; readonly endpoints: readonly Endpoint[] }[] = [
  { api: 'developer', root: '/api/v1/', endpoints: developerEndpoints },
  { api: 'workspace', root: '/v1/', endpoints: workspaceEndpoints },
];

const shapes = new Map(
  apis.flatMap(({ endpoints }) =>
    endpoints.map((endpoint) => [endpoint, new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}/?$`)] as const),
  ),
);

/**
 * The exchanges of a HAR file, secrets redacted. A path that begins with /api/v1/ is the developer API's, one that begins
 * with /v1/ the workspace API's, behind whatever prefix. Throws CannotRun where the file is no HAR, or has no such call.
 */
export function readRecording(file: string, redactor: Redactor): Recording {
  const entries = entriesOf(file);
  const origins: Partial<Record<Api, string>> = {};
  const exchanges = entries.flatMap((entry, index) => {
    const url = text(member(member(entry, 'request'), 'url'));
    const called = calledApi(url);
    if (called === null) {
      return [];
    }
    origins[called.api] ??= called.origin;
    return [exchangeOf(entry, { ...called, url, number: index + 1 }, redactor)];
  });
  if (exchanges.length === 0) {
    throw new CannotRun(
      `Cannot judge ${file}: it has ${counted(entries.length, 'entry')}, and no call below /api/v1/ or /v1/; record calls of the deployment`,
    );
  }
  return { exchanges, origins, others: entries.length - exchanges.length };
}

function entriesOf(file: string): readonly unknown[] {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
    throw new CannotRun(`Cannot read ${file}: ${why}; it must be a HAR file`);
  }
  const entries = member(member(json, 'log'), 'entries');
  if (!Array.isArray(entries)) {
    throw new CannotRun(`Cannot read ${file}: it has no list log.entries; it must be a HAR file`);
  }
  return entries;
}

interface Called {
  readonly api: Api;
  readonly origin: string;
  /** From the API's root on. */
  readonly path: string;
}

function calledApi(url: string): Called | null {
  if (!URL.canParse(url)) {
    return null;
  }
  const { origin, pathname } = new URL(url);
  for (const { api, root } of apis) {
    const at = pathname.indexOf(root);
    if (at >= 0) {
      return { api, origin: origin + pathname.slice(0, at), path: pathname.slice(at) };
    }
  }
  return null;
}

function exchangeOf(
  entry: unknown,
  { api, path, url, number }: Called & { readonly url: string; readonly number: number },
  redactor: Redactor,
): Exchange {
  const request = member(entry, 'request');
  const method = text(member(request, 'method')).toUpperCase();
  const headers = headersOf(request);
  const keys = credentialsOf(headers, url);
  for (const key of keys) {
    redactor.learn(key);
  }
  const { clean } = redactor;
  const endpoint = apis
    .find((one) => one.api === api)
    ?.endpoints.find((one) => one.method === method && shapes.get(one)?.test(path));
  const sentAt = Date.parse(text(member(entry, 'startedDateTime'))) || 0;
  const body = member(member(request, 'postData'), 'text');
  const response = responseOf(member(entry, 'response'), clean);
  return {
    number,
    api,
    purpose: endpoint === undefined ? 'off-document' : 'documented',
    endpoint: endpoint?.id ?? null,
    keyLabel: keys.length === 0 ? null : 'recorded key',
    keyValid: keys.length > 0 && response?.status !== 401,
    request: {
      method,
      url: clean(url),
      headers: headers.map(([name, value]) => [name, clean(value)] as const),
      body: typeof body === 'string' ? clean(body) : null,
    },
    response,
    failure: response === null ? { kind: 'other', message: 'No response is recorded' } : null,
    sentAt,
    receivedAt: sentAt + (Number(member(entry, 'time')) || 0),
    curl: `# entry ${number} of the recording: ${method} ${clean(url)}`,
  };
}

/** What a call was authorised with: never shown. */
function credentialsOf(headers: HeaderLines, url: string): string[] {
  const words = (headerOf(headers, 'authorization') ?? '').split(' ').slice(1);
  const cookies = (headerOf(headers, 'cookie') ?? '').split(/;\s*/).map((cookie) => cookie.replace(/^[^=]*=/, ''));
  const query = new URL(url).searchParams.get('api_key');
  return [...words, ...cookies, headerOf(headers, 'x-api-key') ?? '', query ?? ''].filter((secret) => secret !== '');
}

function responseOf(response: unknown, clean: (text: string) => string): Exchange['response'] {
  const status = Number(member(response, 'status'));
  if (!Number.isInteger(status) || status < 100) {
    return null;
  }
  const content = member(response, 'content');
  const raw = text(member(content, 'text'));
  const body = clean(member(content, 'encoding') === 'base64' ? Buffer.from(raw, 'base64').toString('utf8') : raw);
  const headers = headersOf(response).map(([name, value]) => [name, clean(value)] as const);
  return { status, headers, text: body, json: parseOr(body) };
}

function parseOr(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function headersOf(message: unknown): HeaderLines {
  const list = member(message, 'headers');
  return Array.isArray(list)
    ? list.map((line: unknown) => [text(member(line, 'name')), text(member(line, 'value'))] as const)
    : [];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

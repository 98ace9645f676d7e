import { CannotRun } from '../../common/cannot-run.ts';
import { member, parseExactly } from '../../common/json.ts';
import { jsonTrouble } from '../../common/nesting.ts';
import type { Redactor } from '../../common/redact.ts';
import type { Failure } from '../../common/transport-failure.ts';
import { counted } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Exchange, HeaderLines } from '../../results/exchange.ts';
import { developerApi } from '../../suites/developer/api.ts';
import { workspaceApi } from '../../suites/workspace/api.ts';
import { credentialsOf, hasKey } from './credentials.ts';

/** The calls of a recording to the two APIs. */
interface Recording {
  readonly exchanges: readonly Exchange[];
  /** The origin of the first call of each API. */
  readonly origins: Readonly<Partial<Record<ApiName, string>>>;
  /** How many entries are calls of neither API. */
  readonly others: number;
}

const apis = [developerApi, workspaceApi];

/** The failure of an answer whose body is not recorded, or not to its end. */
export const notWhole = 'Its body is not recorded completely';

const pathPatterns = new Map(
  apis.flatMap(({ endpoints }) =>
    endpoints.map((endpoint) => [endpoint, new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}/?$`)] as const),
  ),
);

/**
 * The calls to the two APIs in a HAR file, with secrets redacted. A path with /api/v1/ in it is the developer API's,
 * one with /v1/ the workspace API's. `name` is the file's name for messages. Throws CannotRun if the text is not a HAR,
 * or has no such call.
 */
export function readRecording(har: string, name: string, redactor: Redactor): Recording {
  const entries = entriesOf(har, name);
  const all = entries.map(entryOf);
  const own = all.filter((entry) => entry !== null);
  if (own.length === 0) {
    throw new CannotRun(
      `Cannot judge ${name}: it has ${counted(entries.length, 'entry')}, and no call below /api/v1/ or /v1/; record calls of the deployment`,
    );
  }
  // All secrets are learnt first, since an answer may show a key before it is used.
  for (const secret of own.flatMap(secretsOf)) {
    redactor.learn(secret);
  }
  const origins: Partial<Record<ApiName, string>> = {};
  for (const { api, origin } of own) {
    origins[api.name] ??= origin;
  }
  const exchanges = all.flatMap((entry, index) => (entry === null ? [] : [exchangeOf(entry, index + 1, redactor)]));
  return { exchanges, origins, others: entries.length - own.length };
}

function entriesOf(har: string, name: string): readonly unknown[] {
  let json: unknown;
  try {
    json = JSON.parse(har.replace(/^\ufeff/, ''));
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
    throw new CannotRun(`Cannot read ${name}: ${why}; it must be a HAR file`);
  }
  const entries = member(member(json, 'log'), 'entries');
  if (!Array.isArray(entries)) {
    throw new CannotRun(`Cannot read ${name}: log.entries is not a list; it must be a HAR file`);
  }
  return entries;
}

/** A call to one of the two APIs as it is in the file, not redacted. */
interface Entry {
  readonly api: (typeof apis)[number];
  readonly origin: string;
  readonly endpoint: Endpoint | undefined;
  readonly method: string;
  readonly url: string;
  readonly sent: HeaderLines;
  readonly body: string | null;
  readonly sentAt: number;
  readonly tookMs: number;
  readonly response: RawResponse | null;
}

interface RawResponse {
  readonly status: number;
  readonly headers: HeaderLines;
  readonly body: string;
  /** Whether the body is recorded completely. */
  readonly isWhole: boolean;
}

/** An entry of the HAR as a call; null if it is a call of neither API. */
function entryOf(entry: unknown): Entry | null {
  const request = member(entry, 'request');
  const method = text(member(request, 'method')).toUpperCase();
  const given = text(member(request, 'url'));
  const url = URL.canParse(given) ? new URL(given) : null;
  const api = url === null ? undefined : apis.find(({ root }) => url.pathname.includes(`${root}/`));
  if (url === null || api === undefined || !/^[A-Z]{1,20}$/.test(method)) {
    return null;
  }
  const at = url.pathname.indexOf(`${api.root}/`);
  const path = url.pathname.slice(at);
  const body = member(member(request, 'postData'), 'text');
  const took = Number(member(entry, 'time'));
  return {
    api,
    origin: url.origin + url.pathname.slice(0, at),
    endpoint: api.endpoints.find((one) => one.method === method && pathPatterns.get(one)?.test(path)),
    method,
    url: url.href,
    sent: headersOf(request),
    body: typeof body === 'string' ? body : null,
    sentAt: Date.parse(text(member(entry, 'startedDateTime'))) || 0,
    tookMs: took > 0 && Number.isFinite(took) ? took : 0,
    response: responseOf(entry),
  };
}

function responseOf(entry: unknown): RawResponse | null {
  const response = member(entry, 'response');
  const status = Number(member(response, 'status'));
  if (!Number.isInteger(status) || status < 100 || status > 999) {
    return null;
  }
  const content = member(response, 'content');
  const raw = text(member(content, 'text'));
  const body = member(content, 'encoding') === 'base64' ? Buffer.from(raw, 'base64').toString('utf8') : raw;
  // Recorders may leave out bodies, or cut them. A run of this suite marks exchanges of which it kept only a part, and
  // bodies that it did not read.
  const isMarked = member(entry, '_isBare') !== undefined || member(response, '_error') !== undefined;
  const isWhole = !(Number(member(content, 'size')) > Buffer.byteLength(body)) && !isMarked;
  return { status, headers: headersOf(response), body, isWhole };
}

/** The credentials of a call, and the secrets that its answer gives out. */
function secretsOf({ api, endpoint, url, sent, body: sentBody, response }: Entry): string[] {
  const { headers = [], body = '' } = response ?? {};
  const call = { ...(endpoint === undefined ? {} : { endpoint }), body: parseOr(sentBody ?? '') };
  const shown = api.secretsIn(parseOr(body) as Parameters<typeof api.secretsIn>[0], call, headers);
  return [...credentialsOf(url, sent, headers), ...shown];
}

function exchangeOf(entry: Entry, number: number, { clean, cleanBody }: Redactor): Exchange {
  const { api, endpoint, method, url, sent, body, sentAt, tookMs, response } = entry;
  const cleaned = (lines: HeaderLines): HeaderLines =>
    lines.map(([name, value]) => [clean(name), clean(value)] as const);
  const trouble = response === null ? null : bodyTrouble(response);
  const keyed = hasKey(url, sent);
  return {
    number,
    api: api.name,
    purpose: endpoint === undefined ? 'off-document' : 'documented',
    endpoint: endpoint?.id ?? null,
    keyLabel: keyed ? 'recorded key' : null,
    keyValid: keyed && response?.status !== 401,
    request: { method, url: clean(url), headers: cleaned(sent), body: body === null ? null : cleanBody(body) },
    response: response === null || trouble !== null ? null : recorded(response, cleanBody, cleaned),
    failure: trouble ?? (response === null ? { kind: 'other', message: 'No response is recorded' } : null),
    sentAt,
    receivedAt: sentAt + tookMs,
    curl: () => `# entry ${number} of the recording: ${method} ${clean(url)}`,
  };
}

/** Why a body cannot be judged; null if it can. */
const bodyTrouble = ({ body, isWhole }: RawResponse): Failure | null =>
  isWhole ? jsonTrouble(Buffer.from(body)) : { kind: 'other', message: notWhole };

function recorded(
  { status, headers, body }: RawResponse,
  cleanBody: Redactor['cleanBody'],
  cleaned: (lines: HeaderLines) => HeaderLines,
): NonNullable<Exchange['response']> {
  const shown = cleanBody(body);
  return { status, headers: cleaned(headers), text: shown, json: parseOr(shown) };
}

function parseOr(body: string): unknown {
  try {
    return jsonTrouble(Buffer.from(body)) === null ? parseExactly(body) : undefined;
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

import { STATUS_CODES } from 'node:http';
import type { Content, Entry, Har, Header, PostData, QueryString, Request, Response } from 'har-format';
import { cut } from '../results/bound.ts';
import { type Exchange, type HeaderLines, headerOf } from '../results/exchange.ts';
import type { Run } from '../results/verdict.ts';
import { thousands } from './text.ts';
import { finderOf, purposeOf } from './words.ts';

/** How much one file holds, so that browsers and editors still open it. */
const most = {
  entries: 10_000,
  characters: 50_000_000,
  body: 65_536,
  header: 16_384,
  headers: 200,
  word: 1_000,
} as const;

/** exchanges.har: every exchange of the run as HAR 1.2, in the order of sending. */
export function harReport(run: Run, exchanges: readonly Exchange[]): string {
  const cited = citations(run, exchanges);
  const ordered = [...exchanges].sort((a, b) => a.sentAt - b.sentAt || a.number - b.number);
  const kept = keep(ordered, cited);
  const body = Math.max(256, Math.min(most.body, Math.floor(most.characters / Math.max(1, kept.length))));
  const left = ordered.length - kept.length;
  const har: Har = {
    log: {
      version: '1.2',
      creator: { name: run.suite.name, version: run.suite.version },
      comment: `Seed ${run.seed}${left > 0 ? `; ${thousands(left)} exchanges that no finding names are left out` : ''}`,
      entries: kept.map((exchange) => entryOf(exchange, cited.get(exchange) ?? [], body)),
    },
  };
  return `${JSON.stringify(har, null, 2)}\n`;
}

/** The clauses whose findings name an exchange, with their verdicts. */
function citations(run: Run, exchanges: readonly Exchange[]): Map<Exchange, string[]> {
  const find = finderOf(exchanges);
  const cited = new Map<Exchange, string[]>();
  for (const { id, verdict, findings } of run.clauses) {
    for (const finding of findings) {
      const exchange = find(id, finding);
      const clauses = exchange === undefined ? [] : (cited.get(exchange) ?? []);
      if (exchange !== undefined && clauses.at(-1) !== `${id} ${verdict}`) {
        cited.set(exchange, [...clauses, `${id} ${verdict}`]);
      }
    }
  }
  return cited;
}

/** All, or where there are too many those that findings name and the earliest of the others. */
function keep(ordered: readonly Exchange[], cited: ReadonlyMap<Exchange, unknown>): readonly Exchange[] {
  if (ordered.length <= most.entries) {
    return ordered;
  }
  const named = ordered.filter((exchange) => cited.has(exchange)).slice(0, most.entries);
  const others = ordered.filter((exchange) => !cited.has(exchange)).slice(0, most.entries - named.length);
  const chosen = new Set([...named, ...others]);
  return ordered.filter((exchange) => chosen.has(exchange));
}

function entryOf(exchange: Exchange, clauses: readonly string[], mostBody: number): Entry {
  const time = Math.max(0, exchange.receivedAt - exchange.sentAt) || 0;
  return {
    startedDateTime: instant(exchange.sentAt),
    time,
    request: requestOf(exchange.request, mostBody),
    response: responseOf(exchange, mostBody),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: cut(
      [`Exchange ${exchange.number} of the ${exchange.api} API: ${purposeOf(exchange)}`, ...clauses].join('; '),
    ),
    _number: exchange.number,
    _api: exchange.api,
    _purpose: exchange.purpose,
  };
}

function requestOf({ method, url, headers, body }: Exchange['request'], mostBody: number): Request {
  return {
    method: cut(method, most.word),
    url: uri(url),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: lines(headers),
    queryString: query(url),
    headersSize: -1,
    bodySize: body === null ? 0 : Buffer.byteLength(body),
    ...(body === null ? {} : { postData: postData(headers, body, mostBody) }),
  };
}

/** HAR wants a URI (RFC 3986), which is stricter than what a client sends: what that lacks is percent-encoded. */
function uri(url: string): string {
  const whole = cut(url, most.header);
  if (!URL.canParse(whole) || new URL(whole).origin === 'null') {
    return `about:invalid?${rest(whole)}`;
  }
  const { origin, pathname, search } = new URL(whole);
  return origin + rest(pathname + search);
}

const rest = (text: string): string =>
  text.replace(/[^\w\-.~:/?@!$&'()*+,;=%]+|%(?![0-9a-f]{2})/gi, encodeURIComponent);

const postData = (headers: HeaderLines, body: string, mostBody: number): PostData => ({
  mimeType: typeOf(headers, ''),
  text: cut(body, mostBody),
});

/** A transport failure has status 0 and says in `_error` how it failed, as browsers write it. */
function responseOf({ response, failure }: Exchange, mostBody: number): Response {
  const { status, headers, text } = response ?? { status: 0, headers: [], text: '' };
  const content: Content = {
    size: Buffer.byteLength(text),
    mimeType: typeOf(headers, 'x-unknown'),
    text: cut(text, mostBody),
  };
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: lines(headers),
    content,
    redirectURL: cut(headerOf(headers, 'location') ?? '', most.header),
    headersSize: -1,
    bodySize: response === null ? -1 : content.size,
    ...(response === null ? { _error: cut(failure?.message ?? 'no response') } : {}),
  };
}

const typeOf = (headers: HeaderLines, otherwise: string): string =>
  cut(headerOf(headers, 'content-type') ?? otherwise, most.word);

const lines = (headers: HeaderLines): Header[] =>
  headers
    .slice(0, most.headers)
    .map(([name, value]) => ({ name: cut(name, most.header), value: cut(value, most.header) }));

function query(url: string): QueryString[] {
  const search = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();
  return [...search]
    .slice(0, most.headers)
    .map(([name, value]) => ({ name: cut(name, most.header), value: cut(value, most.header) }));
}

/** An instant that a clock gone wild cannot make throw. */
const instant = (ms: number): string => new Date(Math.abs(ms) <= 8.64e15 ? ms : 0).toISOString();

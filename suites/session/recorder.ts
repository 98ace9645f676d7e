import { parseExactly } from '../../common/json.ts';
import type { Redactor } from '../../common/redact.ts';
import type { Failure } from '../../common/transport-failure.ts';
import { type Exchange, type HeaderLines, headerOf } from '../../results/exchange.ts';
import { type Answer, isSuccess, type RawBody, type RawJson } from './answer.ts';
import type { Api } from './api.ts';
import { currentClause } from './attribution.ts';
import type { Call } from './call.ts';
import { cut } from './condense.ts';
import type { OwnRecords } from './own-records.ts';
import { scriptOf } from './reproduce.ts';
import type { WireRequest, WireResponse } from './transport.ts';

/** One call as it went over the wire, and what came: everything of it but the secrets becomes evidence. */
export interface Taken {
  readonly number: number;
  readonly call: Call;
  readonly request: WireRequest;
  readonly outcome: WireResponse | Failure;
  readonly records: OwnRecords;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/**
 * The answer to a call, with its evidence: redacted here, and nowhere else. The secrets that the answer shows for the first
 * time are learnt before anything of it is recorded.
 */
export function recordAnswer<S>(api: Api<S>, redactor: Redactor, taken: Taken): Answer {
  const { call, outcome } = taken;
  const response = 'kind' in outcome ? null : outcome;
  const raw = response === null ? { text: '', json: undefined } : decode(response.body);
  const shown = api.secretsIn(raw.json as RawJson, call.endpoint, response?.headers ?? []);
  const secrets = [call.key?.secret, call.queryKey?.secret, ...shown];
  for (const secret of secrets) {
    redactor.learn(secret ?? '');
  }
  const exchange = exchangeOf(api.name, redactor, taken, response === null ? null : recorded(response, raw, redactor));
  const { status, text, json, headers } = exchange.response ?? { status: 0, text: '', json: undefined, headers: [] };
  const isEmptyDeletion = status === 204 && call.method === 'DELETE';
  const body = rawBody(raw, response?.headers ?? []);
  return {
    exchange,
    status,
    text,
    json,
    accepted: isSuccess({ status }) && (isEmptyDeletion || api.showsSuccess(json)),
    header: (name) => headerOf(headers, name),
    unredacted: (read) => read(body),
  };
}

/** What the answer is held by as long as a step is remembered: not the bytes, nor a large text beside what was parsed of it. */
function rawBody(raw: { text: string; json: unknown }, headers: HeaderLines): RawBody {
  const text = raw.json === undefined || raw.text.length < mostText ? raw.text : null;
  const json = raw.json as RawJson | undefined;
  return {
    json,
    holds: (wanted) => (text ?? JSON.stringify(json)).includes(wanted),
    header: (name) => headerOf(headers, name),
  };
}

function exchangeOf(
  api: Exchange['api'],
  redactor: Redactor,
  { number, call, request, outcome, records, sentAt, receivedAt }: Taken,
  response: Exchange['response'],
): Exchange {
  const { clean } = redactor;
  const clause = currentClause();
  const sentBody = request.body === null ? null : cut(request.body, mostText);
  // No shell takes a longer one: nobody has to keep it in memory.
  const repeated =
    sentBody === request.body
      ? { request, call }
      : { request: { ...request, body: sentBody }, call: { ...call, body: null } };
  return {
    number,
    api,
    sentAt,
    receivedAt,
    purpose: call.purpose ?? 'documented',
    endpoint: call.endpoint?.id ?? null,
    keyLabel: call.key?.label ?? null,
    keyValid: call.key !== null && call.key.origin !== 'unknown',
    ...(clause === undefined ? {} : { clause }),
    ...(call.key?.made === undefined ? {} : { keyScopes: call.key.made.scopes }),
    request: {
      method: request.method,
      url: clean(request.url),
      body: sentBody === null ? null : clean(sentBody),
      headers: request.headers.map(([name, value]) => [name, cleanHeader(redactor, call, value)]),
    },
    response,
    failure: 'kind' in outcome ? outcome : null,
    // Only a finding asks for it.
    get curl() {
      return scriptOf(repeated.request, repeated.call, { records, number, clean });
    },
  };
}

/** No report shows more of a body. */
const mostText = 65_536;

/** A made-up key may be too short for the redactor to have learnt it; a basic credential hides one in base64. */
const cleanHeader = ({ clean }: Redactor, call: Call, value: string): string =>
  call.mode === 'basic' && value.startsWith('Basic ') ? 'Basic …' : clean(value);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A body that is not UTF-8, or not JSON, has no `json`; its text is kept with replacement characters. */
function decode(body: Buffer): { text: string; json: unknown } {
  try {
    const text = utf8.decode(body);
    return { text, json: parseExactly(text) };
  } catch {
    return { text: body.toString('utf8'), json: undefined };
  }
}

function recorded(
  { status, headers }: WireResponse,
  raw: { text: string; json: unknown },
  { clean, cleanJson }: Redactor,
): NonNullable<Exchange['response']> {
  const json = raw.json === undefined ? undefined : cleanJson(raw.json);
  const text = json === raw.json && isNoMoreThan(raw) ? raw.text : clean(raw.text);
  return {
    status,
    headers: headers.map(([name, value]) => [clean(name), clean(value)] as const) satisfies HeaderLines,
    text: cut(text, mostText),
    json: text === raw.text ? raw.json : json,
  };
}

/** Whether the text is the value and nothing besides, such as a field that stands twice: most texts of it come again and again. */
const isNoMoreThan = ({ text, json }: { text: string; json: unknown }): boolean =>
  json !== undefined && JSON.stringify(json) === text;

import { at, parseJson } from '../../../common/json.ts';
import type { Redactor } from '../../../common/redact.ts';
import type { Failure } from '../../../common/transport-failure.ts';
import { utf8Text } from '../../../common/utf8.ts';
import { type Exchange, type HeaderLines, headerOf } from '../../../results/exchange.ts';
import { type Answer, isSuccess, type RawBody, type RawJson } from '../answer.ts';
import type { Api } from '../api.ts';
import { currentClause } from '../attribution.ts';
import type { Call } from '../call.ts';
import type { ApiKey } from '../key.ts';
import type { WireRequest, WireResponse } from '../transport/transport.ts';
import { contentWeight, cut } from './condense.ts';
import type { Evidence } from './evidence.ts';
import type { OwnRecords } from './own-records.ts';
import type { PackedStore } from './packed-store.ts';
import { scriptOf } from './reproduce.ts';

/** One call as it went over the wire, and what came: everything of it but the secrets becomes evidence. */
interface Taken {
  readonly number: number;
  readonly call: Call;
  readonly request: WireRequest;
  readonly outcome: WireResponse | Failure;
  readonly records: OwnRecords;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** What all answers of a run are recorded with. */
export interface RecorderParts<S> {
  readonly api: Api<S>;
  readonly redactor: Redactor;
  readonly evidence: Pick<Evidence, 'add'>;
  readonly store: Pick<PackedStore, 'put'>;
  /** How many calls a minute a key may make. */
  readonly perMinute: (key: ApiKey) => number;
}

/**
 * The answer to a call, with its evidence: redacted here, and nowhere else. The secrets that the answer shows for the first
 * time are learnt before anything of it is recorded.
 */
export function recordAnswer<S>(recording: RecorderParts<S>, taken: Taken): Answer {
  const { api, redactor, evidence, store } = recording;
  const { call, outcome } = taken;
  const response = 'kind' in outcome ? null : outcome;
  const raw = response === null ? { text: '', json: undefined } : decode(response.body);
  const shown = api
    .secretsIn(raw.json as RawJson, call.endpoint, response?.headers ?? [])
    .filter((text) => !redactor.isOwn(text));
  const sent = [call.key, call.queryKey].flatMap((key) => (key && key.isWord === undefined ? [key.secret] : []));
  for (const secret of [...sent, ...shown.slice(0, mostShown)]) {
    redactor.learn(secret);
  }
  const contents = contentsOf({ ...raw, headers: response?.headers ?? [] }, redactor);
  const status = response?.status ?? 0;
  const exchange = exchangeOf(recording, taken, response && { status, ...contents.shown });
  evidence.add(exchange);
  // What a deletion did is looked at, whatever it says: a body that is no JSON has its own clause.
  const isBareDeletion = call.method === 'DELETE' && raw.json === undefined;
  const accepted = isSuccess({ status }) && (isBareDeletion || api.showsSuccess(contents.shown.json));
  if (!isLarge(contents.raw)) {
    return answerOf(api, exchange, accepted, always(contents));
  }
  const kept = store.put(contents);
  return answerOf(api, exchangeOf(recording, taken, response && lazily(status, kept)), accepted, kept);
}

const always =
  <T>(value: T): (() => T) =>
  () =>
    value;

const answerOf = (
  { payload }: Pick<Api<never>, 'payload'>,
  exchange: Exchange,
  accepted: boolean,
  contents: () => Contents,
): Answer => ({
  exchange,
  status: exchange.response?.status ?? 0,
  get text() {
    return contents().shown.text;
  },
  get json() {
    return contents().shown.json;
  },
  get payload() {
    return at(contents().shown.json, payload);
  },
  accepted,
  header: (name) => headerOf(contents().shown.headers, name),
  unredacted: (read) => read(rawBody(contents().raw, payload)),
});

const lazily = (status: number, contents: () => Contents): Exchange['response'] => ({
  status,
  get headers() {
    return contents().shown.headers;
  },
  get text() {
    return contents().shown.text;
  },
  get json() {
    return contents().shown.json;
  },
});

/** Likeliest first: an answer with more texts that may be secrets would only slow the redactor down. */
const mostShown = 16;

/** What an answer holds besides its status. */
interface Content {
  readonly headers: HeaderLines;
  readonly text: string;
  /** undefined where the body is not JSON. */
  readonly json: unknown;
}

/** An answer's contents as they came, and as they may be shown. */
interface Contents {
  readonly raw: Content;
  readonly shown: Content;
}

const contentsOf = (raw: Content, redactor: Redactor): Contents => ({ raw, shown: shownOf(raw, redactor) });

/** Contents that take more bytes are put away. */
const mostPlain = 16_384;
const isLarge = (content: Content): boolean => contentWeight(content) > mostPlain;

const rawBody = ({ headers, text, json }: Content, payload: string): RawBody => ({
  json: json as RawJson | undefined,
  payload: at(json, payload) as RawJson | undefined,
  holds: (wanted) => text.includes(wanted),
  header: (name) => headerOf(headers, name),
});

function exchangeOf<S>(
  { api, redactor, perMinute }: RecorderParts<S>,
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
  const status = response?.status;
  return {
    number,
    api: api.name,
    sentAt,
    receivedAt,
    purpose: call.purpose ?? 'documented',
    endpoint: call.endpoint?.id ?? null,
    keyLabel: call.key?.label ?? null,
    keyValid: call.key !== null && call.key.origin !== 'unknown',
    ...(clause === undefined ? {} : { clause }),
    ...(call.key?.creation === undefined ? {} : { keyScopes: call.key.creation.scopes }),
    request: {
      method: request.method,
      url: clean(request.url),
      body: sentBody === null ? null : clean(sentBody),
      headers: cleanHeaders(redactor, call, request.headers),
    },
    response,
    failure: 'kind' in outcome ? { ...outcome, message: clean(outcome.message) } : null,
    // Only a finding asks for it. It lives as long as the exchange, whose parts it may not hold: they are condensed.
    get curl() {
      const { key } = repeated.call;
      const isOver = status === 429 && key !== null && key.origin !== 'unknown';
      const calls = isOver ? perMinute(key) : 0;
      return scriptOf(repeated.request, repeated.call, { records, number, clean, calls });
    },
  };
}

/** No report shows more of a body. */
const mostText = 65_536;

/** A made-up key may be too short for the redactor to have learnt it; a basic credential hides one in base64. */
const cleanHeaders = ({ clean }: Redactor, { mode }: Call, lines: HeaderLines): HeaderLines =>
  lines.map(([name, value]) => [name, mode === 'basic' && value.startsWith('Basic ') ? 'Basic …' : clean(value)]);

/** A body that is not UTF-8, or not JSON, has no `json`; its text is kept with replacement characters. */
function decode(body: Buffer): Omit<Content, 'headers'> {
  const text = utf8Text(body);
  const json = text === undefined ? undefined : parseJson(text);
  return text === undefined || json === undefined ? { text: body.toString('utf8'), json: undefined } : { text, json };
}

function shownOf(raw: Content, { clean, cleanJson }: Redactor): Content {
  const json = raw.json === undefined ? undefined : cleanJson(raw.json);
  const text = json === raw.json && isNoMoreThan(raw) ? raw.text : clean(raw.text);
  return {
    headers: raw.headers.map(([name, value]) => [clean(name), clean(value)] as const),
    text: cut(text, mostText),
    json: text === raw.text ? raw.json : json,
  };
}

/** Whether the text is the value and nothing besides, such as a field that stands twice: most texts of it come again and again. */
const isNoMoreThan = ({ text, json }: Content): boolean => json !== undefined && JSON.stringify(json) === text;

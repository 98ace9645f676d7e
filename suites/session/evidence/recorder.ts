import { isUtf8 } from 'node:buffer';
import { at, readJson } from '../../../common/json.ts';
import type { Redactor } from '../../../common/redact.ts';
import type { Failure } from '../../../common/transport-failure.ts';
import { cut } from '../../../results/bound.ts';
import { type Exchange, type HeaderLines, headerOf } from '../../../results/exchange.ts';
import type { Shapes } from '../../../settings/bodies-file.ts';
import type { Settings } from '../../../settings/settings.ts';
import { readByShape, type Shaped, shapeOf } from '../../reading/rows.ts';
import type { Api } from '../api.ts';
import { type Answer, type ApiKey, type Call, isSuccess, type RawBody, type RawJson, type SentCall } from '../call.ts';
import type { WireResponse } from '../transport/transport.ts';
import type { Evidence } from './evidence.ts';
import type { OwnRecords } from './own-records.ts';
import { scriptOf } from './reproduce.ts';

/** A call that was sent, and what came of it. */
interface EndedCall extends Omit<SentCall, 'status' | 'accepted'> {
  readonly outcome: WireResponse | Failure;
}

/** The parts of a session that record its answers. */
export interface RecorderParts<S> {
  readonly api: Api<S>;
  readonly redactor: Redactor;
  readonly evidence: Evidence;
  readonly records: OwnRecords;
  readonly settings: Settings;
  /** Where answers show what is looked for, where the user says so. */
  readonly shapes: Shapes;
  /** How many calls a minute a key may make. */
  readonly perMinute: (key: ApiKey) => number;
}

/** Most characters of a body that any report shows. */
const mostText = 65_536;

/** What an answer holds besides its status. */
interface Content {
  readonly headers: HeaderLines;
  readonly text: string;
  /** undefined where the body is not JSON. */
  readonly json: unknown;
}

/** The content of an answer as it came. */
interface RawContent extends Content {
  /** Why the body could not be read; null if it was. */
  readonly unread: Failure | null;
}

const noContent: RawContent = { headers: [], text: '', json: undefined, unread: null };

/**
 * Records what came of a call as evidence, and gives the answer. This is the one place that redacts: the redactor
 * learns the secrets of the call and of the answer before anything is recorded.
 */
export function recordAnswer<S>(parts: RecorderParts<S>, sent: EndedCall): Answer {
  const { api, redactor, evidence, shapes } = parts;
  const { call, outcome } = sent;
  const response = 'kind' in outcome ? null : outcome;
  const raw = response === null ? noContent : contentOf(response);
  learnSecrets(parts, call, raw);
  const shown = redacted(raw, redactor);
  const status = response?.status ?? 0;
  const failure = 'kind' in outcome ? outcome : raw.unread;
  const exchange = exchangeOf(parts, { ...sent, failure }, response && { status, ...shown });
  evidence.add(exchange, !sent.isPaced);
  // A deletion may be answered without JSON: its effect is checked all the same, and the body has a clause of its own.
  const isBareDeletion = call.method === 'DELETE' && raw.json === undefined;
  const isRead = raw.unread === null;
  const accepted = isSuccess({ status }) && (isBareDeletion || (isRead && api.showsSuccess(shown.json)));
  // A success that cannot be read shows nothing, unless it should have been a refusal.
  const isLost = !isRead && isSuccess({ status }) && !isBareDeletion && call.purpose !== 'refusal';
  const shownStatus = isLost ? 0 : status;
  const endpoint = call.endpoint?.id ?? null;
  const shapedIn = (json: unknown): Shaped =>
    readByShape(shapeOf(shapes, endpoint), endpoint, json, at(json, api.payload));
  const unmet = (shown.json !== undefined && api.lack) || { what: 'its body is not JSON' };
  const lack = isSuccess({ status: shownStatus }) && !accepted ? unmet : null;
  return {
    exchange,
    accepted,
    lack,
    status: shownStatus,
    text: shown.text,
    json: shown.json,
    payload: shapedIn(shown.json).payload,
    header: (name) => headerOf(shown.headers, name),
    unredacted: (read) => read(rawBody(raw, shapedIn(raw.json))),
  };
}

/**
 * Parses an answer. A body that is not UTF-8, or not JSON, has no `json`, and its text has replacement characters. A
 * byte order mark stays in the text, and does not keep the rest from being read. JSON beyond all bounds has no text.
 */
function contentOf({ headers, body, unread }: WireResponse): RawContent {
  const text = body.toString('utf8');
  const { json, trouble } = readJson(isUtf8(body) ? text.replace(/^\ufeff/, '') : '');
  return { headers, text: trouble === null ? text : '', json, unread: unread ?? trouble };
}

/** The content without the secrets that the redactor knows. */
function redacted({ headers, text, json }: Content, { cleanJson, cleanBody }: Redactor): Content {
  const body = cleanBody(text, json);
  return {
    headers: cleanJson(headers),
    text: cut(body.text, mostText),
    json: json === undefined ? json : body.json,
  };
}

/** Most secrets to learn of one answer, the likeliest first: more would only slow the redactor down. */
const mostSecrets = 16;

function learnSecrets<S>({ api, redactor }: RecorderParts<S>, call: Call, { headers, json, text }: Content): void {
  for (const key of [call.key, call.queryKey]) {
    // The id of a key is sent as a key, too, and reports have to name it.
    if (key && key.secret !== key.derivedFrom?.id) {
      redactor.learn(key.secret);
    }
  }
  const shown = api.secretsIn((json ?? text) as RawJson, call, headers);
  for (const secret of shown.filter((one) => !redactor.isOwn(one)).slice(0, mostSecrets)) {
    redactor.learn(secret);
  }
}

const rawBody = ({ headers, text, json }: Content, { payload, next }: Shaped): RawBody => ({
  json: json as RawJson | undefined,
  payload: payload as RawJson | undefined,
  next,
  holds: (wanted) => text.includes(wanted),
  header: (name) => headerOf(headers, name),
});

function exchangeOf<S>(
  parts: RecorderParts<S>,
  sent: EndedCall & Pick<Exchange, 'failure'>,
  response: Exchange['response'],
): Exchange {
  const { api, redactor, perMinute, records, settings } = parts;
  const { number, call, request, failure, sentAt, receivedAt } = sent;
  const { clean } = redactor;
  const isOverLimit = response?.status === 429 && call.key !== null && call.key.origin !== 'unknown';
  const { body } = request;
  return {
    number,
    api: api.name,
    sentAt,
    receivedAt,
    purpose: call.purpose ?? 'documented',
    endpoint: call.endpoint?.id ?? null,
    keyLabel: call.key?.label ?? null,
    ...(call.mode === 'query' || call.queryKey ? { keyInQuery: true } : {}),
    keyValid: call.key !== null && call.key.origin !== 'unknown',
    ...(call.key?.creation === undefined ? {} : { keyScopes: call.key.creation.scopes }),
    request: {
      method: request.method,
      url: clean(request.url),
      body: body === null ? null : clean(cut(body, mostText)),
      headers: cleanHeaders(redactor, call, request.headers),
    },
    response,
    failure: failure && { ...failure, message: clean(failure.message) },
    curl: (times) =>
      scriptOf(request, call, {
        records,
        number,
        clean,
        settings,
        times,
        calls: isOverLimit ? perMinute(call.key) : 0,
      }),
  };
}

/** The redactor does not learn a made-up key that is too short, nor find one in the base64 of basic credentials. */
const cleanHeaders = ({ clean }: Redactor, { mode }: Call, lines: HeaderLines): HeaderLines =>
  lines.map(([name, value]) => [name, mode === 'basic' && value.startsWith('Basic ') ? 'Basic …' : clean(value)]);

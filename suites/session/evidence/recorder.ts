import { isUtf8 } from 'node:buffer';
import { at, readJson } from '../../../common/json.ts';
import type { Redactor } from '../../../common/redact.ts';
import type { Failure } from '../../../common/transport-failure.ts';
import { cut } from '../../../results/bound.ts';
import { type Exchange, headerOf, type RecordedResponse } from '../../../results/exchange.ts';
import type { Shapes } from '../../../settings/bodies-file.ts';
import type { Settings } from '../../../settings/settings.ts';
import { readByShape, type Shaped, shapeOf } from '../../reading/rows.ts';
import type { Api } from '../api.ts';
import { type Answer, type ApiKey, isSuccess, type RawJson, type SentCall } from '../call.ts';
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

/** Most secrets to learn of one answer, the likeliest first: more would only slow the redactor down. */
const mostSecrets = 16;

/**
 * Records what came of a call as evidence, and gives the answer. This is the one place that redacts: the redactor
 * learns the secrets of the call and of the answer before anything is recorded.
 */
export function recordAnswer<S>(parts: RecorderParts<S>, sent: EndedCall): Answer {
  const { api, redactor, evidence, shapes } = parts;
  const { call, outcome } = sent;
  const { failure, ...raw } = contentOf(outcome);
  for (const key of [call.key, call.queryKey]) {
    // The id of a key is sent as a key, too, and reports have to name it.
    if (key && key.secret !== key.derivedFrom?.id) {
      redactor.learn(key.secret);
    }
  }
  const secrets = api.secretsIn((raw.json ?? raw.text) as RawJson, call, raw.headers);
  secrets
    .filter((one) => !redactor.isOwn(one))
    .slice(0, mostSecrets)
    .forEach(redactor.learn);
  const body = redactor.cleanBody(raw.text, raw.json);
  const headers = redactor.cleanJson(raw.headers);
  const json = raw.json === undefined ? undefined : body.json;
  const { status } = raw;
  const shown = { status, headers, text: cut(body.text, mostText), json };
  const exchange = exchangeOf(parts, { ...sent, failure }, 'kind' in outcome ? null : shown);
  evidence.add(exchange, !sent.isPaced);
  // A deletion may be answered without JSON: its effect is checked all the same, and the body has a clause of its own.
  const isBareDeletion = call.method === 'DELETE' && json === undefined;
  const isRead = failure === null;
  const accepted = isSuccess({ status }) && (isBareDeletion || (isRead && api.showsSuccess(json)));
  // A success that cannot be read shows nothing, unless it should have been a refusal.
  const isLost = !isRead && isSuccess({ status }) && !isBareDeletion && call.purpose !== 'refusal';
  const shownStatus = isLost ? 0 : status;
  const endpoint = call.endpoint?.id ?? null;
  const shapedIn = (one: unknown): Shaped =>
    readByShape(shapeOf(shapes, endpoint), endpoint, one, at(one, api.payload));
  const unmet = (json !== undefined && api.lack) || { what: 'its body is not JSON' };
  return {
    exchange,
    accepted,
    lack: isSuccess({ status: shownStatus }) && !accepted ? unmet : null,
    status: shownStatus,
    text: shown.text,
    json,
    payload: shapedIn(json).payload,
    header: (name) => headerOf(headers, name),
    unredacted(read) {
      const { payload, next } = shapedIn(raw.json);
      return read({
        json: raw.json as RawJson | undefined,
        payload: payload as RawJson | undefined,
        next,
        holds: (wanted) => raw.text.includes(wanted),
        header: (name) => headerOf(raw.headers, name),
      });
    },
  };
}

/**
 * What came, as it came; of status 0 where nothing did. `failure`: why it could not be read. A body that is not UTF-8,
 * or not JSON, has no `json`, and its text has replacement characters. A byte order mark stays in the text, and does
 * not keep the rest from being read. JSON beyond all bounds has no text.
 */
function contentOf(outcome: WireResponse | Failure): RecordedResponse & Pick<Exchange, 'failure'> {
  if ('kind' in outcome) {
    return { status: 0, headers: [], text: '', json: undefined, failure: outcome };
  }
  const { status, headers, body, unread } = outcome;
  const text = body.toString('utf8');
  const { json, trouble } = readJson(isUtf8(body) ? text.replace(/^\ufeff/, '') : '');
  return { status, headers, text: trouble === null ? text : '', json, failure: unread ?? trouble };
}

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
      // The redactor does not learn a made-up key that is too short, nor find one in the base64 of basic credentials.
      headers: request.headers.map(([name, value]) => [
        name,
        call.mode === 'basic' && value.startsWith('Basic ') ? 'Basic …' : clean(value),
      ]),
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

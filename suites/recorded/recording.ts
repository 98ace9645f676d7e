import { CannotRun } from '../../common/cannot-run.ts';
import { at, parseJson, readJson, scalarText } from '../../common/json.ts';
import { jsonIn } from '../../common/json-file.ts';
import type { Redactor } from '../../common/redact.ts';
import { isMasked } from '../../common/redaction/key-like.ts';
import type { Failure } from '../../common/transport-failure.ts';
import { decoded } from '../../common/uri.ts';
import { counted } from '../../common/words.ts';
import { keyPrefix } from '../../contract/scopes.ts';
import { type Exchange, type HeaderLines, headerOf } from '../../results/exchange.ts';
import { callIn } from './har-entry.ts';
import { choose, type NamedOrigins, type Placed } from './origins.ts';

/** The calls of a recording to the two APIs. */
export type Recording = ReturnType<typeof readRecording>;

interface Source {
  /** The file's name for messages. */
  readonly name: string;
  /** The folder of the file. */
  readonly folder: string;
  readonly named: NamedOrigins;
}

/**
 * The calls to the two APIs in a HAR file, with secrets redacted. Throws CannotRun if the text is not a HAR, or has no
 * such call.
 */
export function readRecording(har: string, { name, folder, named }: Source, redactor: Redactor) {
  const json = jsonIn(har, `Cannot read ${name}, which must be a HAR file`);
  const entries = at(json, '/log/entries');
  if (!Array.isArray(entries)) {
    throw new CannotRun(`Cannot read ${name}: log.entries is not a list; it must be a HAR file`);
  }
  const all = entries.map((entry, index) => callIn(entry, index + 1, folder));
  const calls = all.filter((one) => typeof one !== 'string');
  const noCalls = all.filter((one) => typeof one === 'string');
  const { origins, calls: own } = choose(calls, named, { name, leftOut: leftOutOf(noCalls) });
  // All secrets are learnt first, since an answer may show a key before it is used.
  for (const secret of own.flatMap(secretsOf)) {
    redactor.learn(secret);
  }
  const numbers = new Set(own.map(({ call }) => call.number));
  const elsewhere = calls.filter(({ number }) => !numbers.has(number));
  return {
    exchanges: own.map((one) => exchangeOf(one, redactor)),
    /** The origin of each API that has calls. */
    origins,
    /** Lines that say how many entries were left out, and why. */
    leftOut: leftOutOf([
      ...noCalls,
      ...elsewhere.map(() => 'calls of neither API, or to another origin (--origin)'),
      ...own.filter(({ call }) => call.body === null).map(() => 'bodies that are incomplete or redacted'),
    ]),
    /** The numbers of the answers that were recorded with their headers, and whether any was with its body. */
    withHeaders: new Set(own.flatMap(({ call }) => (call.hasHeaders ? [call.number] : []))),
    hasBodies: own.some(({ call }) => call.body !== null),
    /** Whether a sanitizer replaced values. */
    isSanitized: own.some(hasOtherKey),
  };
}

const leftOutOf = (reasons: readonly string[]): string[] =>
  [...Map.groupBy(reasons, (reason) => reason)].map(
    ([reason, { length }]) => `${counted(length, 'entry')} of the recording left out: ${reason}`,
  );

/**
 * Whether a sanitizer replaced values of a call, as what cannot be shows: it was accepted with a key without a
 * documented prefix, or without a whole one, its trace id masked.
 */
function hasOtherKey({ api, call: { url, sent, status, body } }: Placed): boolean {
  const keys = [headerOf(sent, 'x-api-key') ?? '', ...url.searchParams.getAll('api_key')].filter((key) => key !== '');
  const isOther = (key: string): boolean => !Object.values(keyPrefix).some((prefix) => key.startsWith(prefix));
  const isHidden = isMasked(scalarText(at(parseJson(body ?? ''), '/meta/trace_id')) ?? '');
  const isReplaced = isHidden || keys.some(isOther);
  return api.name === 'developer' && status < 300 && isReplaced && keys.every((key) => isMasked(key) || isOther(key));
}

/** The credentials of a call, and the secrets that its answer gives out. */
function secretsOf({ api, endpoint, call }: Placed): string[] {
  const documented = { ...(endpoint === undefined ? {} : { endpoint }), body: parseJson(call.sentBody ?? '') };
  const json = parseJson(call.body ?? '') as Parameters<typeof api.secretsIn>[0];
  return [...credentialsOf(call.url.href, call.sent, call.headers), ...api.secretsIn(json, documented, call.headers)];
}

function exchangeOf({ api, endpoint, call }: Placed, { clean, cleanBody }: Redactor): Exchange {
  const { number, method, url, sent, sentBody, sentAt, tookMs, status, headers } = call;
  const cleaned = (lines: HeaderLines): HeaderLines =>
    lines.map(([name, value]) => [clean(name), clean(value)] as const);
  const failure: Failure | null =
    call.body === null
      ? { kind: 'other', message: 'Its body was not recorded as it was sent' }
      : readJson(call.body).trouble;
  const { text, json } = cleanBody(call.body ?? '');
  // In any place where the two APIs look for a key.
  const keyed =
    ['authorization', 'x-api-key', 'cookie'].some((name) => (headerOf(sent, name) ?? '') !== '') ||
    (url.searchParams.get('api_key') ?? '') !== '';
  return {
    number,
    api: api.name,
    purpose: endpoint === undefined ? 'off-document' : 'documented',
    endpoint: endpoint?.id ?? null,
    keyLabel: keyed ? 'recorded key' : null,
    keyValid: keyed && status !== 401,
    request: {
      method,
      url: clean(url.href),
      headers: cleaned(sent),
      body: sentBody === null ? null : cleanBody(sentBody).text,
    },
    response: failure === null ? { status, headers: cleaned(headers), text, json } : null,
    failure,
    sentAt,
    receivedAt: sentAt + tookMs,
    curl: () => `# entry ${number} of the recording: ${method} ${clean(url.href)}`,
  };
}

/** Names of headers and query parameters that hold credentials: `Authorization`, `X-Session-Token`, `api_key`. */
const credentialName =
  /^(.*[_-])?(api[_-]?key|access[_-]?key|token|secret|authorization|auth|sig(nature)?|session([_-]?id)?|password|cookie)$|^key$/i;
/** Shorter values are words, and must not be redacted everywhere. */
const shortestSecret = 8;

/** The credentials that a call was sent with, and the cookies that it received. They must never be shown. */
function credentialsOf(url: string, sent: HeaderLines, received: HeaderLines): string[] {
  const { username, password, searchParams } = new URL(url);
  const named = [...sent, ...searchParams].filter(([name]) => credentialName.test(name)).map(([, value]) => value);
  const cookies = received
    .filter(([name]) => /^set-cookie2?$/i.test(name))
    .map(([, value]) => value.split(';')[0] ?? '');
  const values = [...named, ...cookies, decoded(username), decoded(password)].flatMap(credentialsIn);
  return values.filter((value) => value.length >= shortestSecret);
}

/** The parts of a credential: the words of a header, the values of cookies, user and password of Basic. */
function credentialsIn(value: string): string[] {
  const words = value.split(/[\s;,]+/).map((word) => word.replace(/^[^=]*=(?=.)/, ''));
  const basic = /^Basic\s+(\S+)/i.exec(value)?.[1];
  return basic === undefined ? words : [...words, ...Buffer.from(basic, 'base64').toString('utf8').split(':')];
}

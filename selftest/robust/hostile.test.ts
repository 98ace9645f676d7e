import { expect, test } from 'vitest';
import type { WireRequest, WireResponse } from '../../suites/session/transport/transport.ts';
import { hostileTexts } from '../hostile-texts.ts';
import { isNightly } from '../nightly.ts';
import { longestShownPart } from '../unit/common/secrets.ts';
import { expectAgreement } from '../unit/reports/expect-agreement.ts';
import { resultsOf, runOf } from '../unit/reports/sample.ts';
import { answering, type Between, saying } from '../world/between.ts';
import { apis } from '../world/world.ts';
import { run } from './run.ts';

/** What a hostile deployment makes of a good answer. `number` counts the requests. */
type Change = (good: WireResponse, request: WireRequest, number: number) => WireResponse;
type Headers = readonly (readonly [string, string])[];

const mebibyte = 1024 * 1024;
const elsewhere = 'http://elsewhere.test';

// With another body; header lines in place of those of the same names; more fields; other ids, as JSON text.
const body = (make: (body: string, request: WireRequest, number: number) => string): Change => {
  return (good, request, number) => saying(good, make(String(good.body), request, number));
};
const headed = (make: (request: WireRequest) => Headers): Change => {
  return (good, request) => {
    const headers = make(request);
    const names = new Set(headers.map(([name]) => name.toLowerCase()));
    return { ...good, headers: [...good.headers.filter(([name]) => !names.has(name.toLowerCase())), ...headers] };
  };
};
const fields = (make: (request: WireRequest, number: number) => string): Change =>
  body((text, request, number) =>
    text.startsWith('{"') ? `{${make(request, number)},${text.slice(1)}` : `{${make(request, number)}}`,
  );
const ids = (make: (id: string, number: number) => string): Change =>
  body((text, _, number) => text.replace(/"id":"([^"]*)"/g, (_all, id: string) => `"id":${make(id, number)}`));
/** With other values under such names. */
const under = (names: RegExp, make: (key: string) => string): Change =>
  body((text, request) =>
    JSON.stringify(text === '' ? {} : JSON.parse(text), (name, value: unknown) =>
      typeof value === 'string' && names.test(name) ? make(keyOf(request)) : value,
    ),
  );

/** The key that a request carries in any place; empty if none. */
const keyOf = ({ url, headers }: WireRequest): string =>
  headers.find(([name]) => /^(x-api-key|authorization)$/i.test(name))?.[1].replace(/^\w+ /, '') ??
  new URL(url).searchParams.get('api_key') ??
  '';

const texts = Object.entries(hostileTexts);
const idsAs = (id: string): Change => ids(() => JSON.stringify(id));
const [anyName, codes] = [/^/, /^(code|message|trace_id|timestamp)$/];

/** Answers that are hard to read, to keep or to traverse, lead somewhere else, or show the key where none is expected. */
const hostileAnswers: Readonly<Record<string, Change>> = {
  ...Object.fromEntries(texts.map(([name, text]) => [`every text: ${name}`, under(anyName, () => text)])),
  ...Object.fromEntries(texts.map(([name, text]) => [`every code: ${name}`, under(codes, () => text)])),
  ...Object.fromEntries(
    texts.map(([name, text]) => [
      `every name: ${name}`,
      body((good) => good.replaceAll('"name":', () => `${JSON.stringify(text)}:`)),
    ]),
  ),
  'fields named __proto__ and constructor': fields(() => '"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}'),
  'fields named like methods in every object': body((text) =>
    text.replace(/\{(?=")/g, '{"toString":1,"valueOf":2,"toJSON":3,"length":4,"then":5,'),
  ),
  'every field twice': body((text) => text.replace(/^\{/, `{${text.slice(1, -1)},`)),
  'a name of a mebibyte': fields(() => `"${'n'.repeat(mebibyte)}":1`),
  '100,000 values': fields(() => `"v":[${'0,'.repeat(100_000)}0]`),
  'numbers beyond all bounds': fields(() => '"a":1e400,"b":-1e400,"c":1e-400,"d":-0,"e":9007199254740993'),
  'JSON of several lines of JSON': body((text) => `${text}\n${text}\n${text}`),
  'JSON in a text': body((text) => JSON.stringify(text)),
  'NaN and Infinity': body(() => '{"success":true,"data":NaN,"meta":Infinity}'),
  'ids that are objects': ids(() => '{"$oid":"1"}'),
  'ids that leave their collection': idsAs('../webhooks/1'),
  'ids with a query': idsAs('?all=true&x=#'),
  'the same id everywhere': idsAs('1'),
  'ids that are URLs of another host': ids((id) => `"${elsewhere}/${id}"`),
  'ids that change with every answer': ids((id, number) => `"${id}-${number}"`),
  'the next page at another host': fields(({ url }) => `"next":"${elsewhere}${new URL(url).pathname}"`),
  'the next page at another host, in a link': headed(({ url }) => [
    ['Link', `<${elsewhere}${new URL(url).pathname}>; rel="next"`],
  ]),
  'a next page that never ends': fields((_, number) => `"next_cursor":"c${number}","has_more":true`),
  'a next page that is a script': fields(() => '"next":"javascript:alert(1)","links":{"next":"file:///etc/passwd"}'),
  'two content types': headed(() => [
    ['Content-Type', 'application/json'],
    ['content-type', 'text/html'],
  ]),
  'header lines named __proto__': headed(() => [
    ['__proto__', 'polluted'],
    ['toString', 'x'],
  ]),
  'limits that are no numbers, or beyond them': headed(() => [
    ['X-RateLimit-Limit', 'NaN'],
    ['X-RateLimit-Remaining', `-${'9'.repeat(20)}`],
    ['X-RateLimit-Reset', '-0'],
  ]),
  'what acts on reports, in headers': headed(() => [
    ['X-Request-Id', '::error file=x::owned ##vso[task.complete]'],
    ['X-RateLimit-Limit', '"><img src=x onerror=alert(1)>'],
    ['Location', ')[x](javascript:alert(1)) ``` # Passed'],
  ]),
  // The redactor's own tests try the forms of a key.
  'the key, in every text': under(anyName, (key) => `you sent ${key}.`),
  'the key, in headers': headed((request) => [
    ['X-Echo', keyOf(request)],
    ['Set-Cookie', `session=${keyOf(request)}; Path=/`],
  ]),
  'the key, as every id': under(/^id$/, (key) => key),
  'the key, as the next page': fields((request) => `"next":"/api/v1/developer/keys?api_key=${keyOf(request)}&page=2"`),
  'the key, as the name of a field': fields((request) => JSON.stringify({ [keyOf(request)]: 1 }).slice(1, -1)),
};

type Kinds = readonly (keyof typeof hostileAnswers)[];

/** The first calls get good answers, so that the run has keys and records; then every second one does not, in turn. */
const hostile = (kinds: Kinds): Between =>
  answering(() => {
    let number = 0;
    return (answer, request) => {
      number += 1;
      const kind = kinds[(number / 2) % kinds.length];
      return number > 8 && kind !== undefined ? (hostileAnswers[kind]?.(answer, request, number) ?? answer) : answer;
    };
  });

/** Whether a text shows a part of a key's random characters that is as long as the redactor promises to find. */
const leaks = (text: string, secret: string): boolean =>
  longestShownPart(text, secret.replace(/^(svc_(test|live)|wsk)_/, '')).length >= 8;

const all = Object.keys(hostileAnswers);
/** Long ones are left to the night, in which each is also tried alone. */
const inTurn = isNightly ? all : all.filter((kind) => !/mebibyte|100,000|backtrack/.test(kind));

const rows: readonly (readonly [string, Kinds])[] = [
  ['of all kinds in turn', inTurn],
  ...(isNightly ? all.map((kind): [string, Kinds] => [kind, [kind]]) : []),
];

test.for(apis.flatMap((api) => rows.map((row) => [api, ...row] as const)))(
  '%s: hostile answers break no check, lead nowhere else, show no key, and harm no report: %s',
  async ([api, , kinds]) => {
    const { exchanges, results, reference } = await run(api, { between: hostile(kinds) });
    expect(exchanges.filter(({ request }) => request.url.startsWith(elsewhere))).toEqual([]);
    const answers = exchanges.map(({ response }) => [response?.headers, response?.text]);
    const text = JSON.stringify([results, answers, exchanges.map(({ request }) => request)]);
    expect(reference[api].secrets().filter((secret) => leaks(text, secret))).toEqual([]);
    expectAgreement(runOf({ results: resultsOf(Object.fromEntries(results.map((one) => [one.id, one]))), exchanges }));
  },
);

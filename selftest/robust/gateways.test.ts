// What stands between the suite and a deployment, as public reports and released gateways have it.
import { describe, expect, test } from 'vitest';
import { rootCausesOf } from '../../results/root-causes.ts';
import type { WireResponse } from '../../suites/session/transport/transport.ts';
import { refusedTextNotes } from '../../suites/shared/every-response.ts';
import { answering, answerOf, type Between, inPlace } from '../world/between.ts';
import { creating, run } from './run.ts';

/** Refuses writes whose body has such a text, with this status and body. */
const refusingText =
  (text: RegExp, status: number, body: string, type: string): Between =>
  (next) =>
  async (request) => {
    const isRefused = text.test(String(request.body));
    const answer = await next(isRefused ? { ...request, body: '{' } : request);
    return isRefused
      ? { status, headers: [...answer.headers, ['Content-Type', type]], body: Buffer.from(body) }
      : answer;
  };

const [json, html] = ['application/json', 'text/html'];
const errorOf = (status: number, message: string): string =>
  JSON.stringify({ error: { code: 'refused', message, status } });

describe('text that is refused is told as the cause, and the clauses that need a create are decided', () => {
  test('pivotal/postfacto#362: a column that takes no four-byte characters answers 500', async () => {
    const crash = refusingText(/👍/u, 500, errorOf(500, 'Something went wrong'), json);
    const ran = await run(creating('workspace'), { between: crash });
    expect(ran).toMatchObject({ red: ['errors.no-server-error'], open: [], left: [] });
    expect(ran.resultOf('errors.no-server-error')?.findings[0]?.cause).toMatch(/^The text of the body/);
  });

  test.each([
    ['OWASP Core Rule Set: a < is an attack, and gets a page', 403, '<h1>403 Forbidden</h1>'],
    ['ModSecurity: a < is an attack, and gets 406', 406, '<title>Not Acceptable!</title>'],
  ])('%s', async (_, status, body) => {
    const between = refusingText(/</, status, body, html);
    const { red, open, exchanges } = await run(creating('workspace'), { between });
    expect(red.filter((name) => !/^(responses|errors|limits)\./.test(name))).toEqual([]);
    expect(open).toEqual([]);
    expect(refusedTextNotes(exchanges)).toEqual([expect.stringContaining(`POST /v1/agents (${status})`)]);
  });

  test('golang/go#15314: DisallowUnknownFields refuses fields, and not the text in them', async () => {
    const body = errorOf(400, 'unknown field "secret", unknown field "signing_secret"');
    const between = refusingText(/"(signing_)?secret":/, 400, body, json);
    const choices = { 'webhook-secret': 'revealed' };
    const { red, open, exchanges } = await run(creating('workspace'), { between, choices });
    expect([red, open, refusedTextNotes(exchanges)]).toEqual([[], [], []]);
  });
});

/** A page, or what is labelled as one. */
const pageOf = (status: number, body: string): WireResponse => answerOf(status, body, { 'Content-Type': html });

test.each([
  ['GSA/api.data.gov#446: 502', 502, '<h1>502 Bad Gateway</h1>'],
  ['ahmetb/cloud-run-faq#54: 429', 429, 'Rate exceeded.'],
])('%s of a gateway, now and then, is noted and fails nothing', async (_, status, body) => {
  let reads = 0;
  const between = inPlace(({ method }) => (method === 'GET' && (reads += 1) % 50 === 0 ? pageOf(status, body) : null));
  const { red, resultOf } = await run('workspace', { between });
  expect(red).toEqual([]);
  expect(JSON.stringify(resultOf('errors.no-server-error')?.observed)).toContain(`${status} on GET /v1/`);
});

test("a gateway's 502 to one create is one cause of all that fails with it", async () => {
  let creates = 0;
  const between = inPlace(({ method }) =>
    method === 'POST' && (creates += 1) === 3 ? pageOf(502, '<h1>502 Bad Gateway</h1>') : null,
  );
  const { red, results } = await run('developer', { between });
  expect(red).toContain('ads.audits-create');
  const causes = rootCausesOf(results, 'fail').map(({ sentence }) => sentence);
  expect(causes).toEqual([expect.stringMatching(/^502 outside the API's format/)]);
});

test.each([
  ["DataBiosphere/azul#6321: a firewall's limit by address", 403, '<h1>403 Forbidden</h1>'],
  ['Alibaba Cloud WAF: 405', 405, '<!doctypehtml><title>405</title>'],
  ['Cloudflare: error 1015', 429, 'error code: 1015'],
  ["Laravel's php artisan down", 503, '{"message":"Service Unavailable"}'],
])('%s, for twenty seconds, fails nothing', async (_, status, body) => {
  let [calls, until] = [0, 0];
  const between = inPlace((_, clock) => {
    until = (calls += 1) === 150 ? clock.now() + 20_000 : until;
    return clock.now() < until ? pageOf(status, body) : null;
  });
  expect(await run('workspace', { between })).toMatchObject({ red: [], left: [] });
});

test("Kong's rate-limiting by ip: a drive that meets its limit is undecided, quotes it, and fails nothing", async () => {
  let [minute, calls] = [0, 0];
  const between = inPlace((_, clock) => {
    const now = Math.floor(clock.now() / 60_000);
    [minute, calls] = [now, now === minute ? calls + 1 : 1];
    return calls > 100 ? answerOf(429, { message: 'API rate limit exceeded' }) : null;
  });
  const { red, resultOf } = await run('workspace', { between });
  expect(red).toEqual([]);
  expect(resultOf('limits.per-minute')?.findings[0]?.cause).toMatch(/^429 outside .*API rate limit exceeded/);
});

const gatewayLimit: Readonly<Record<string, string>> = {
  'x-ratelimit-limit': '1000',
  'x-ratelimit-remaining': '999',
  'x-ratelimit-reset': '60',
};

/** A gateway with a limit of its own, 1,000 a minute, that writes its values before or after the service's. */
const withOwnLimit = (place: 'before' | 'after', remaining = (theirs: string): string => theirs): Between =>
  answering(() => (answer) => {
    const headers = answer.headers.flatMap(([name, value]): [string, string][] => {
      const own = gatewayLimit[name.toLowerCase()];
      const service: [string, string] = [name, own && /remaining/i.test(name) ? remaining(value) : value];
      const both: [string, string][] = own === undefined ? [service] : [[name, own], service];
      return place === 'before' ? both : both.toReversed();
    });
    return { ...answer, headers };
  });

test.each(['before', 'after'] as const)(
  "Kong/kong#14353: beside a gateway's limit, %s it, the service's is judged, and fails where its Remaining stands still",
  async (place) => {
    expect(await run('workspace.limits', { between: withOwnLimit(place) })).toMatchObject({ red: [], open: [] });
    const { red } = await run('workspace.limits', { between: withOwnLimit(place, () => '59') });
    expect(red).toEqual(['limits.remaining']);
  },
);

/** A cache that keeps what GET got from a path, for one key or for all, and adds a header to it. */
const caching =
  (path: RegExp, isForAll: boolean, header = 'X-Cache-Status'): Between =>
  (next) => {
    const kept = new Map<string, WireResponse>();
    return async (request) => {
      const name = isForAll ? request.url : JSON.stringify([request.url, request.headers]);
      const hit = request.method === 'GET' && path.test(request.url) ? kept.get(name) : undefined;
      const answer = hit ?? (await next(request));
      kept.set(answer.status === 200 ? name : '', answer);
      return hit ? { ...hit, headers: [...hit.headers, [header, 'HIT']] } : answer;
    };
  };

test.each([
  ["nginx's proxy_cache_key names no header", 'workspace', 'auth.scoped', caching(/./, true), /^A cache answered/],
  ['Varnish keeps the list of keys', 'developer', 'keys.list', caching(/keys$/, false), /^A cache answered/],
  [
    "nginx's microcache, by key, with no header that tells",
    ...(['workspace', 'limits.exceeded', caching(/./, false, 'X')] as const),
    /^Remaining stands still: .*, or a cache answers them$/,
  ],
])('a cache is told as the cause: %s', async (_, api, name, between, cause) => {
  const { resultOf } = await run(`${api}.${name}`, { between });
  expect(resultOf(name)?.findings[0]?.cause).toMatch(cause);
});

test('nestjs/throttler: headers with the name of a throttler are told as what is sent instead', async () => {
  const between = answering(() => (answer) => ({
    ...answer,
    headers: answer.headers.map(([name, value]) => [name.replace(/^x-ratelimit-\w+$/i, '$&-short'), value] as const),
  }));
  const { resultOf } = await run('workspace.limits.headers', { between });
  expect(resultOf('limits.headers')?.findings[0]?.actual).toMatch(/absent, sent instead: x-ratelimit-limit-short, /i);
});

test("nginx's limit_req refuses with 503 by default, which is told as the cause", async () => {
  const { resultOf } = await run('workspace.limits.exceeded', { faults: ['workspace-limits-exceeded-gets-503'] });
  expect(resultOf('limits.exceeded')?.findings[0]?.cause).toMatch(/^The limiter refuses with 503/);
});

test('a deployment that lower-cases the URLs of webhooks is told so, with a delivery as evidence', async () => {
  const between: Between = (next) => (request) => {
    const body = request.body?.toString().replace(/http:\/\/inbox\.local\/[^"]*/g, (url) => url.toLowerCase());
    return next(body === undefined ? request : { ...request, body });
  };
  const { resultOf } = await run('workspace.events.booking-created', { between });
  const { verdict, findings = [] } = resultOf('events.booking-created') ?? {};
  expect({ verdict, ...findings[0] }).toMatchObject({
    verdict: 'fail',
    message: expect.stringMatching(/^Deliveries to the first webhook go to another URL than the registered one: POST/),
    actual: expect.stringMatching(/^POST \/hooks\/[^A-Z]+$/),
  });
});

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../common/clock.ts';
import { TransportFailure } from '../../common/transport-failure.ts';
import { createRandom, type Random } from '../../fixtures/reference/random.ts';
import type { Transport, WireRequest, WireResponse } from '../../suites/session/transport/transport.ts';

/** Servers that answer in ways that no document describes, whatever the request. */
type Absurd = (clock: Clock) => Transport;

const json = 'application/json';
const limitLines: [string, string][] = [
  ['X-RateLimit-Limit', '120'],
  ['X-RateLimit-Remaining', '119'],
  ['X-RateLimit-Reset', '60'],
];

const answer = (status: number, body: string, type = json, more: [string, string][] = []): WireResponse => ({
  status,
  headers: [['Content-Type', type], ...more],
  body: Buffer.from(body),
});

/** The same answer to everything. */
const always =
  (status: number, body: string, type = json): Absurd =>
  () =>
  () =>
    Promise.resolve(answer(status, body, type));

/** An answer that depends on the request. */
const each =
  (make: (request: WireRequest, clock: Clock) => WireResponse): Absurd =>
  (clock) =>
  (request) =>
    Promise.resolve(make(request, clock));

/** An answer that depends on chance. */
const byChance =
  (make: (random: Random, clock: Clock) => WireResponse): ((seed: number) => Absurd) =>
  (seed) =>
  (clock) => {
    const random = createRandom(seed);
    return () => Promise.resolve(make(random, clock));
  };

/** An answer in the developer API's envelope, with the headers of every answer. */
const inEnvelope = (status: number, body: { data?: unknown; code?: string }, clock: Clock): WireResponse =>
  answer(
    status,
    JSON.stringify({
      success: status < 400,
      data: body.data ?? null,
      context: null,
      error: body.code === undefined ? null : { code: body.code, message: 'no' },
      meta: { trace_id: randomUUID(), timestamp: new Date(clock.now()).toISOString() },
    }),
    json,
    limitLines,
  );
const enveloped = (status: number, body: { data?: unknown; code?: string }): Absurd =>
  each((_, clock) => inEnvelope(status, body, clock));

/** An answer with the workspace API's error body, with the headers of every answer. */
const refusal = (status: number, code: string): Absurd =>
  each(() => answer(status, JSON.stringify({ error: { code, message: 'no' } }), json, limitLines));

const statuses = [200, 201, 204, 301, 400, 401, 403, 404, 409, 418, 429, 500, 502, 503];

function randomJson(random: Random, depth = 0): unknown {
  const kind = random.pick(
    depth > 3 ? ['text', 'number', 'null'] : ['text', 'number', 'null', 'flag', 'list', 'object'],
  );
  if (kind === 'text') {
    return random.uuid();
  }
  if (kind === 'number') {
    return random.below(500) - 5;
  }
  if (kind === 'flag') {
    return random.below(2) === 1;
  }
  if (kind === 'list') {
    return Array.from({ length: random.below(5) }, () => randomJson(random, depth + 1));
  }
  if (kind === 'object') {
    return Object.fromEntries(
      ['id', 'data', 'error', 'status', 'name'].map((name) => [name, randomJson(random, depth + 1)]),
    );
  }
  return null;
}

const page = '<!doctype html><html><head><title>Welcome</title></head><body><h1>It works</h1></body></html>';

export const absurdServers: Readonly<Record<string, Absurd>> = {
  '200 {} to everything': always(200, '{}'),
  '200 null to everything': always(200, 'null'),
  '200 and nothing to everything': always(200, ''),
  '204 to everything': () => () => Promise.resolve({ status: 204, headers: [], body: Buffer.alloc(0) }),
  '302 to everything': () => () =>
    Promise.resolve({ status: 302, headers: [['Location', 'http://elsewhere.test/login']], body: Buffer.alloc(0) }),
  ...Object.fromEntries([401, 404, 429, 503].map((status) => [`${status} {} to everything`, always(status, '{}')])),
  'an HTML page to everything': always(200, page, 'text/html'),
  'an HTML page, labelled JSON, to everything': always(200, page),
  'a good, empty envelope to everything': enveloped(200, { data: {} }),
  'a good envelope with an empty list to everything': enveloped(200, { data: { items: [] } }),
  ...Object.fromEntries(
    (
      [
        [401, 'UNAUTHORIZED'],
        [404, 'NOT_FOUND'],
        [429, 'RATE_LIMIT_EXCEEDED'],
        [500, 'INTERNAL_ERROR'],
      ] as const
    ).map(([status, code]) => [`a good envelope with ${status} to everything`, enveloped(status, { code })]),
  ),
  ...Object.fromEntries(
    (
      [
        [401, 'unauthorized'],
        [404, 'not_found'],
        [429, 'rate_limited'],
        [500, 'internal_error'],
      ] as const
    ).map(([status, code]) => [`an error body with ${status} to everything`, refusal(status, code)]),
  ),
  'an HTML page to whoever sends a key, 401 to others': each(({ headers }) =>
    headers.some(([name]) => /^(authorization|x-api-key)$/i.test(name))
      ? answer(200, page, 'text/html')
      : answer(401, '{}'),
  ),
  '200 {} to whoever sends a key, 429 to others': each(({ headers }) =>
    headers.some(([name]) => /^(authorization|x-api-key)$/i.test(name)) ? answer(200, '{}') : answer(429, '{}'),
  ),
  'an echo of the request': each(({ method, url, headers, body }) =>
    answer(200, JSON.stringify({ method, url, headers: Object.fromEntries(headers), body })),
  ),
  'an echo of the body': each(({ body }) => answer(200, body ?? '{}')),
  'a connection that closes': () => () =>
    Promise.reject(new TransportFailure('closed', 'Connection is closed before an answer came')),
  'no answer in time':
    (clock) =>
    async (_, { timeoutMs }) => {
      await clock.sleep(timeoutMs);
      throw new TransportFailure('timeout', `No complete answer within ${timeoutMs} ms`);
    },
};

/** Servers whose answers depend on the seed of their chance. */
export const randomServers: Readonly<Record<string, (seed: number) => Absurd>> = {
  'random statuses': byChance((random) => answer(random.pick(statuses), '{}')),
  'random statuses in a good envelope': byChance((random, clock) => {
    const status = random.pick(statuses);
    return inEnvelope(status, status < 400 ? { data: { id: random.uuid() } } : { code: 'FORBIDDEN' }, clock);
  }),
  'random JSON': byChance((random) => answer(200, JSON.stringify(randomJson(random)))),
  'random JSON and statuses': byChance((random) => answer(random.pick(statuses), JSON.stringify(randomJson(random)))),
};

/** A proxy that swaps the answers of two paths. */
export const swapping =
  (one: string, other: string): ((transport: Transport) => Transport) =>
  (transport) =>
  (request, bounds) => {
    const path = new URL(request.url).pathname;
    const instead = path === one ? other : path === other ? one : path;
    return transport({ ...request, url: request.url.replace(path, instead) }, bounds);
  };

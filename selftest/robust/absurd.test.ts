import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Clock } from '../../common/clock.ts';
import { TransportFailure } from '../../common/transport-failure.ts';
import type { Transport, WireRequest, WireResponse } from '../../suites/session/transport/transport.ts';
import { oneOf } from '../nightly.ts';
import { hasKey, jsonOf } from '../world/between.ts';
import { apis, clausesOf, type Plan } from '../world/world.ts';
import { run } from './run.ts';

/** A server that answers in ways that no document describes, whatever the request. */
type Absurd = (clock: Clock) => Transport;

const page = '<!doctype html><html><head><title>Welcome</title></head><body><h1>It works</h1></body></html>';

const answer = (status: number, body: string, more: Readonly<Record<string, string>> = {}): WireResponse => ({
  status,
  headers: Object.entries({ 'Content-Type': 'application/json', ...more }),
  body: Buffer.from(body),
});
const limits = { 'X-RateLimit-Limit': '120', 'X-RateLimit-Remaining': '119', 'X-RateLimit-Reset': '60' };
const [html, bare] = [answer(200, page, { 'Content-Type': 'text/html' }), { headers: [], body: Buffer.alloc(0) }];

/** An answer made from the request and the time. */
const each =
  (make: (request: WireRequest, clock: Clock) => WireResponse): Absurd =>
  (clock) =>
  async (request) =>
    make(request, clock);
/** The same answer to everything. */
const always = (came: WireResponse): Absurd => each(() => came);

/** An answer in the developer API's envelope, with the headers of every answer. */
const envelope = (status: number, { data = null, code }: { data?: unknown; code?: string }, clock: Clock) =>
  answer(
    status,
    JSON.stringify({
      ...{ success: status < 400, data, context: null },
      error: code === undefined ? null : { code, message: 'no' },
      meta: { trace_id: randomUUID(), timestamp: new Date(clock.now()).toISOString() },
    }),
    limits,
  );
const enveloped = (status: number, body: { data?: unknown; code?: string }): Absurd =>
  each((_, clock) => envelope(status, body, clock));

/** The codes of errors of the two APIs. */
const codes = {
  developer: { 401: 'UNAUTHORIZED', 404: 'NOT_FOUND', 429: 'RATE_LIMIT_EXCEEDED', 500: 'INTERNAL_ERROR' },
  workspace: { 401: 'unauthorized', 404: 'not_found', 429: 'rate_limited', 500: 'internal_error' },
} as const;

const absurdServers: Readonly<Record<string, Absurd>> = {
  '200 {} to everything': always(answer(200, '{}')),
  '200 null to everything': always(answer(200, 'null')),
  '200 and nothing to everything': always(answer(200, '')),
  '204 to everything': always({ status: 204, ...bare }),
  '302 to everything': always({ ...bare, status: 302, headers: [['Location', 'http://elsewhere.test/login']] }),
  ...Object.fromEntries(
    [401, 404, 429, 503].map((status) => [`${status} {} to everything`, always(answer(status, '{}'))]),
  ),
  'an HTML page to everything': always(html),
  'an HTML page, labelled JSON, to everything': always(answer(200, page)),
  'a good, empty envelope to everything': enveloped(200, { data: {} }),
  'a good envelope with an empty list to everything': enveloped(200, { data: { items: [] } }),
  'a good envelope with a new id to everything': each((_, clock) =>
    envelope(200, { data: { id: randomUUID() } }, clock),
  ),
  'a new id and the fields of the request to everything': each((one) =>
    answer(201, JSON.stringify({ ...jsonOf(one), id: randomUUID() }), limits),
  ),
  ...Object.fromEntries(
    Object.entries(codes.developer).map(([status, code]) => [
      `a good envelope with ${status} to everything`,
      enveloped(Number(status), { code }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(codes.workspace).map(([status, code]) => [
      `an error body with ${status} to everything`,
      always(answer(Number(status), JSON.stringify({ error: { code, message: 'no' } }), limits)),
    ]),
  ),
  'an HTML page to whoever sends a key, 401 to others': each((one) => (hasKey(one) ? html : answer(401, '{}'))),
  '200 {} to whoever sends a key, 429 to others': each((one) => answer(hasKey(one) ? 200 : 429, '{}')),
  'an echo of the request': each(({ headers, ...one }) =>
    answer(200, JSON.stringify({ ...one, headers: Object.fromEntries(headers) })),
  ),
  'an echo of the body': each(({ body }) => answer(200, body ?? '{}')),
  'a connection that closes': () => async () => {
    throw new TransportFailure('closed', 'Connection is closed before an answer came');
  },
  'no answer in time':
    (clock) =>
    async (_, { timeoutMs }) => {
      await clock.sleep(timeoutMs);
      throw new TransportFailure('timeout', `No complete answer within ${timeoutMs} ms`);
    },
};

/** The musts that pass. */
const passed = async (plan: Plan): Promise<string[]> => {
  const { results } = await run(plan);
  expect(results.map(({ id }) => id)).toEqual(clausesOf(plan.api).map(({ id }) => id));
  return results.flatMap(({ id, verdict, level }) => (verdict === 'pass' && level === 'must' ? [id] : []));
};

/** The clauses that this server passes anyway: its 401 has no data, and no answer is a 5xx. */
const kept = (server: string, id: string): boolean =>
  server.startsWith('an HTML page to whoever sends a key') &&
  ['developer.envelope.data-on-error', 'developer.errors.no-server-error'].includes(id);

test.for(apis.flatMap((api) => oneOf(3, Object.entries(absurdServers)).map((row) => [api, ...row] as const)))(
  '%s: no must passes of a server that answers %s',
  async ([api, server, make]) => {
    const ids = await passed({ api, between: [(_, clock) => make(clock)] });
    expect(ids.filter((id) => !kept(server, id))).toEqual([]);
  },
);

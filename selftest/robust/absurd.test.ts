import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Clock } from '../../common/clock.ts';
import { TransportFailure } from '../../common/transport-failure.ts';
import { developerErrorCodes } from '../../contract/errors.ts';
import type { WireRequest, WireResponse } from '../../suites/session/transport/transport.ts';
import { oneOf } from '../nightly.ts';
import { type Between, jsonOf } from '../world/between.ts';
import { apis, clausesOf } from '../world/world.ts';
import { run } from './run.ts';

const answer = (status: number, body: string, more: Readonly<Record<string, string>> = {}): WireResponse => ({
  status,
  headers: Object.entries({ 'Content-Type': 'application/json', ...more }),
  body: Buffer.from(body),
});
const limits = { 'X-RateLimit-Limit': '120', 'X-RateLimit-Remaining': '119', 'X-RateLimit-Reset': '60' };

/** An answer made from the request and the time, in place of the deployment's. */
const each =
  (make: (request: WireRequest, clock: Clock) => WireResponse): Between =>
  (_, clock) =>
  async (request) =>
    make(request, clock);
/** An answer in the developer API's envelope, with the headers of every answer. */
const envelope = (status: number, data: unknown, clock: Clock): WireResponse => {
  const code = developerErrorCodes[status];
  return answer(
    status,
    JSON.stringify({
      success: status < 400,
      data,
      context: null,
      error: code === undefined ? null : { code, message: 'no' },
      meta: { trace_id: randomUUID(), timestamp: new Date(clock.now()).toISOString() },
    }),
    limits,
  );
};

/** The same status to everything, in the words of the API that is called. */
const refusing = (status: number): Between =>
  each(({ url }, clock) =>
    url.includes('/api/v1/')
      ? envelope(status, null, clock)
      : answer(status, JSON.stringify({ error: { code: `e${status}`, message: 'no', status } }), limits),
  );

/** Servers that answer in ways that no document describes, whatever the request. */
const absurdServers: Readonly<Record<string, Between>> = {
  '200 {} to everything': each(() => answer(200, '{}')),
  '200 and nothing to everything': each(() => answer(200, '')),
  '204 to everything': each(() => ({ status: 204, headers: [], body: Buffer.alloc(0) })),
  'a good, empty envelope to everything': each((_, clock) => envelope(200, {}, clock)),
  'a good envelope with an empty list to everything': each((_, clock) => envelope(200, { items: [] }, clock)),
  'a good envelope with a new id to everything': each((_, clock) => envelope(200, { id: randomUUID() }, clock)),
  'a new id and the fields of the request to everything': each((one) =>
    answer(201, JSON.stringify({ ...jsonOf(one), id: randomUUID() }), limits),
  ),
  ...Object.fromEntries([401, 404, 429, 500].map((status) => [`a good ${status} to everything`, refusing(status)])),
  'a connection that closes': () => async () => {
    throw new TransportFailure('closed', 'Connection is closed before an answer came');
  },
};

test.for(apis.flatMap((api) => oneOf(2, Object.entries(absurdServers)).map((row) => [api, ...row] as const)))(
  '%s: no must passes of a server that answers %s',
  async ([api, , server]) => {
    const { results } = await run(api, { between: server });
    expect(results.map(({ id }) => id)).toEqual(clausesOf(api).map(({ id }) => id));
    expect(results.filter(({ verdict, level }) => verdict === 'pass' && level === 'must')).toEqual([]);
  },
);

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Clock } from '../../common/clock.ts';
import { TransportFailure } from '../../common/transport-failure.ts';
import { developerErrorCodes } from '../../contract/errors.ts';
import type { WireResponse } from '../../suites/session/transport/transport.ts';
import { oneOf } from '../nightly.ts';
import { answerOf, type Between, inPlace, jsonOf } from '../world/between.ts';
import { apis, clausesOf } from '../world/world.ts';
import { run } from './run.ts';

/** An answer with the headers of every answer. */
const limited = (status: number, body: object): WireResponse => {
  const limits = { 'X-RateLimit-Limit': '120', 'X-RateLimit-Remaining': '119', 'X-RateLimit-Reset': '60' };
  return answerOf(status, body, { 'Content-Type': 'application/json', ...limits });
};

/** The same in the developer API's envelope. */
const envelope = (status: number, data: unknown, clock: Clock): WireResponse => {
  const code = developerErrorCodes[status];
  return limited(status, {
    success: status < 400,
    data,
    context: null,
    error: code === undefined ? null : { code, message: 'no' },
    meta: { trace_id: randomUUID(), timestamp: new Date(clock.now()).toISOString() },
  });
};

/** The same status to everything, in the words of the API that is called. */
const refusing = (status: number): Between =>
  inPlace(({ url }, clock) =>
    url.includes('/api/v1/')
      ? envelope(status, null, clock)
      : limited(status, { error: { code: `e${status}`, message: 'no', status } }),
  );

/** Servers that answer in ways that no document describes, whatever the request. */
const absurdServers: Readonly<Record<string, Between>> = {
  '200 {} to everything': inPlace(() => answerOf(200, '{}')),
  '200 and nothing to everything': inPlace(() => answerOf(200, '')),
  '204 to everything': inPlace(() => answerOf(204, '', {})),
  'a good, empty envelope to everything': inPlace((_, clock) => envelope(200, {}, clock)),
  'a good envelope with an empty list to everything': inPlace((_, clock) => envelope(200, { items: [] }, clock)),
  'a good envelope with a new id to everything': inPlace((_, clock) => envelope(200, { id: randomUUID() }, clock)),
  'a new id and the fields of the request to everything': inPlace((one) =>
    limited(201, { ...jsonOf(one), id: randomUUID() }),
  ),
  ...Object.fromEntries([401, 404, 429, 500].map((status) => [`a good ${status} to everything`, refusing(status)])),
  'a connection that closes': inPlace(() => {
    throw new TransportFailure('closed', 'Connection is closed before an answer came');
  }),
};

test.for(apis.flatMap((api) => oneOf(2, Object.entries(absurdServers)).map((row) => [api, ...row] as const)))(
  '%s: no must passes of a server that answers %s',
  async ([api, , server]) => {
    const { results } = await run(api, { between: server });
    expect(results.map(({ id }) => id)).toEqual(clausesOf(api).map(({ id }) => id));
    expect(results.filter(({ verdict, level }) => verdict === 'pass' && level === 'must')).toEqual([]);
  },
);

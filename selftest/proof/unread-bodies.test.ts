import { expect, test } from 'vitest';
import type { FailureKind } from '../../common/transport-failure.ts';
import type { Transport, WireRequest, WireResponse } from '../../suites/session/transport/transport.ts';
import { world } from '../world/world.ts';

const hasKey = ({ url, headers }: WireRequest): boolean =>
  /[?&]api_key=/.test(url) || headers.some(([name]) => /^(x-api-key|authorization)$/i.test(name));

const unread = (kind: FailureKind, answer: WireResponse): WireResponse => ({
  ...answer,
  body: Buffer.alloc(0),
  unread: { kind, message: 'Body is not read' },
});

/** Gives some answers of a deployment without their body, as the transport does where it cannot read one. */
const changing =
  (change: (answer: WireResponse, request: WireRequest) => WireResponse) =>
  (transport: Transport): Transport =>
  async (request, bounds) =>
    change(await transport(request, bounds), request);

test.each(['developer', 'workspace'] as const)(
  '%s: data for calls without a key fails, in whatever coding',
  async (api) => {
    const between = changing((answer, request) =>
      hasKey(request) ? answer : unread('encoding', { ...answer, status: 200 }),
    );
    const { results } = await world({ api, between: [between], settings: { EXHAUST: 'none' } });
    const failed = results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    const json = api === 'developer' ? 'developer.envelope.json' : 'workspace.responses.json';
    expect(failed).toEqual(expect.arrayContaining([json, `${api}.auth.missing-key`]));
  },
);

test.each([
  ['too-large', 'inconclusive', 'inconclusive'],
  ['too-deep', 'inconclusive', 'inconclusive'],
  ['encoding', 'fail', 'pass'],
] as const)(
  'developer: errors whose bodies are not read (%s) are no errors with the right fields',
  async (kind, json, data) => {
    let errors = 0;
    const between = changing((answer) => {
      errors += Number(answer.status >= 400);
      // One error can be read.
      return answer.status >= 400 && errors > 1 ? unread(kind, answer) : answer;
    });
    const { results } = await world({ api: 'developer', between: [between], settings: { EXHAUST: 'none' } });
    const verdicts = new Map(results.map(({ id, verdict }) => [id as string, verdict]));
    expect([
      verdicts.get('developer.envelope.json'),
      verdicts.get('developer.envelope.data-on-error'),
      verdicts.get('developer.auth.missing-key'),
    ]).toEqual([json, data, 'pass']);
  },
);

const isIn = (place: RegExp, method: string) => (answer: WireResponse, request: WireRequest) =>
  request.method === method && answer.status < 300 && place.test(request.url);

test.each([
  ['creates', isIn(/./, 'POST'), 'workspace.agents.create'],
  ['reads by id', isIn(/\/(agents|leads)\/./, 'GET'), 'workspace.agents.get'],
  ['changes', isIn(/./, 'PATCH'), 'workspace.agents.update'],
  [
    'lists without records',
    (answer: WireResponse) => answer.status < 300 && answer.body.includes('"data":[]'),
    'workspace.auth.scoped',
  ],
  ['refusals', (answer: WireResponse) => answer.status >= 400, 'workspace.errors.unknown-path'],
] as const)('workspace: %s whose bodies are not read fail nothing, and prove nothing', async (_, isLost, clause) => {
  const between = changing((answer, request) => (isLost(answer, request) ? unread('too-large', answer) : answer));
  const { results, left, harm } = await world({ api: 'workspace', between: [between], settings: { EXHAUST: 'none' } });
  expect(results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id)).toEqual([]);
  expect(results.find(({ id }) => id === clause)?.verdict).toBe('inconclusive');
  expect({ left, harm }).toEqual({ left: [], harm: [] });
});

import type { Exchange } from '../../../results/exchange.ts';
import { developerApi } from '../../../suites/developer/api.ts';
import type { Answer, RawJson } from '../../../suites/session/answer.ts';
import { workspaceApi } from '../../../suites/workspace/api.ts';

/** The answer to a call, as the client gives it. */
function answer(
  status: number,
  json: unknown,
  rest: Partial<Exchange> = {},
  headers: readonly (readonly [string, string])[] = [],
): Answer {
  const text = json === undefined ? 'no JSON' : JSON.stringify(json);
  const exchange = {
    number: 7,
    api: 'developer',
    endpoint: 'GET /api/v1/ads/campaigns',
    curl: 'curl -i',
    failure: null,
    request: { method: 'GET', url: 'https://api.example.com/api/v1/ads/campaigns?limit=1', headers: [], body: null },
    response: { status, json, text, headers },
    ...rest,
  } as unknown as Exchange;
  const header = (name: string): string | null => headers.find(([other]) => other === name)?.[1] ?? null;
  const api = exchange.api === 'workspace' ? workspaceApi : developerApi;
  return {
    status,
    json,
    text,
    header,
    exchange,
    accepted: status >= 200 && status <= 299 && api.showsSuccess(json),
    unredacted: (read) => read({ json: json as RawJson, holds: (words) => text.includes(words), header }),
  };
}

const meta = { trace_id: '3f2a9c1e-7b64-4d0a-9e51-0c8d2b7a6f13' };

/** Answers of both APIs: successes with all, some and none of their marks, refusals, redirects, and none at all. */
export const answers: readonly Answer[] = [
  ...[199, 200, 201, 204, 299, 300].map((status) =>
    answer(status, { success: true, data: { id: 'a', name: 'x' }, meta }),
  ),
  answer(299, {}),
  answer(200, { success: true }),
  answer(200, { data: { id: 1, n: 1 } }),
  answer(200, { success: false, data: null }),
  answer(200, {}),
  answer(200, undefined),
  answer(200, null),
  answer(200, { id: 'a' }, { api: 'workspace', endpoint: 'GET /v1/agents' }),
  answer(200, null, { api: 'workspace' }),
  answer(204, undefined, { api: 'workspace' }),
  answer(401, { success: false, error: { code: 'UNAUTHORIZED', message: 'no' }, meta }),
  answer(404, { error: {} }, { endpoint: null }),
  answer(302, undefined, {}, [['Location', 'https://login.example.com/']]),
  answer(502, undefined, {}, [['content-type', 'text/html']]),
  answer(503, { error: 'x' }),
  answer(0, undefined, {
    response: null,
    failure: { kind: 'closed', message: 'Connection is closed before an answer came' },
  }),
  answer(0, undefined, { response: null, failure: null }),
];

/** Deeper than anything is read. */
export const deep: unknown = Array.from({ length: 45 }).reduce<unknown>((inner) => ({ inner }), 'end');

/** Longer than anything is read: what is in its last element nobody looks at. */
export const long: unknown = [...Array.from({ length: 199_999 }, () => 0), { unseen: 1 }];

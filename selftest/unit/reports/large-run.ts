import { clauses } from '../../../contract/clauses.ts';
import { endpoints } from '../../../contract/endpoints.ts';
import type { Exchange } from '../../../results/exchange.ts';
import type { Run } from '../../../results/verdict.ts';
import { exchangeWith, findingAbout, type Outcome, resultsOf, runOf, today } from './sample.ts';

const keys = ['SANDBOX_API_KEY', 'LIVE_API_KEY', 'key "over the limit" of this run', null];

/** An exchange of a run that calls every endpoint with every kind of key, and exceeds a limit. */
function exchange(index: number): Exchange {
  const endpoint = endpoints[index % endpoints.length];
  const keyLabel = keys[Math.floor(index / endpoints.length) % keys.length] ?? null;
  const at = today.getTime() + index * 110;
  const refused = keyLabel === keys[2] && index % 5 === 0;
  const status = keyLabel === null ? 401 : refused ? 429 : 200;
  const plain = exchangeWith({ number: index + 1 });
  return {
    ...plain,
    api: endpoint?.path.startsWith('/api/v1') ? 'developer' : 'workspace',
    purpose: keyLabel === null ? 'refusal' : 'documented',
    endpoint: endpoint?.id ?? null,
    keyLabel,
    keyValid: keyLabel !== null,
    ...(keyLabel === keys[2] ? { keyScopes: ['ads:read', 'inbox:write', 'content:read', 'content:write'] } : {}),
    request: {
      ...plain.request,
      method: endpoint?.method ?? 'GET',
      url: `https://api.example.com${endpoint?.path ?? '/'}`,
    },
    response: {
      status,
      headers: [
        ['Content-Type', 'application/json'],
        ['X-RateLimit-Limit', '120'],
        ['X-RateLimit-Remaining', String(120 - (index % 120))],
      ],
      text: '{"success":true}',
      json: { success: true, padding: 'x'.repeat(400) },
    },
    sentAt: at,
    receivedAt: at + (index % 90),
  };
}

/** A run as large as real ones: every clause, some failing in each way, and many exchanges. */
export function largeRun(exchanges: number): Run {
  const failing = clauses.filter(({ level }, index) => level === 'must' && index % 9 === 0);
  const outcomes = failing.map(({ id }, index): [string, Outcome] => [
    id,
    {
      verdict: index % 3 === 0 ? 'inconclusive' : 'fail',
      findings: [
        findingAbout(index + 1, { message: `Finding ${index} on ${id}` }),
        findingAbout(index + 200, { message: `Another ${index}` }),
      ],
    },
  ]);
  return runOf({
    results: resultsOf(Object.fromEntries(outcomes)),
    exchanges: Array.from({ length: exchanges }, (_, index) => exchange(index)),
    notes: ['Left behind: lead ld_4711 (leads cannot be deleted through the API)'],
  });
}

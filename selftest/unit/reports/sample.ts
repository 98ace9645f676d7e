import type { ApiName, Clause } from '../../../contract/clause.ts';
import { clauses } from '../../../contract/clauses.ts';
import { concludeRun } from '../../../results/conclude-run.ts';
import type { Exchange } from '../../../results/exchange.ts';
import type { ClauseResult, Drift, Finding, ReceivedDelivery, Run, Verdict } from '../../../results/verdict.ts';
import type { Waiver } from '../../../results/waivers.ts';

/** The day on which every sample run takes place. */
export const today = new Date('2026-11-05T10:20:30.000Z');

/** The parts of a sample run, before it is concluded as the engine does. */
export interface Ingredients {
  readonly results: readonly ClauseResult[];
  readonly targeted?: readonly ApiName[];
  readonly strict?: boolean;
  readonly waivers?: readonly Waiver[];
  readonly trouble?: string | null;
  readonly drift?: readonly Drift[] | null;
  readonly notes?: readonly string[];
  readonly embedded?: boolean;
  readonly selection?: string | null;
  readonly exchanges?: readonly Exchange[];
  readonly deliveries?: readonly ReceivedDelivery[];
}

/** A complete run from its parts, concluded like a real one. */
export function runOf(ingredients: Ingredients): Run {
  const { targeted = ['developer', 'workspace'], strict = false } = ingredients;
  const run = concludeRun({
    suite: { name: 'two-api-conformance', version: '0.1.0' },
    startedAt: today,
    endedAt: new Date(today.getTime() + 12_345),
    seed: 42,
    targets: Object.fromEntries(targeted.map((api) => [api, { url: `https://${api}.example.com` }])),
    embedded: ingredients.embedded ?? false,
    selection: ingredients.selection ?? null,
    results: ingredients.results,
    waivers: ingredients.waivers ?? [],
    profile: null,
    strict,
    trouble: ingredients.trouble ?? null,
    requests: {
      developer: targeted.includes('developer') ? 412 : 0,
      workspace: targeted.includes('workspace') ? 96 : 0,
    },
    timing: {
      leastMs: 60_000,
      slowest: { label: 'SANDBOX_API_KEY', perMinute: 120, calls: 150, admitted: 146, paced: 143 },
      waits: [{ what: "the sandbox key's rate limit", ms: 48_000 }],
    },
    notes: ingredients.notes ?? [],
    settings: {
      BASE_URL: 'https://developer.example.com',
      SANDBOX_API_KEY: 'svc_test_…',
      STRICT: strict ? '1' : '0',
      SEED: '42',
    },
    exchanges: ingredients.exchanges ?? [],
    deliveries: ingredients.deliveries ?? [],
  });
  return { ...run, drift: ingredients.drift ?? null };
}

/** Outcomes of a clause other than a pass. */
export interface Outcome {
  readonly verdict: Verdict;
  readonly findings?: readonly Finding[];
  readonly observed?: unknown;
  readonly outside?: ClauseResult['outside'];
  readonly cutShort?: true;
}

const row = ({ id, level, title, source }: Clause): Pick<ClauseResult, 'id' | 'level' | 'title' | 'source'> => ({
  id,
  level,
  title,
  source,
});

/** A result for every clause: the given outcomes, a pass for other musts and shoulds, an observation for other gaps. */
export function resultsOf(outcomes: Readonly<Record<string, Outcome>>): readonly ClauseResult[] {
  return clauses.map((clause) => {
    const outcome =
      outcomes[clause.id] ??
      (clause.level === 'gap' ? { verdict: 'observed', observed: { seen: true } } : { verdict: 'pass' });
    return {
      ...row(clause),
      verdict: outcome.verdict,
      findings: outcome.findings ?? [],
      observed: outcome.observed ?? null,
      ...(outcome.outside === undefined ? {} : { outside: outcome.outside }),
      ...(outcome.cutShort === undefined ? {} : { cutShort: outcome.cutShort }),
    };
  });
}

/** The clauses of one API, all skipped for one reason, as in a run against the other API only. */
export const skipping = (
  api: ApiName,
  message: string,
  rest: Partial<Outcome> = {},
): Readonly<Record<string, Outcome>> =>
  Object.fromEntries(
    clauses
      .filter(({ id }) => id.startsWith(api))
      .map(({ id }) => [id, { verdict: 'skip', findings: [{ message }], ...rest }]),
  );

/** An exchange with plausible fields, unless they are given. */
export function exchangeWith(given: Partial<Exchange> & { readonly number: number }): Exchange {
  const body = { success: true, data: { id: 'usr_81', email: 'demo@example.com' }, context: null, error: null };
  return {
    api: 'developer',
    purpose: 'refusal',
    endpoint: 'GET /api/v1/platform/me',
    keyLabel: 'deleted key',
    keyValid: false,
    request: {
      method: 'GET',
      url: 'https://developer.example.com/api/v1/platform/me?fields=id',
      headers: [
        ['host', 'developer.example.com'],
        ['x-api-key', 'svc_test_…'],
        ['accept', 'application/json'],
      ],
      body: null,
    },
    response: {
      status: 200,
      headers: [
        ['Content-Type', 'application/json; charset=utf-8'],
        ['X-RateLimit-Limit', '120'],
      ],
      text: JSON.stringify(body),
      json: body,
    },
    failure: null,
    sentAt: today.getTime() + given.number * 40,
    receivedAt: today.getTime() + given.number * 40 + 23,
    curl: () => 'curl -sS \'https://developer.example.com/api/v1/platform/me?fields=id\' -H "X-API-Key: $DELETED_KEY"',
    ...given,
  };
}

/** A finding with every field, about an exchange. */
export const findingAbout = (exchange: number, given: Partial<Finding> = {}): Finding => ({
  message: 'Deleted key is accepted: 200 on GET /api/v1/platform/me',
  expected: '401 with error code UNAUTHORIZED',
  actual: '200 with success true',
  place: '/success',
  request: { method: 'GET', url: 'https://developer.example.com/api/v1/platform/me?fields=id' },
  response: { status: 200, traceId: '6f9c1c1e-8a52-4c0e-9a53-0c0f5f0d9b11' },
  curl: 'curl -sS \'https://developer.example.com/api/v1/platform/me?fields=id\' -H "X-API-Key: $DELETED_KEY"',
  cause: 'Keys are cached: the deleted key goes on working until its cache entry ends.',
  exchange,
  ...given,
});

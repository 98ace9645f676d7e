import { isObject } from '../../../common/json.ts';
import type { ApiName } from '../../../contract/clause.ts';
import { clauses } from '../../../contract/clauses.ts';
import { concludeRun } from '../../../results/conclude.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { type ClauseResult, type Finding, type Run, resultOf } from '../../../results/verdict.ts';

/** The day on which every sample run takes place. */
const today = new Date('2026-11-05T10:20:30.000Z');

/** The parts of a sample run, before it is concluded as the engine does. */
export type Ingredients = Partial<Parameters<typeof concludeRun>[0]> & {
  readonly results: readonly ClauseResult[];
  readonly targeted?: readonly ApiName[];
  readonly strict?: boolean;
};

/** A complete run from its parts, concluded like a real one. */
export function runOf({ targeted = ['developer', 'workspace'], strict = false, ...ingredients }: Ingredients): Run {
  return concludeRun({
    suite: { name: 'two-api-conformance', version: '0.1.0' },
    startedAt: today,
    endedAt: new Date(today.getTime() + 12_345),
    seed: 42,
    targets: Object.fromEntries(targeted.map((api) => [api, { url: `https://${api}.example.com` }])),
    requests: {
      developer: targeted.includes('developer') ? 412 : 0,
      workspace: targeted.includes('workspace') ? 96 : 0,
    },
    timing: {
      leastMs: 60_000,
      slowest: { label: 'SANDBOX_API_KEY', perMinute: 120, calls: 150, admitted: 146, paced: 143 },
      waits: [{ what: "the sandbox key's rate limit", ms: 48_000 }],
    },
    settings: {
      BASE_URL: 'https://developer.example.com',
      SANDBOX_API_KEY: 'svc_test_…',
      STRICT: strict ? '1' : '0',
      SEED: '42',
    },
    ...ingredients,
  });
}

/** What became of a clause. */
export type Outcome = Pick<ClauseResult, 'verdict'> &
  Partial<Pick<ClauseResult, 'findings' | 'observed' | 'outside' | 'cutShort'>>;

/** A result for every clause: the given outcomes, a pass for other musts and shoulds, an observation for other gaps. */
export const resultsOf = (outcomes: Readonly<Record<string, Outcome>>): readonly ClauseResult[] =>
  clauses.map(({ id, level }) => {
    const usual: Outcome = level === 'gap' ? { verdict: 'observed', observed: { seen: true } } : { verdict: 'pass' };
    const { verdict, findings = [], observed = null, ...rest } = outcomes[id] ?? usual;
    return { ...resultOf(id, verdict, findings, observed), ...rest };
  });

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

/** Fields of a sample that hold words of the suite or the user, and fields whose own fields are a target's, too. */
const ours =
  /^(id|level|verdict|title|source|outside|clause|expires|api|purpose|encoding|blames|setting|value|calls|kind)$/;
const theirs = /^(observed|json)$/;

/** A part of a sample with other texts wherever a target's can stand. */
export function retold<T>(part: T, text: () => string): T {
  const retell = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') {
      return ours.test(name) || /^(content-type|location)$/i.test(value) ? value : text();
    }
    if (Array.isArray(value)) {
      return value.map((one) => retell(one, name));
    }
    const fields = Object.entries(isObject(value) ? value : {});
    const inner = (field: string): string => (theirs.test(name) ? name : field);
    const made = fields.map(([field, one]) => [theirs.test(name) ? text() : field, retell(one, inner(field))]);
    return isObject(value) ? Object.fromEntries(made) : typeof value === 'function' ? text : value;
  };
  return retell(part, '') as T;
}

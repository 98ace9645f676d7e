import { describe, expect, test } from 'vitest';
import type { Api } from '../../contract/clause.ts';
import { clauseOf } from '../../contract/clauses.ts';
import type { ClauseResult } from '../../suites/kit/verdict.ts';
import { absurdServers, swapping } from './absurd-servers.ts';
import { runInProcess } from './run-in-process.ts';

const passed = (results: readonly ClauseResult[]): string[] => results.filter(({ verdict, level }) => verdict === 'pass' && level === 'must').map(({ id }) => id);

/**
 * What a server that answers by chance may pass: one lucky answer decides these, and the body it sends is right in all the
 * others. No clause stands here that a refusal proves, that compares two calls, or that follows a record through its life.
 */
const lucky: Readonly<Record<Api, RegExp>> = {
  developer: /^developer\.(auth\.(header|query)|(ads|investor|inbox|content|scheduling|routing|sandbox)\.[a-z-]+)$/,
  workspace: /^workspace\.(auth\.bearer|limits\.(exceeded|recovery))$/,
};
const byChance = (server: string, id: string, api: Api): boolean =>
  /^random.*statuses/.test(server) && (clauseOf(id).everyResponse || lucky[api].test(id));

describe.each(['developer', 'workspace'] as const)('%s: a server that describes no deployment passes no must', (api) => {
  test.for(Object.entries(absurdServers))('%s', async ([server, make]) => {
    const { results } = await runInProcess({ api, between: (_, clock) => make(clock) });
    expect(passed(results).filter((id) => !byChance(server, id, api))).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
  });
});

describe('two endpoints that answer for each other: their clauses fail, and those that cannot hold because of it', () => {
  const [campaigns, score, pipeline] = ['/api/v1/ads/campaigns', '/api/v1/ads/health-score', '/api/v1/investor/pipeline'] as const;
  // Across two modules the scopes that a path asks for are swapped as well.
  test.for([
    [campaigns, score, ['ads.campaigns', 'ads.health-score']],
    [campaigns, pipeline, ['scopes.ads', 'scopes.investor', 'ads.campaigns', 'ads.campaigns-status', 'investor.pipeline']],
    [score, pipeline, ['scopes.ads', 'scopes.investor', 'ads.health-score', 'investor.pipeline']],
  ] as const)('%s and %s', async ([one, other, expected]) => {
    const { results } = await runInProcess({ api: 'developer', between: swapping(one, other) });
    expect(results.filter(({ verdict }) => ['fail', 'warn', 'broken'].includes(verdict)).map(({ id }) => id)).toEqual(expected.map((id) => `developer.${id}`));
  });
});

describe.each(['developer', 'workspace'] as const)('%s: a deployment that is merely slow, or whose clock is off, is all green', (api) => {
  const green = (results: readonly ClauseResult[]): unknown[] =>
    results.filter(({ id, verdict }) => !['pass', 'observed'].includes(verdict) && !id.endsWith('.limits.per-day')).map(({ id, verdict, findings }) => [id, verdict, findings[0]?.message]);

  test('200 ms before every answer', async () => {
    const { results } = await runInProcess({ api, between: (transport, clock) => async (request, bounds) => {
      await clock.sleep(200);
      return transport(request, bounds);
    } });
    expect(green(results)).toEqual([]);
  });

  test.each([['ahead', 240_000], ['behind', -240_000]])('four minutes %s', async (_, ahead) => {
    expect(green((await runInProcess({ api, ahead })).results)).toEqual([]);
  });
});

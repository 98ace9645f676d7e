import { describe, expect, test } from 'vitest';
import { clauseOf } from '../../contract/clauses.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { oneOf } from '../nightly.ts';
import { clausesOf, world } from '../world/world.ts';
import { absurdServers, randomServers, swapping } from './absurd-servers.ts';

const passed = (results: readonly ClauseResult[]): string[] =>
  results.filter(({ verdict, level }) => verdict === 'pass' && level === 'must').map(({ id }) => id);

/** The clauses that this server passes anyway: its 401 has no data, and no answer is a 5xx. */
const kept = (server: string, id: string): boolean =>
  server.startsWith('an HTML page to whoever sends a key') &&
  ['developer.envelope.data-on-error', 'developer.errors.no-server-error'].includes(id);

describe.each(['developer', 'workspace'] as const)('%s: an absurd server passes no must', (api) => {
  test.for(oneOf(2, Object.entries(absurdServers)))('%s', async ([server, make]) => {
    const { results } = await world({ api, between: [(_, clock) => make(clock)] });
    expect(results.map(({ id }) => id)).toEqual(clausesOf(api).map(({ id }) => id));
    expect(passed(results).filter((id) => !kept(server, id))).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
  });
});

/**
 * One lucky answer may decide a clause that one call decides, and some clauses are lucky with two of three seeds, but none
 * with each of five. Answers of the right form pass the clauses about every response, and whoever refuses by chance
 * refuses some calls, and admits calls again.
 */
const seeds = [1, 2, 3, 4, 5];
const holdsAnyway = (id: string): boolean =>
  clauseOf(id).everyResponse === true || /\.limits\.(exceeded|recovery)$/.test(id);

describe.each(['developer', 'workspace'] as const)(
  '%s: a server with random answers passes no must with each seed',
  (api) => {
    test.for(oneOf(4, Object.entries(randomServers)))('%s', async ([, make]) => {
      const runs = await Promise.all(seeds.map((seed) => world({ api, between: [(_, clock) => make(seed)(clock)] })));
      const [first = [], ...others] = runs.map(({ results }) => passed(results));
      const always = first.filter((id) => others.every((ids) => ids.includes(id)));
      expect(always.filter((id) => !holdsAnyway(id))).toEqual([]);
      expect(runs.flatMap(({ results }) => results.filter(({ verdict }) => verdict === 'broken'))).toEqual([]);
    });
  },
);

describe('two endpoints that answer for each other: their clauses fail, and so do clauses that cannot hold because of it', () => {
  const [campaigns, score, pipeline] = [
    '/api/v1/ads/campaigns',
    '/api/v1/ads/health-score',
    '/api/v1/investor/pipeline',
  ] as const;
  // If the paths belong to two modules, their scopes are swapped too.
  test.for([
    [campaigns, score, ['ads.campaigns', 'ads.health-score']],
    [score, pipeline, ['scopes.ads', 'scopes.investor', 'ads.health-score', 'investor.pipeline']],
  ] as const)('%s and %s', async ([one, other, expected]) => {
    const clauses = clausesOf('developer').map(({ id }) => id);
    const { results } = await world({
      api: 'developer',
      clauses: clauses.filter((id) => !id.includes('.limits.')),
      between: [swapping(one, other)],
    });
    expect(results.filter(({ verdict }) => ['fail', 'warn', 'broken'].includes(verdict)).map(({ id }) => id)).toEqual(
      expected.map((id) => `developer.${id}`),
    );
  });
});

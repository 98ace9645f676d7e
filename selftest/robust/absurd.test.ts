import { describe, expect, test } from 'vitest';
import { clauseOf } from '../../contract/clauses.ts';
import { oneOf } from '../nightly.ts';
import { clausesOf, type Plan } from '../world/world.ts';
import { absurdServers, randomServers } from './absurd-servers.ts';
import { run } from './run.ts';

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

/**
 * One lucky answer may decide a clause that one call decides, and some clauses are lucky with two of three seeds, but none
 * with each of five. Answers of the right form pass the clauses about every response, and whoever refuses by chance
 * refuses some calls, and admits calls again.
 */
const seeds = [1, 2, 3, 4, 5];
const holdsAnyway = (id: string): boolean =>
  clauseOf(id).everyResponse === true || /\.limits\.(exceeded|recovery)$/.test(id);

describe.each(['developer', 'workspace'] as const)('%s: no must passes of a server that answers', (api) => {
  test.for(oneOf(2, Object.entries(absurdServers)))('%s', async ([server, make]) => {
    const ids = await passed({ api, between: [(_, clock) => make(clock)] });
    expect(ids.filter((id) => !kept(server, id))).toEqual([]);
  });

  test.for(oneOf(4, Object.entries(randomServers)))('%s, with each seed', async ([, make]) => {
    const [first = [], ...others] = await Promise.all(
      seeds.map((seed) => passed({ api, between: [(_, clock) => make(seed)(clock)] })),
    );
    expect(first.filter((id) => others.every((ids) => ids.includes(id)) && !holdsAnyway(id))).toEqual([]);
  });
});

const [campaigns, score, pipeline] = ['ads/campaigns', 'ads/health-score', 'investor/pipeline'] as const;
// If the paths belong to two modules, their scopes are swapped too.
test.for([
  [campaigns, score, ['ads.campaigns', 'ads.health-score']],
  [score, pipeline, ['scopes.ads', 'scopes.investor', 'ads.health-score', 'investor.pipeline']],
] as const)(
  'where %s and %s answer for each other, their clauses fail, and no other',
  async ([one, other, expected]) => {
    const { red } = await run({
      api: 'developer',
      clauses: clausesOf('developer').flatMap(({ id }) => (id.includes('.limits.') ? [] : [id])),
      between: [
        (next) => (request, bounds) => {
          const url = request.url.replace(new RegExp(`${one}|${other}`), (path) => (path === one ? other : one));
          return next({ ...request, url }, bounds);
        },
      ],
    });
    expect(red).toEqual(expected);
  },
);

import { expect, test } from 'vitest';
import { isNightly, oneOf } from '../nightly.ts';
import { creations, limitedTooLate, losing, slow, succeeds, twice } from '../world/between.ts';
import { unnamedWords } from '../world/traces.ts';
import { apis, clausesOf, type Kill, type Plan, world } from '../world/world.ts';
import { creating, run } from './run.ts';

const deletions = succeeds(/^DELETE /);
const posts = succeeds(/^POST /);
const reads = succeeds(/^GET /);

/** Networks by which a create makes a record that its answer does not show. A gateway repeats a call that is slow. */
const secretive: readonly (readonly [string, Plan])[] = apis.flatMap((api) => [
  [`${api}: each second create gets 429`, { api, between: [limitedTooLate] }] as const,
  [`${api}: each create is sent twice`, { api, between: [twice] }] as const,
]);

/** Networks that lose answers, after which nothing that a run made may stay, and no check breaks. */
const lossy: readonly (readonly [string, Plan])[] = [
  ['developer: each third answer', { api: 'developer', between: [losing(posts, 3)] }],
  ['workspace: each second answer', { api: 'workspace', between: [losing(posts, 2)] }],
  ['developer: each seventh read', { api: 'developer', between: [losing(reads, 7, 'timeout')] }],
  ['workspace: each third deletion', { api: 'workspace', between: [losing(deletions, 3)] }],
  ['workspace: each fifth read', { api: 'workspace', between: [losing(reads, 5, 'timeout')] }],
];

test.for([...oneOf(3, secretive), ...oneOf(2, lossy)])(
  'nothing stays unnamed, and no check breaks: %s',
  async ([, plan]) => {
    const { left } = await run({ ...plan, clauses: creating(plan.api) });
    // Where no read shows a record to be the run's, it is named, and not deleted.
    const isAllowed = (one: string): boolean => secretive.some((row) => row[1] === plan) && !one.endsWith(unnamedWords);
    expect(left.filter((one) => !isAllowed(one))).toEqual([]);
  },
);

test.for(oneOf(4, ['bookings', 'agents', 'leads', 'webhooks']))(
  'if the answer to the first creation in /v1/%s is lost, few clauses stay undecided',
  async (collection) => {
    const clauses = creating('workspace');
    const between = [losing(succeeds(`POST /v1/${collection}`), Infinity)];
    const { red, results, left } = await run({ api: 'workspace', clauses, between });
    const open = results.filter(({ level, verdict }) => level === 'must' && verdict === 'inconclusive');
    expect(open.length).toBeLessThanOrEqual(3);
    expect({ red, left }).toEqual({ red: [], left: [] });
  },
);

test('if the answer to every creation is lost, what needs a key stays undecided', async () => {
  const clauses = ['developer.auth.live-prefix'];
  const { results } = await run({ api: 'developer', clauses, between: [losing(creations)] });
  expect(results).toMatchObject([{ verdict: 'inconclusive' }]);
});

/** The clauses about times, and about limits, whose headers may count from the epoch. */
const timed = clausesOf('developer').flatMap(({ id }) => (/timestamp|\.limits\./.test(id) ? [id] : []));

test.each([
  ['workspace', '200 ms before every answer', { between: [slow(200)] }] as const,
  ['developer', 'a clock that is five minutes ahead', { ahead: 300_000, clauses: timed }] as const,
  ['workspace', 'a clock that is five minutes behind', { ahead: -300_000 }] as const,
  [
    'developer',
    'answers that take a quarter of a minute',
    { between: [slow(15_000)], clauses: ['developer.limits.counted', 'developer.limits.key-or-account'] },
  ] as const,
])('%s: %s change no verdict', async (api, _, plan) => {
  const { red, open, left } = await run({ api, ...plan });
  expect({ red, open, left }).toEqual({ red: [], open: [], left: [] });
});

/** How many points are spread over the calls; those that are no creation, with and without the call arriving. */
const points = isNightly ? 8 : 2;

test.each([
  ['developer', true],
  ['workspace', true],
  ['workspace', false],
] as const)('%s: one cleanup finds everything that a killed run left (killed at a creation: %s)', async (api, only) => {
  const clauses = creating(api);
  const { exchanges } = await world({ api, clauses });
  const calls = exchanges.flatMap(({ number, request }) => (!only || request.method === 'POST' ? [number] : []));
  let made = 0;
  for (let part = 0; part < points; part += 1) {
    const at = calls[Math.floor((calls.length * (part + 0.5)) / points)] ?? 1;
    const killAt: Kill = { at, arrives: only || part % 2 === 0 };
    const killed = await world({ api, clauses, killAt });
    made += killed.made;
    expect([killAt, killed.left, killed.harm]).toEqual([killAt, [], []]);
  }
  expect(made).toBeGreaterThan(points);
});

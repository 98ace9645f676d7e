import { expect, test } from 'vitest';
import { TransportFailure } from '../../common/transport-failure.ts';
import { isNightly, oneOf } from '../nightly.ts';
import { type Between, creations, limitedTooLate, losing, slow, succeeds, twice } from '../world/between.ts';
import { unnamedWords } from '../world/traces.ts';
import { apis, clausesOf, type Kill, type Plan, world } from '../world/world.ts';
import { creating, run } from './run.ts';

const deletions = succeeds(/^DELETE /);
const posts = succeeds(/^POST /);
const reads = succeeds(/^GET /);

/** Networks by which a create makes a record that its answer does not show. */
const secretive: Readonly<Record<string, Plan>> = Object.fromEntries(
  apis.flatMap((api) =>
    [1, 2].flatMap((every) => [
      [`${api}: each ${every + 1}. create gets 429`, { api, between: [limitedTooLate(every + 1)] }] as const,
      // A gateway sends a call again when its answer is slow.
      [`${api}: each ${every}. create is sent twice`, { api, between: [twice(every)] }] as const,
    ]),
  ),
);

/** Networks after which nothing that a run made may stay, and no check breaks. */
const lossy: Readonly<Record<string, Plan>> = Object.fromEntries([
  ...[3, 4].map((every) => [`developer: each ${every}. answer`, { api: 'developer', between: [losing(posts, every)] }]),
  ['workspace: each 2. answer', { api: 'workspace', between: [losing(posts, 2)] }],
  ['workspace: each 3. deletion', { api: 'workspace', between: [losing(deletions, 3)] }],
  ['workspace: each 3. answer', { api: 'workspace', between: [losing(posts, 3)] }],
  [
    'developer: each 2. answer, pages of five keys',
    { api: 'developer', between: [losing(posts, 2)], choices: { 'developer-key-list': 'small-pages' } },
  ],
  [
    'developer: each 3. answer, rotations make a new record',
    {
      api: 'developer',
      between: [losing(posts, 3)],
      choices: { 'developer-rotation': 'new-record' },
    },
  ],
  ...[5, 7].flatMap((every) =>
    apis.map((api) => [`${api}: each ${every}. read`, { api, between: [losing(reads, every, 'timeout')] }] as const),
  ),
] as (readonly [string, Plan])[]);

test.for([...oneOf(5, Object.entries(secretive)), ...oneOf(3, Object.entries(lossy))])(
  'nothing stays unnamed, and no check breaks: %s',
  async ([name, plan]) => {
    const { left } = await run({ ...plan, clauses: creating(plan.api) });
    // Where no read shows a record to be the run's, it is named, and not deleted.
    const isAllowed = (one: string): boolean => name in secretive && !one.endsWith(unnamedWords);
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

/** A deployment that is gone once it has made so many bookings. */
const goneAfter =
  (bookings: number): Between =>
  (next) => {
    let made = 0;
    return async (request, bounds) => {
      if (made === bookings) {
        throw new TransportFailure('refused', 'connect ECONNREFUSED');
      }
      const answer = await next(request, bounds);
      made += Number(succeeds('POST /v1/bookings')(request, answer));
      return answer;
    };
  };

test('an event that a deployment does not send because it is gone is not blamed', async () => {
  const clauses = ['workspace.events.booking-created'];
  const plan = { api: 'workspace', clauses, faults: ['workspace-events-booking-created-missing'] } as const;
  // The second booking is the first whose event is awaited.
  for (const [between, verdict] of [
    [[], 'fail'],
    [[goneAfter(2)], 'inconclusive'],
  ] as const) {
    expect((await run({ ...plan, between })).results).toMatchObject([{ verdict }]);
  }
});

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
  const { exchanges, requests } = await world({ api, clauses });
  const calls = only ? exchanges.filter(({ request }) => request.method === 'POST').length : requests;
  let made = 0;
  for (let part = 0; part < points; part += 1) {
    const at = Math.max(1, Math.round((calls * (part + 0.5)) / points));
    const killAt: Kill = { at, creations: only, arrives: only || part % 2 === 0 };
    const killed = await world({ api, clauses, killAt });
    made += killed.made;
    expect([killAt, killed.left, killed.harm]).toEqual([killAt, [], []]);
  }
  expect(made).toBeGreaterThan(points);
});

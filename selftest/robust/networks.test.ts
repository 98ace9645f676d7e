import { expect, test } from 'vitest';
import { isNightly, oneOf } from '../nightly.ts';
import { creations, limitedTooLate, losing, slow, succeeds, twice } from '../world/between.ts';
import { unnamedWords } from '../world/traces.ts';
import { apis, world } from '../world/world.ts';
import { creating, type Odd, run } from './run.ts';

const deletions = succeeds(/^DELETE /);
const posts = succeeds(/^POST /);
const reads = succeeds(/^GET /);

/** Networks by which a create makes a record that its answer does not show. A gateway repeats a call that is slow. */
const secretive = apis.flatMap((api) => [
  [api, 'each second create gets 429', limitedTooLate] as const,
  [api, 'each create is sent twice', twice] as const,
]);

/** Networks that lose answers, after which nothing that a run made may stay, and no check breaks. */
const lossy = [
  ['developer', 'each third answer', losing(posts, 3)] as const,
  ['workspace', 'each second answer', losing(posts, 2)] as const,
  ['developer', 'each seventh read', losing(reads, 7, 'timeout')] as const,
  ['workspace', 'each third deletion', losing(deletions, 3)] as const,
  ['workspace', 'each fifth read', losing(reads, 5, 'timeout')] as const,
];

test.for([...oneOf(3, secretive), ...oneOf(2, lossy)])(
  'nothing stays unnamed, and no check breaks: %s: %s',
  async ([api, , between]) => {
    const { left } = await run(creating(api), { between });
    // Where no read shows a record to be the run's, it is named, and not deleted.
    const isSecretive = [limitedTooLate, twice].includes(between);
    const isAllowed = (one: string): boolean => isSecretive && !one.endsWith(unnamedWords);
    expect(left.filter((one) => !isAllowed(one))).toEqual([]);
  },
);

test.for(oneOf(4, ['bookings', 'agents', 'leads', 'webhooks']))(
  'if the answer to the first creation in /v1/%s is lost, few clauses stay undecided',
  async (collection) => {
    const between = losing(succeeds(`POST /v1/${collection}`), Infinity);
    const { red, results, left } = await run(creating('workspace'), { between });
    const open = results.filter(({ level, verdict }) => level === 'must' && verdict === 'inconclusive');
    expect(open.length).toBeLessThanOrEqual(3);
    expect({ red, left }).toEqual({ red: [], left: [] });
  },
);

test('if the answer to every creation is lost, what needs a key stays undecided', async () => {
  const { results } = await run('developer.auth.live-prefix', { between: losing(creations) });
  expect(results).toMatchObject([{ verdict: 'inconclusive' }]);
});

/** The clauses about times, and about limits, whose headers may count from the epoch. */
const timed = ['developer.envelope.timestamp', 'developer.envelope.timestamp-clock', 'developer.limits'];
const counted = ['developer.limits.counted', 'developer.limits.key-or-account'];

test.for<[string, clauses: string | string[], Odd]>([
  ['200 ms before every answer', 'workspace', { between: slow(200) }],
  ['a clock that is five minutes ahead', timed, { ahead: 300_000 }],
  ['a clock that is five minutes behind', 'workspace', { ahead: -300_000 }],
  ['answers that take a quarter of a minute', counted, { between: slow(15_000) }],
])('%s change no verdict', async ([, clauses, odd]) => {
  const { red, open, left } = await run(clauses, odd);
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
    const killAt = { at, arrives: only || part % 2 === 0 };
    const killed = await world({ api, clauses, killAt });
    made += killed.made;
    expect([killAt, killed.left, killed.harm]).toEqual([killAt, [], []]);
  }
  expect(made).toBeGreaterThan(points);
});

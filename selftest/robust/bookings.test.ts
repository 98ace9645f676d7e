import { describe, expect, test } from 'vitest';
import { refusing } from '../world/between.ts';
import { type Plan, world } from '../world/world.ts';

const create = 'POST /v1/bookings';
const names = ['bookings.create', 'bookings.list', 'bookings.cancel', 'events.booking-created'];

/** A run, and its verdicts about bookings. */
async function run(plan: Omit<Plan, 'api'>) {
  const ran = await world({ api: 'workspace', ...plan });
  const verdicts = names.map((name) => ran.results.find(({ id }) => id === `workspace.${name}`)?.verdict);
  return { ...ran, verdicts };
}
const passes = ['pass', 'pass', 'pass', 'pass'];

describe('the hours of an unusual calendar are learnt', () => {
  test.for([
    ['open late in the UTC day', (start: Date) => start.getUTCHours() >= 17, 'Outside business hours'],
    ['open early in the UTC day', (start: Date) => start.getUTCHours() < 8, 'No slots are available at this time'],
    [
      'open for six days',
      (start: Date) => start.getTime() < Date.UTC(2026, 2, 20),
      'Bookings can be made at most 6 days ahead',
    ],
    [
      'a month of notice needed',
      (start: Date) => start.getTime() > Date.UTC(2026, 3, 14),
      'Bookings need a notice of 30 days',
    ],
  ] as const)('%s', async ([, suits, message]) => {
    const calendar = refusing(create, ({ start_time: start }) =>
      start === undefined || suits(new Date(String(start))) ? null : message,
    );
    expect((await run({ between: [calendar] })).verdicts).toEqual(passes);
  });
});

test('if nothing fits, the finding has the words of the deployment', async () => {
  const closed = refusing(create, () => 'The calendar of this workspace is not connected');
  const { results } = await run({ between: [closed], clauses: ['workspace.bookings.create'] });
  expect(results[0]?.verdict).toBe('inconclusive');
  expect(results[0]?.findings[0]?.message).toContain('is not connected');
});

test('a body from BODIES is filled with times, a lead and an agent of the run', async () => {
  const booking = {
    lead: '{{lead_id}}',
    agent: '{{agent_id}}',
    start_time: '{{slot_start}}',
    reminder: '{{slot_start:-90m}}',
    end_time: '{{slot_end}}',
    guest: { email: '{{email}}', phone: '{{phone}}' },
    title: 'Call {{run}}',
  };
  const { verdicts, exchanges } = await run({ userBodies: { [create]: booking } });
  expect(verdicts).toEqual(passes);
  const sent = exchanges
    .filter(({ endpoint, response }) => endpoint === create && response?.status === 201)
    .map(({ request }) => JSON.parse(String(request.body)) as Record<string, string>);
  expect(sent.length).toBeGreaterThan(2);
  expect(new Set(sent.map(({ start_time }) => start_time)).size).toBe(sent.length);
  for (const { lead, agent, start_time = '', reminder = '' } of sent) {
    expect([lead, agent]).toEqual([expect.stringMatching(/^lead_/), expect.stringMatching(/^agt_/)]);
    expect(Date.parse(start_time) - Date.parse(reminder)).toBe(90 * 60_000);
  }
});

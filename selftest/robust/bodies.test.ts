import { expect, test } from 'vitest';
import { type Between, refusing } from '../world/between.ts';
import type { Plan } from '../world/world.ts';
import { creating, run, sentIn } from './run.ts';

const [agents, bookings, webhooks] = ['POST /v1/agents', 'POST /v1/bookings', 'POST /v1/webhooks'] as const;
const inWorkspace = (plan: Omit<Plan, 'api'>) => run({ api: 'workspace', clauses: creating('workspace'), ...plan });

/** A deployment that demands a field that nobody can guess. */
const blueprint = refusing(agents, (body) =>
  Object.keys(body).length === 0 || 'blueprint' in body ? null : 'Not one of ours',
);
/** One that takes webhooks with other URLs than the run's receiver has. */
const secure = refusing(webhooks, (body) =>
  Object.keys(body).length > 0 && !JSON.stringify(body).includes('"https:')
    ? 'url must be a valid URL, such as https://hooks7.example.com/in'
    : null,
);
const closed = refusing(bookings, () => 'The calendar of this workspace is not connected');

const ofAgents = ['list', 'create', 'get', 'update', 'update-keeps', 'delete'].map((name) => `agents.${name}`);
test.for<[string, Omit<Plan, 'api'>, string, RegExp, RegExp, readonly string[]]>([
  [
    'a body without a field that nobody could guess',
    { between: [blueprint] },
    'agents.create',
    /Not one of ours/,
    /\{"POST \/v1\/agents":\{/,
    ofAgents,
  ],
  [
    'the body of a document (OPENAPI) that says otherwise',
    { between: [closed], clauses: ['workspace.bookings.create'], documentBodies: { [bookings]: { title: '{{run}}' } } },
    'bookings.create',
    /rejected every body the suite tried.*is not connected/,
    /"POST \/v1\/bookings"/,
    ['bookings.create'],
  ],
])('a refusal fails nothing; its finding has the message and what to do: %s', async ([, plan, name, ...rest]) => {
  const [message, advice, open] = rest;
  const ran = await inWorkspace(plan);
  const [finding] = ran.resultOf(name)?.findings ?? [];
  expect(ran).toMatchObject({ red: [], open });
  expect(finding).toMatchObject({
    message: expect.stringMatching(message),
    advice: expect.stringMatching(advice),
  });
});

test("the URL of the run's receiver: no other is tried, so that nobody else is sent an event", async () => {
  const ran = await inWorkspace({
    between: [secure],
    clauses: ['workspace.webhooks.register', 'workspace.auth.scoped'],
  });
  const { verdict, findings = [] } = ran.resultOf('webhooks.register') ?? {};
  expect([verdict, findings[0]?.needs]).toEqual(['inconclusive', { setting: 'WEBHOOK_PUBLIC_URL' }]);
  expect(ran.created(webhooks)).toEqual([]);
});

const names = ['bookings.create', 'bookings.list', 'bookings.cancel', 'events.booking-created'];
test.for<[string, (start: Date, place: number) => boolean, string]>([
  ['open late in the UTC day', (start) => start.getUTCHours() >= 17, 'Outside business hours'],
  ['others have the time of the second', (_, place) => place !== 1, 'No slots are available at this time'],
])('the hours of an unusual calendar are learnt: %s', async ([, suits, message]) => {
  let asked = 0;
  const calendar = refusing(bookings, ({ start_time: start }) =>
    start === undefined || suits(new Date(String(start)), asked++) ? null : message,
  );
  const { judged } = await inWorkspace({ between: [calendar], clauses: names.map((name) => `workspace.${name}`) });
  expect(names.filter((name) => !judged.includes(name))).toEqual([]);
});

/** A row of BODIES, and what each body shows that is sent by it. */
type Row = readonly [says: string, call: string, template: object, sent: object, between?: Between];

// For a wildcard that selects all events, a change that is looked for, and times: the profiles of the proof and settings.test.ts.
test.for<Row>([
  [
    'a field that nobody could guess, and the tag',
    agents,
    { blueprint: 'sales', name: 'Desk {{run}}' },
    { blueprint: 'sales', name: expect.stringMatching(/^Desk proof7-\d+$/) },
    blueprint,
  ],
  [
    'the URL and the secret of a registration',
    webhooks,
    { url: '{{webhook_url}}', secret: '{{webhook_secret}}', name: 'For {{ run }}', events: ['*'] },
    { url: expect.stringMatching(/^http:\/\/inbox\.local\/hooks\//), secret: 'whsec_…', events: ['*'] },
  ],
  [
    'the times, lead and agent of a booking',
    bookings,
    {
      lead: '{{lead_id}}',
      agent: '{{agent_id}}',
      start_time: '{{slot_start}}',
      reminder: '{{slot_start:-90m}}',
      guest: { email: '{{email}}', phone: '{{phone}}' },
    },
    { lead: expect.stringMatching(/^lead_/), agent: expect.stringMatching(/^agt_/) },
  ],
])('what BODIES say is sent, different each time, and everything is judged: %s', async ([, call, body, like, put]) => {
  // The clauses of errors send flawed ones.
  const clauses = creating('workspace').filter((id) => !id.includes('.errors.'));
  const ran = await inWorkspace({ clauses, userBodies: { [call]: body }, between: put === undefined ? [] : [put] });
  expect(ran).toMatchObject({ red: [], open: [] });
  const bodies = ran.created(call).map(sentIn);
  expect(bodies.length).toBeGreaterThan(1);
  for (const { start_time = '', reminder = start_time, ...rest } of bodies) {
    expect(rest).toMatchObject(like);
    expect(Date.parse(start_time) - Date.parse(reminder)).toBe(start_time === '' ? NaN : 90 * 60_000);
  }
  expect(new Set(bodies.map((one) => JSON.stringify(one))).size).toBe(bodies.length);
});

test('a draft that an emoji breaks is judged by one in plain letters', async () => {
  const clauses = ['developer.inbox.draft', 'developer.inbox.draft-validation'];
  const faults = ['errors-no-server-error-emoji-in-draft'];
  expect(await run({ api: 'developer', faults, clauses })).toMatchObject({ red: [], open: [] });
});

test('a word_count of which none is taken leaves the clause open, although the plain call is', async () => {
  const clauses = ['developer.content.generate'];
  const between = [refusing('POST /api/v1/content/generate', (body) => ('word_count' in body ? 'Not a length' : null))];
  const ran = await run({ api: 'developer', between, clauses });
  expect(ran).toMatchObject({ red: [], open: ['content.generate'] });
  expect(ran.resultOf('content.generate')?.findings[0]?.advice).toContain('"POST /api/v1/content/generate"');
});

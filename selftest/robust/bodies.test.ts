import { expect, test } from 'vitest';
import { answerOf, type Between, callOf, inPlace, jsonOf, refusing } from '../world/between.ts';
import { creating, type Odd, run } from './run.ts';

const [agents, bookings, webhooks] = ['POST /v1/agents', 'POST /v1/bookings', 'POST /v1/webhooks'] as const;
const content = 'POST /api/v1/content/generate';

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

const ofAgents = ['create', 'delete', 'get', 'list', 'update', 'update-keeps'].map((name) => `agents.${name}`);
test.for<[string, clauses: string | string[], Odd, message: RegExp, advice: RegExp, open: string[]]>([
  [
    'a body without a field that nobody could guess',
    creating('workspace'),
    { between: blueprint },
    /Not one of ours/,
    /\{"POST \/v1\/agents":\{/,
    ofAgents,
  ],
  [
    'the body of a document (OPENAPI) that says otherwise',
    'workspace.bookings.create',
    { between: closed, documentBodies: { [bookings]: { title: '{{run}}' } } },
    /rejected every body the suite tried.*is not connected/,
    /"POST \/v1\/bookings"/,
    ['bookings.create'],
  ],
  [
    'a word_count of which none is taken, although the plain call is',
    'developer.content.generate',
    { between: refusing(content, (body) => ('word_count' in body ? 'Not a length' : null)) },
    /Not a length/,
    /"POST \/api\/v1\/content\/generate"/,
    ['content.generate'],
  ],
  [
    'a state that a change must name (Azure Cosmos DB)',
    'workspace.agents.update',
    { between: refusing(/^PATCH /, () => 'The header If-Match is required', 412) },
    /If-Match is required/,
    /EXTRA_HEADERS.*"If-Match": "\*"/,
    ['agents.update'],
  ],
])('a refusal fails nothing; its finding has the message and what to do: %s', async ([, clauses, odd, ...told]) => {
  const [message, advice, open] = told;
  const ran = await run(clauses, odd);
  expect([ran.red, ran.open.toSorted()]).toEqual([[], open]);
  expect(ran.resultOf(open[0] ?? '')?.findings[0]).toMatchObject({
    message: expect.stringMatching(message),
    advice: expect.stringMatching(advice),
  });
});

test.each([
  ['Shopify', 'address: protocol http:// is not supported', 'WEBHOOK_PUBLIC_URL'],
  ['Svix', 'Endpoint schemas must be https', 'WEBHOOK_PUBLIC_URL'],
  ['Square', 'notification_url is not allowed', 'WEBHOOK_PUBLIC_URL'],
  ['GitLab', 'Requests to the local network are not allowed', 'WEBHOOK_PUBLIC_URL'],
  ['GitHub', 'This plan has no webhooks", "documentation_url": "https://docs.acme.example/webhooks', undefined],
])('%s: a registration that is refused with "%s" needs %s', async (_, message, setting) => {
  const body = `{"error": {"code": "invalid", "status": 400, "message": "${message}"}}`;
  const between = inPlace((request) =>
    callOf(request) === webhooks && request.body !== '{}' ? answerOf(400, body) : null,
  );
  const { resultOf } = await run('workspace.webhooks.register', { between });
  expect(resultOf('webhooks.register')?.findings[0]?.needs?.setting).toBe(setting);
});

test("the URL of the run's receiver: no other is tried, so that nobody else is sent an event", async () => {
  const ran = await run(['workspace.webhooks.register', 'workspace.auth.scoped'], { between: secure });
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
  const between = refusing(bookings, ({ start_time: start }) =>
    start === undefined || suits(new Date(String(start)), asked++) ? null : message,
  );
  const clauses = names.map((name) => `workspace.${name}`);
  expect((await run(clauses, { between })).judged.toSorted()).toEqual(names.toSorted());
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
  const ran = await run(clauses, { userBodies: { [call]: body }, ...(put && { between: put }) });
  expect(ran).toMatchObject({ red: [], open: [] });
  const bodies = ran.created(call).map(({ request }) => jsonOf(request) as Record<string, string>);
  expect(bodies.length).toBeGreaterThan(1);
  for (const { start_time = '', reminder = start_time, ...rest } of bodies) {
    expect(rest).toMatchObject(like);
    expect(Date.parse(start_time) - Date.parse(reminder)).toBe(start_time === '' ? NaN : 90 * 60_000);
  }
  expect(new Set(bodies.map((one) => JSON.stringify(one))).size).toBe(bodies.length);
});

test.each([{ status: 'paused' }, { enabled: false }, { retries: 7 }])(
  'Pydantic: a change by the model of creates writes its defaults: %o was sent on creation',
  async (set) => {
    const between: Between = (next) => (request) =>
      next(
        request.method === 'PATCH'
          ? { ...request, body: JSON.stringify({ status: 'active', enabled: true, retries: 3, ...jsonOf(request) }) }
          : request,
      );
    const userBodies = { [agents]: { name: '{{run}}', ...set } };
    const { red } = await run(['workspace.agents.update-keeps'], { userBodies, between });
    expect(red).toEqual(['agents.update-keeps']);
  },
);

test('a draft that an emoji breaks is judged by one in plain letters', async () => {
  const faults = ['errors-no-server-error-emoji-in-draft'];
  const clauses = ['developer.inbox.draft', 'developer.inbox.draft-validation'];
  expect(await run(clauses, { faults })).toMatchObject({ red: [], open: [] });
});

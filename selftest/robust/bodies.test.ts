import { describe, expect, test } from 'vitest';
import { type Between, callOf, refusing } from '../world/between.ts';
import { type Plan, world } from '../world/world.ts';

type Ran = Awaited<ReturnType<typeof world>>;

const run = (plan: Omit<Plan, 'api'>): Promise<Ran> => world({ api: 'workspace', ...plan });

/** A deployment that demands a field that nobody can guess. */
const blueprint = refusing('POST /v1/agents', (body) =>
  Object.keys(body).length === 0 || 'blueprint' in body ? null : 'Not one of ours',
);

const undecidedOrFailed = ({ results }: Ran): string[] =>
  results
    .filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
    .map(({ id }) => id.replace('workspace.', ''));

const resultOf = ({ results }: Ran, name: string) => results.find(({ id }) => id === `workspace.${name}`);

const bodiesSent = ({ exchanges }: Ran, endpoint: string): Record<string, string>[] =>
  exchanges
    .filter((one) => one.endpoint === endpoint && one.response?.status === 201)
    .map(({ request }) => JSON.parse(String(request.body)) as Record<string, string>);

describe('a body that nobody could guess', () => {
  test("fails nothing: the finding has the deployment's message and the entry for BODIES", async () => {
    const ran = await run({ between: [blueprint] });
    expect(ran.results.filter(({ verdict }) => ['fail', 'warn', 'broken'].includes(verdict))).toEqual([]);
    const { verdict, findings = [] } = resultOf(ran, 'agents.create') ?? {};
    expect(verdict).toBe('inconclusive');
    expect(findings[0]?.message).toContain('Not one of ours');
    expect(findings[0]?.advice).toContain('{"POST /v1/agents":{');
    const open = ['list', 'create', 'get', 'update', 'update-keeps', 'delete'].map((name) => `agents.${name}`);
    expect(undecidedOrFailed(ran)).toEqual([...open, 'limits.per-day']);
  });

  test("is one with another URL than that of the run's receiver: nobody else is sent an event", async () => {
    const secure = refusing('POST /v1/webhooks', (body) =>
      Object.keys(body).length > 0 && !JSON.stringify(body).includes('"https:')
        ? 'url must be a valid URL, such as https://hooks7.example.com/in'
        : null,
    );
    const ran = await run({ between: [secure] });
    expect(resultOf(ran, 'webhooks.register')?.verdict).toBe('inconclusive');
    expect(resultOf(ran, 'webhooks.register')?.findings[0]?.advice).toContain('WEBHOOK_PUBLIC_URL');
    expect(bodiesSent(ran, 'POST /v1/webhooks')).toEqual([]);
  });

  test('is taken from BODIES, with the tag of the run in it', async () => {
    const userBodies = { 'POST /v1/agents': { blueprint: 'sales', name: 'Desk {{run}}' } };
    const ran = await run({ between: [blueprint], userBodies });
    expect(undecidedOrFailed(ran)).toEqual(['limits.per-day']);
    const sent = bodiesSent(ran, 'POST /v1/agents');
    expect(sent.length).toBeGreaterThan(1);
    for (const { blueprint: kind, name } of sent) {
      expect([kind, name]).toEqual(['sales', expect.stringMatching(/^Desk proof7-\d+$/)]);
    }
    expect(new Set(sent.map(({ name }) => name)).size).toBe(sent.length);
  });
});

describe('registrations from BODIES', () => {
  test('get a URL and a secret from the run, different for each', async () => {
    const webhook = { url: '{{webhook_url}}', secret: '{{webhook_secret}}', name: 'For {{ run }}' };
    const ran = await run({ userBodies: { 'POST /v1/webhooks': webhook } });
    expect(undecidedOrFailed(ran)).toEqual(['limits.per-day']);
    const sent = bodiesSent(ran, 'POST /v1/webhooks');
    expect(new Set(sent.map(({ url }) => url)).size).toBe(sent.length);
    for (const { url, secret } of sent) {
      expect([url, secret]).toEqual([expect.stringMatching(/^http:\/\/inbox\.local\/hooks\//), 'whsec_…']);
    }
  });

  test('that select events by a wildcard are sent every event', async () => {
    const ran = await run({ userBodies: { 'POST /v1/webhooks': { url: '{{webhook_url}}', events: ['*'] } } });
    expect(undecidedOrFailed(ran)).toEqual(['limits.per-day']);
    expect(bodiesSent(ran, 'POST /v1/webhooks')).toContainEqual(expect.objectContaining({ events: ['*'] }));
  });
});

test('a change from BODIES is sent unchanged, and then looked for', async () => {
  const ran = await run({ userBodies: { 'PATCH /v1/leads/:id': { company: 'Changed by {{run}}' } } });
  expect(undecidedOrFailed(ran)).toEqual(['limits.per-day']);
  const sent = ran.exchanges
    .filter(({ endpoint, keyLabel }) => endpoint === 'PATCH /v1/leads/:id' && keyLabel === 'WORKSPACE_API_KEY')
    .map(({ request }) => String(request.body));
  expect(sent).toContainEqual(expect.stringMatching(/^\{"company":"Changed by proof7-\d+-changed"\}$/));
});

test('a body may name a record that seeding creates: writes wait for it', async () => {
  const seeding = 'POST /api/v1/developer/sandbox/seed';
  const slowly: Between = (next, clock) => async (request, bounds) => {
    await clock.sleep(callOf(request) === seeding ? 1_000 : 0);
    return next(request, bounds);
  };
  const { exchanges } = await world({ api: 'developer', clauses: ['developer.ads.audits-create'], between: [slowly] });
  const named = (endpoint: string) => exchanges.find((one) => one.endpoint === endpoint);
  expect(named('POST /api/v1/ads/audits')?.sentAt).toBeGreaterThanOrEqual(named(seeding)?.receivedAt ?? Infinity);
});

import { describe, expect, test } from 'vitest';
import { type Intercepted, type Ran, refusal, resultOf, runWorkspace, verdictsOf } from './run.ts';

const isJson = (text: string): boolean => {
  try {
    return JSON.parse(text) !== null;
  } catch {
    return false;
  }
};

/** A deployment that demands a field that nobody can guess. */
const requiring =
  (call: string, field: string) =>
  (one: Intercepted): Response | null =>
    one.call === call && isJson(one.text) && !one.text.includes(`"${field}"`) ? refusal('Not one of ours') : null;

const undecidedOrFailed = ({ results }: Ran): string[] =>
  results
    .filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
    .map(({ id }) => id.replace('workspace.', ''));

const bodiesSent = ({ evidence }: Ran, endpoint: string): unknown[] =>
  evidence.exchanges
    .filter((one) => one.endpoint === endpoint && one.response?.status === 201)
    .map(({ request }) => JSON.parse(String(request.body)) as unknown);

describe('a body that nobody could guess', () => {
  test("fails nothing: the finding has the deployment's message and the entry for BODIES", async () => {
    const ran = await runWorkspace({ intercept: requiring('POST /v1/agents', 'blueprint') });
    expect(
      Object.entries(verdictsOf(ran)).filter(([, verdict]) => ['fail', 'warn', 'broken'].includes(verdict)),
    ).toEqual([]);
    const { verdict, findings } = resultOf(ran, 'agents.create');
    expect(verdict).toBe('inconclusive');
    expect(findings[0]?.message).toContain('Not one of ours');
    expect(findings[0]?.advice).toContain('BODIES');
    expect(findings[0]?.advice).toContain('{"POST /v1/agents":{"name":"Conformance agent {{run}}"');
    expect(undecidedOrFailed(ran)).toEqual([
      'agents.list',
      'agents.create',
      'agents.get',
      'agents.update',
      'agents.update-keeps',
      'agents.delete',
      'limits.per-day',
    ]);
  });

  test("is one with another URL than that of the run's receiver: nobody else is sent an event", async () => {
    const plain = ({ call, text }: Intercepted): Response | null =>
      call === 'POST /v1/webhooks' && isJson(text) && !text.includes('"https:')
        ? refusal('url must be a valid URL, such as https://hooks7.example.com/in')
        : null;
    const ran = await runWorkspace({ intercept: plain });
    const { verdict, findings } = resultOf(ran, 'webhooks.register');
    expect(verdict).toBe('inconclusive');
    expect(findings[0]?.advice).toContain('WEBHOOK_PUBLIC_URL');
    expect(bodiesSent(ran, 'POST /v1/webhooks')).toEqual([]);
  });

  test('is taken from BODIES, with the tag of the run in it', async () => {
    const bodies = { 'POST /v1/agents': { blueprint: 'sales', name: 'Desk {{run}}' } };
    const ran = await runWorkspace({ intercept: requiring('POST /v1/agents', 'blueprint'), bodies });
    expect(undecidedOrFailed(ran)).toEqual(['limits.per-day']);
    const sent = bodiesSent(ran, 'POST /v1/agents') as { blueprint: string; name: string }[];
    expect(sent.length).toBeGreaterThan(1);
    for (const { blueprint, name } of sent) {
      expect([blueprint, name]).toEqual(['sales', expect.stringMatching(/^Desk self11-\d+$/)]);
    }
    expect(new Set(sent.map(({ name }) => name)).size).toBe(sent.length);
  });

  test('from BODIES may still be refused', async () => {
    const bodies = { 'POST /v1/agents': { name: 'Desk {{run}}' } };
    const ran = await runWorkspace({ intercept: requiring('POST /v1/agents', 'blueprint'), bodies });
    expect(resultOf(ran, 'agents.create')).toMatchObject({ verdict: 'inconclusive' });
    expect(ran.ledger.toDelete()).toEqual([]);
  });
});

describe('registrations from BODIES', () => {
  test('get a URL and a secret from the run, different for each', async () => {
    const bodies = {
      'POST /v1/webhooks': { url: '{{webhook_url}}', secret: '{{webhook_secret}}', name: 'For {{ run }}' },
    };
    const ran = await runWorkspace({ bodies });
    expect(undecidedOrFailed(ran)).toEqual(['limits.per-day']);
    const sent = bodiesSent(ran, 'POST /v1/webhooks') as { url: string; secret: string }[];
    expect(new Set(sent.map(({ url }) => url)).size).toBe(sent.length);
    for (const { url, secret } of sent) {
      expect([url, secret]).toEqual([expect.stringMatching(/^http:\/\/inbox\.local\/hooks\//), 'whsec_…']);
    }
  });

  test('that select one event leave the other undecided', async () => {
    const bodies = { 'POST /v1/webhooks': { url: '{{webhook_url}}', events: ['booking.created'] } };
    const ran = await runWorkspace({ bodies });
    expect(undecidedOrFailed(ran)).toEqual(['events.booking-cancelled', 'limits.per-day']);
    expect(resultOf(ran, 'events.booking-cancelled').findings[0]?.advice).toMatch(/BODIES.*POST \/v1\/webhooks/);
    expect(resultOf(ran, 'webhooks.delivery').observed).toMatchObject({
      selection: expect.stringMatching(/^unknown/),
      'without a selection': expect.stringMatching(/^unknown/),
    });
  });

  test('that select events by a wildcard are sent every event', async () => {
    const bodies = { 'POST /v1/webhooks': { url: '{{webhook_url}}', events: ['*'] } };
    const ran = await runWorkspace({ bodies });
    expect(undecidedOrFailed(ran)).toEqual(['limits.per-day']);
    expect(bodiesSent(ran, 'POST /v1/webhooks')).toContainEqual(expect.objectContaining({ events: ['*'] }));
  });
});

test('a change from BODIES is sent unchanged, and then looked for', async () => {
  const bodies = { 'PATCH /v1/leads/:id': { company: 'Changed by {{run}}' } };
  const ran = await runWorkspace({ bodies });
  expect(undecidedOrFailed(ran)).toEqual(['limits.per-day']);
  const sent = ran.evidence.exchanges
    .filter(({ endpoint, keyLabel }) => endpoint === 'PATCH /v1/leads/:id' && keyLabel === 'WORKSPACE_API_KEY')
    .map(({ request }) => String(request.body));
  expect(sent).toContainEqual(expect.stringMatching(/^\{"company":"Changed by self11-\d+-changed"\}$/));
});

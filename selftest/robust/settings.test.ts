import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../results/verdict.ts';
import { perDayClause } from '../proof/day-in-process.ts';
import { type Plan, world } from '../world/world.ts';

/** A run with unusual settings or bodies, and its expected results. Nothing may fail that is not named here. */
interface UnusualRun extends Plan {
  /** The least number of judged clauses. */
  readonly judges: number;
  /** Verdicts other than `pass` and `observed`, by clause without the API's name. */
  readonly verdicts?: Readonly<Record<string, Verdict>>;
}

const given =
  (api: Plan['api']) =>
  (judges: number, settings: Record<string, string>, more: Partial<UnusualRun> = {}): UnusualRun => ({
    api,
    judges,
    settings,
    ...more,
  });
const [developer, workspace] = [given('developer'), given('workspace')];
const plain: UnusualRun = { api: 'workspace', judges: 55 };

/** Less is tried, and the results say which setting is missing. */
const fewerSettings: Readonly<Record<string, UnusualRun>> = {
  'developer: nothing is written': developer(42, { WRITES: 'none' }),
  'developer: only the sandbox is written to': developer(92, { WRITES: 'sandbox' }),
  'developer: nothing is written, and a sandbox that was never seeded has no state': developer(
    0,
    { WRITES: 'none' },
    {
      clauses: ['developer.sandbox.state'],
      faults: ['sandbox-state-gets-404'],
      verdicts: { 'sandbox.state': 'skip' },
    },
  ),
  'developer: no budget is used up': developer(88, { EXHAUST: 'none' }),
  'developer: no live key': developer(91, { LIVE_API_KEY: '' }),
  'developer: no sandbox key': developer(87, { SANDBOX_API_KEY: '' }),
  'developer: no sandbox key, and only the sandbox may be written to': developer(48, {
    SANDBOX_API_KEY: '',
    WRITES: 'sandbox',
  }),
  'developer: an enterprise key with 1,200 requests a minute': developer(
    93,
    { ENTERPRISE_PER_MINUTE: '1200' },
    { enterprise: true },
  ),
  'developer: windows that pass sixty times as fast': developer(93, { CLOCK_SPEED: '60' }),
  'developer: no more than 150 requests, and pages of five keys': developer(
    60,
    { MAX_REQUESTS: '150' },
    { choices: { 'developer-key-list': 'small-pages' } },
  ),
  'workspace: nothing is written': workspace(35, { WRITES: 'none' }),
  'workspace: nothing is written, and paths take what is not called an id': workspace(
    35,
    { WRITES: 'none' },
    { choices: { 'workspace-record-style': 'resource' } },
  ),
  'workspace: no budget is used up': workspace(48, { EXHAUST: 'none' }),
  'workspace: no second key': workspace(54, { WORKSPACE_SECOND_API_KEY: '' }),
  'workspace: no limited key': workspace(54, { WORKSPACE_LIMITED_API_KEY: '' }),
  'workspace: no revoked key': workspace(54, { WORKSPACE_REVOKED_API_KEY: '' }),
  'workspace: no key of another workspace': workspace(54, { WORKSPACE_OTHER_API_KEY: '' }),
  'workspace: a limited key of nobody': workspace(54, {
    WORKSPACE_LIMITED_API_KEY: 'wsk_of_another_workspace_0123456789abcdefghij',
  }),
  'workspace: fewer requests than are needed': workspace(45, { MAX_REQUESTS: '90' }),
  'workspace: hardly any requests, and lists that are behind': workspace(
    0,
    { MAX_REQUESTS: '25' },
    { choices: { 'workspace-replica': 'slow', 'workspace-create-answer': 'id' } },
  ),
};

const changes = {
  'PATCH /v1/leads/:id': { company: 'Changed by {{run}}', score: 71, active: true, tags: [null, 'new'] },
  'PATCH /v1/agents/:id': { configuration: { greeting: 'Changed by {{run}}' } },
};

/** Bodies of the user, which are sent instead of guessed ones. */
const ownBodies: Readonly<Record<string, UnusualRun>> = {
  'own changes': { ...plain, userBodies: changes },
  'own changes, which are not stored': {
    ...plain,
    judges: 54,
    faults: ['workspace-leads-update-not-stored'],
    userBodies: changes,
    verdicts: { 'leads.update': 'fail' },
  },
  'own bodies, which are refused': {
    ...plain,
    judges: 38,
    userBodies: { 'POST /v1/agents': { title: 'Desk {{run}}' }, 'POST /v1/webhooks': { address: '{{webhook_url}}' } },
  },
  'own leads, without words of the run': {
    ...plain,
    judges: 54,
    userBodies: { 'POST /v1/leads': { name: 'Ann', email: 'ann@example.com' } },
  },
  'a webhook for one event': {
    ...plain,
    judges: 54,
    userBodies: { 'POST /v1/webhooks': { url: '{{webhook_url}}', events: ['booking.created'] } },
    verdicts: { 'events.booking-cancelled': 'inconclusive' },
  },
  'bodies that no guess would find': {
    api: 'developer',
    judges: 93,
    choices: {
      'developer-undocumented-body': 'all-need-one',
      'developer-thread-context': 'reference',
      'developer-content-values': 'unknown',
    },
    userBodies: {
      'POST /api/v1/ads/audits': { ad_account_ref: '{{run}}' },
      'POST /api/v1/inbox/draft': { thread_context: 'thr_1' },
      'POST /api/v1/content/generate': { topic: '{{run}}', product: 'sku-1', tone: 'dry' },
    },
  },
};

test.each(Object.entries({ ...fewerSettings, ...ownBodies }))('%s', async (_, { judges, verdicts = {}, ...plan }) => {
  const { results, left, leaks, harm } = await world(plan);
  const others = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
  expect(results.length - others.length).toBeGreaterThanOrEqual(judges);

  const named = Object.fromEntries(Object.entries(verdicts).map(([id, verdict]) => [`${plan.api}.${id}`, verdict]));
  const open = others.filter(({ id, verdict }) => id in named || (verdict !== 'skip' && verdict !== 'inconclusive'));
  expect(Object.fromEntries(open.map(({ id, verdict }) => [id, verdict]))).toEqual(named);

  const skipped = others.filter(({ id, verdict }) => verdict === 'skip' && id !== perDayClause(plan.api));
  const says = (result: (typeof skipped)[number]): string => JSON.stringify(result.findings);
  const missing = new RegExp(Object.keys(plan.settings ?? {}).join('|') || '$^');
  expect(skipped.filter((result) => !missing.test(says(result))).map(says)).toEqual([]);
  expect({ left, leaks, harm }).toEqual({ left: [], leaks: [], harm: [] });
});

describe('the workspace API', () => {
  test("without the workspace's own key nothing can be judged, and the setting is named", async () => {
    const run = world({ api: 'workspace', settings: { WORKSPACE_API_KEY: '' } });
    await expect(run).rejects.toThrow(/set WORKSPACE_API_KEY/);
  });

  test('without a receiver, clauses that need deliveries are skipped, and no foreign host is registered', async () => {
    const { results, exchanges } = await world({ api: 'workspace', receiver: false });
    const skipped = results.filter(({ verdict, id }) => verdict === 'skip' && id !== perDayClause('workspace'));
    expect(skipped.length).toBe(9);
    for (const { findings } of skipped) {
      expect(findings[0]?.message).toMatch(/WEBHOOK_PUBLIC_URL/);
    }
    const bodies = exchanges
      .filter(({ endpoint, request }) => endpoint === 'POST /v1/webhooks' && request.body !== 'null')
      .map(({ request }) => JSON.stringify(request.body));
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) {
      expect(body).toMatch(/https:\/\/conformance\.invalid\//);
    }
  });

  test.for(['none', 'sandbox'])('WRITES=%s sends nothing that could create, change or delete', async (WRITES) => {
    const { exchanges, results, notes } = await world({ api: 'workspace', settings: { WRITES } });
    expect(new Set(exchanges.map(({ request }) => request.method))).toEqual(new Set(['GET']));
    expect(notes).toEqual([]);
    const forbidden = results.find(({ id }) => id === 'workspace.auth.forbidden');
    expect(forbidden?.verdict).toBe('inconclusive');
    expect(forbidden?.findings[0]?.advice).toMatch(/WRITES=all/);
  });

  test.for(['own', 'none'])("EXHAUST=%s leaves the workspace's budget alone", async (EXHAUST) => {
    const { exchanges } = await world({ api: 'workspace', settings: { EXHAUST } });
    expect(exchanges.filter(({ response }) => response?.status === 429)).toEqual([]);
  });

  test('a call that two clauses share is made once, so the requests of a run stay within bounds', async () => {
    const { exchanges, requests } = await world({ api: 'workspace' });
    const reads = exchanges.filter(
      ({ endpoint, keyLabel }) => keyLabel === 'WORKSPACE_API_KEY' && endpoint === 'GET /v1/agents/:id',
    );
    expect(reads.length).toBeLessThan(10);
    expect(requests).toBeLessThan(450);
  });
});

import { expect, test } from 'vitest';
import type { Exchange } from '../../results/exchange.ts';
import type { Verdict } from '../../results/verdict.ts';
import { changing, saying } from '../world/between.ts';
import { apis, clausesOf, type Plan } from '../world/world.ts';
import { creating, run } from './run.ts';

/**
 * A run with unusual settings or bodies of the user, and its least number of judged clauses. The clauses of the limits, whose
 * many calls are like those before them, are judged where a row says so.
 */
type Row = readonly [
  says: string,
  judges: number,
  plan: Omit<Plan, 'api'>,
  verdicts?: Readonly<Record<string, Verdict>>,
];

const gated: Row[2] = {
  settings: { EXTRA_HEADERS: '{"X-Bypass": "let-me-in-0123456789"}' },
  between: [
    changing(
      ({ headers }) => !headers.some(([name, value]) => name === 'X-Bypass' && value === 'let-me-in-0123456789'),
      (answer) => saying(answer, 'Staging is closed', 403),
    ),
  ],
};

const whole = (api: Plan['api']): string[] => clausesOf(api).map(({ id }) => id);
const ofLimits = whole('developer').filter((id) => id.includes('.limits.'));

const rows: Readonly<Record<Plan['api'], readonly Row[]>> = {
  developer: [
    ['nothing is written', 42, { settings: { WRITES: 'none' } }],
    [
      'what is written and used up by default',
      92,
      { settings: { WRITES: 'sandbox', EXHAUST: 'own' }, clauses: whole('developer') },
    ],
    [
      'nothing is written, and a sandbox that was never seeded has no state',
      0,
      { settings: { WRITES: 'none' }, clauses: ['developer.sandbox.state'], faults: ['sandbox-state-gets-404'] },
      { 'sandbox.state': 'skip' },
    ],
    ['no budget is used up', 3, { settings: { EXHAUST: 'none' }, clauses: ofLimits }],
    [
      'what is used up by default, of a budget that given keys share',
      6,
      { settings: { EXHAUST: 'own' }, choices: { 'developer-budget': 'account' }, clauses: ofLimits },
      { 'limits.per-minute': 'skip' },
    ],
    ['no live key', 89, { settings: { LIVE_API_KEY: '' } }],
    ['no sandbox key', 87, { settings: { SANDBOX_API_KEY: '' }, clauses: whole('developer') }],
    [
      'an enterprise key of 1,200 a minute',
      1,
      { settings: { ENTERPRISE_PER_MINUTE: '1200' }, enterprise: true, clauses: ['developer.limits.per-minute'] },
    ],
    ['windows that pass sixty times as fast', 10, { settings: { CLOCK_SPEED: '60' }, clauses: ofLimits }],
    [
      'no more than 150 requests, and pages of five keys',
      55,
      { settings: { MAX_REQUESTS: '150' }, choices: { 'developer-key-list': 'small-pages' } },
    ],
    [
      'bodies that no guess would find',
      3,
      {
        clauses: ['developer.ads.audits-create', 'developer.inbox.draft', 'developer.content.generate'],
        choices: {
          'developer-undocumented-body': 'all-need-one',
          'developer-thread-context': 'messages',
          'developer-content-values': 'unknown',
        },
        userBodies: {
          'POST /api/v1/ads/audits': { ad_account_ref: '{{run}}' },
          'POST /api/v1/inbox/draft': { thread_context: [{ role: 'user', content: '{{run}}' }] },
          'POST /api/v1/content/generate': { topic: '{{run}}', product: 'sku-1', tone: 'dry' },
        },
      },
    ],
  ],
  workspace: [
    [
      'nothing is written, as by default',
      29,
      { settings: { WRITES: 'sandbox' } },
      { 'auth.forbidden': 'inconclusive' },
    ],
    ['no budget is used up, as by default', 48, { settings: { EXHAUST: 'own' }, clauses: whole('workspace') }],
    [
      'no second, no limited and no revoked key, and none of another workspace',
      40,
      {
        settings: Object.fromEntries(
          ['SECOND', 'LIMITED', 'REVOKED', 'OTHER'].map((which) => [`WORKSPACE_${which}_API_KEY`, '']),
        ),
      },
    ],
    ['a limited key of nobody', 53, { settings: { WORKSPACE_LIMITED_API_KEY: 'wsk_of_nobody_0123456789abcdefghij' } }],
    ['a gate that lets nobody through without a header of EXTRA_HEADERS', 54, gated],
    ['fewer requests than are needed', 42, { settings: { MAX_REQUESTS: '90' } }],
    [
      'changes from BODIES, of which leads store nothing',
      3,
      {
        faults: ['workspace-leads-update-not-stored'],
        clauses: ['agents.update', 'agents.update-keeps', 'leads.update', 'leads.update-keeps'].map(
          (name) => `workspace.${name}`,
        ),
        userBodies: {
          'PATCH /v1/leads/:id': { company: 'Changed by {{run}}', score: 71, active: true, tags: [null, 'new'] },
          'PATCH /v1/agents/:id': { configuration: { greeting: 'Changed by {{run}}' } },
        },
      },
      { 'leads.update': 'fail' },
    ],
    [
      'bodies from BODIES that are refused',
      36,
      {
        userBodies: {
          'POST /v1/agents': { title: 'Desk {{run}}' },
          'POST /v1/webhooks': { address: '{{webhook_url}}' },
        },
      },
    ],
    [
      'a webhook for one event',
      53,
      {
        userBodies: { 'POST /v1/webhooks': { url: '{{webhook_url}}', events: ['booking.created'] } },
      },
      { 'events.booking-cancelled': 'inconclusive' },
    ],
  ],
};

test.for(apis.flatMap((api) => rows[api].map((row) => [api, ...row] as const)))(
  '%s: %s: what can be judged is, and nothing fails that is not named',
  async ([api, , judges, plan, verdicts = {}]) => {
    const { judged, red, resultOf, open, left, leaks, exchanges } = await run({ api, clauses: creating(api), ...plan });
    expect(judged.length).toBeGreaterThanOrEqual(judges);
    expect(Object.keys(verdicts).map((name) => resultOf(name)?.verdict)).toEqual(Object.values(verdicts));
    expect(red.filter((name) => !(name in verdicts))).toEqual([]);
    // A clause that is not tried names the setting that is missing.
    const missing = new RegExp(Object.keys(plan.settings ?? {}).join('|') || '$^');
    const skipped = open.filter((name) => resultOf(name)?.verdict === 'skip' || name === 'auth.forbidden');
    expect(skipped.filter((name) => !missing.test(JSON.stringify(resultOf(name)?.findings)))).toEqual([]);
    expect({ left, leaks }).toEqual({ left: [], leaks: [] });
    const { WRITES = 'all', EXHAUST = 'all' } = plan.settings ?? {};
    const isForbidden = ({ request, response }: Exchange): boolean =>
      (EXHAUST !== 'all' && api === 'workspace' && response?.status === 429) ||
      (request.method !== 'GET' && (WRITES === 'none' || (WRITES === 'sandbox' && api === 'workspace')));
    expect(exchanges.filter(isForbidden)).toEqual([]);
  },
);

const judge = (plan: Omit<Plan, 'api'>) => run({ api: 'workspace', clauses: creating('workspace'), ...plan });

test("without the workspace's own key nothing can be judged, and the setting is named", async () => {
  await expect(judge({ settings: { WORKSPACE_API_KEY: '' } })).rejects.toThrow(/set WORKSPACE_API_KEY/);
});

test('without a receiver, clauses that need deliveries are skipped, and no foreign host is registered', async () => {
  const { open, resultOf, exchanges } = await judge({ receiver: false });
  const skipped = open.flatMap((name) => (resultOf(name)?.verdict === 'skip' ? [resultOf(name)?.findings[0]] : []));
  expect(skipped).toEqual(
    Array(9).fill(expect.objectContaining({ message: expect.stringContaining('WEBHOOK_PUBLIC_URL') })),
  );
  const bodies = exchanges
    .filter(({ endpoint, request }) => endpoint === 'POST /v1/webhooks' && request.body !== 'null')
    .map(({ request }) => JSON.stringify(request.body));
  expect(bodies.length).toBeGreaterThan(0);
  expect(bodies.filter((body) => !body.includes('https://conformance.invalid/'))).toEqual([]);
});

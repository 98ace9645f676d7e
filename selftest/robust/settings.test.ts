import { expect, test } from 'vitest';
import type { Exchange } from '../../results/exchange.ts';
import type { Verdict } from '../../results/verdict.ts';
import { receiveDeliveries } from '../../webhooks/inbox/server.ts';
import { changing, saying } from '../world/between.ts';
import { creating, type Odd, run } from './run.ts';

/** A run with unusual settings or bodies of the user, what it judges, and its least number of judged clauses. */
type Row = readonly [
  says: string,
  clauses: string | readonly string[],
  judges: number,
  odd: Odd,
  verdicts?: Readonly<Record<string, Verdict>>,
];

const gated: Odd = {
  settings: { EXTRA_HEADERS: '{"X-Bypass": "let-me-in-0123456789"}' },
  between: changing(
    ({ headers }) => !headers.some(([name, value]) => name === 'X-Bypass' && value === 'let-me-in-0123456789'),
    (answer) => saying(answer, 'Staging is closed', 403),
  ),
};

// The clauses of the limits, whose many calls are like those before them, are judged where a row says so.
const [developer, workspace] = [creating('developer'), creating('workspace')];

const rows: readonly Row[] = [
  ['nothing is written', developer, 42, { settings: { WRITES: 'none' } }],
  ['what is written and used up by default', 'developer', 92, { settings: { WRITES: 'sandbox', EXHAUST: 'own' } }],
  [
    'nothing is written, and a sandbox that was never seeded has no state',
    'developer.sandbox.state',
    0,
    { settings: { WRITES: 'none' }, faults: ['sandbox-state-gets-404'] },
    { 'sandbox.state': 'skip' },
  ],
  ['no budget is used up', 'developer.limits', 3, { settings: { EXHAUST: 'none' } }],
  [
    'what is used up by default, of a budget that given keys share',
    'developer.limits',
    6,
    { settings: { EXHAUST: 'own' }, choices: { 'developer-budget': 'account' } },
    { 'limits.per-minute': 'skip' },
  ],
  ['no live key', developer, 89, { settings: { LIVE_API_KEY: '' } }],
  ['no sandbox key', 'developer', 87, { settings: { SANDBOX_API_KEY: '' } }],
  [
    'an enterprise key of 1,200 a minute',
    'developer.limits.per-minute',
    1,
    { settings: { ENTERPRISE_PER_MINUTE: '1200' }, enterprise: true },
  ],
  ['windows that pass sixty times as fast', 'developer.limits', 10, { settings: { CLOCK_SPEED: '60' } }],
  [
    'no more than 150 requests, and pages of five keys',
    developer,
    55,
    { settings: { MAX_REQUESTS: '150' }, choices: { 'developer-key-list': 'small-pages' } },
  ],
  [
    'bodies that no guess would find',
    ['developer.ads.audits-create', 'developer.inbox.draft', 'developer.content.generate'],
    3,
    {
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
  [
    'nothing is written, as by default',
    workspace,
    29,
    { settings: { WRITES: 'sandbox' } },
    { 'auth.forbidden': 'inconclusive' },
  ],
  ['no budget is used up, as by default', 'workspace', 48, { settings: { EXHAUST: 'own' } }],
  [
    'no second, no limited and no revoked key, and none of another workspace',
    workspace,
    40,
    {
      settings: Object.fromEntries(
        ['SECOND', 'LIMITED', 'REVOKED', 'OTHER'].map((which) => [`WORKSPACE_${which}_API_KEY`, '']),
      ),
    },
  ],
  [
    'a limited key of nobody',
    workspace,
    53,
    { settings: { WORKSPACE_LIMITED_API_KEY: 'wsk_of_nobody_0123456789abcdefghij' } },
  ],
  ['a gate that lets nobody through without a header of EXTRA_HEADERS', workspace, 54, gated],
  ['fewer requests than are needed', workspace, 42, { settings: { MAX_REQUESTS: '90' } }],
  [
    'changes from BODIES, of which leads store nothing',
    ['agents.update', 'agents.update-keeps', 'leads.update', 'leads.update-keeps'].map((name) => `workspace.${name}`),
    3,
    {
      faults: ['workspace-leads-update-not-stored'],
      userBodies: {
        'PATCH /v1/leads/:id': { company: 'Changed by {{run}}', score: 71, active: true, tags: [null, 'new'] },
        'PATCH /v1/agents/:id': { configuration: { greeting: 'Changed by {{run}}' } },
      },
    },
    { 'leads.update': 'fail' },
  ],
  [
    'bodies from BODIES that are refused',
    workspace,
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
    workspace,
    53,
    { userBodies: { 'POST /v1/webhooks': { url: '{{webhook_url}}', events: ['booking.created'] } } },
    { 'events.booking-cancelled': 'inconclusive' },
  ],
];

test.for(rows)(
  '%s: what can be judged is, and nothing fails that is not named',
  async ([, clauses, judges, odd, verdicts = {}]) => {
    const { judged, red, resultOf, open, left, leaks, exchanges } = await run(clauses, odd);
    expect(judged.length).toBeGreaterThanOrEqual(judges);
    expect(Object.keys(verdicts).map((name) => resultOf(name)?.verdict)).toEqual(Object.values(verdicts));
    expect(red.filter((name) => !(name in verdicts))).toEqual([]);
    // A clause that is not tried names the setting that is missing.
    const missing = new RegExp(Object.keys(odd.settings ?? {}).join('|') || '$^');
    const skipped = open.filter((name) => resultOf(name)?.verdict === 'skip' || name === 'auth.forbidden');
    expect(skipped.filter((name) => !missing.test(JSON.stringify(resultOf(name)?.findings)))).toEqual([]);
    expect({ left, leaks }).toEqual({ left: [], leaks: [] });
    const { WRITES = 'all', EXHAUST = 'all' } = odd.settings ?? {};
    const isWorkspace = String(clauses).startsWith('workspace');
    const isForbidden = ({ request, response }: Exchange): boolean =>
      (EXHAUST !== 'all' && isWorkspace && response?.status === 429) ||
      (request.method !== 'GET' && (WRITES === 'none' || (WRITES === 'sandbox' && isWorkspace)));
    expect(exchanges.filter(isForbidden)).toEqual([]);
  },
);

test("without the workspace's own key nothing can be judged, and the setting is named", async () => {
  await expect(run('workspace', { settings: { WORKSPACE_API_KEY: '' } })).rejects.toThrow(/set WORKSPACE_API_KEY/);
});

test('without a receiver, clauses that need deliveries are skipped, and no foreign host is registered', async () => {
  const { open, resultOf, exchanges } = await run(workspace, { receiver: false });
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

test('without any delivery, a public URL that does not lead to the receiver is told, and fails nothing', async () => {
  const receiver = await receiveDeliveries();
  const { origin } = new URL(receiver.open('secret').url);
  await receiver.close();
  const { resultOf } = await run('workspace.events.booking-created', {
    faults: ['created', 'cancelled'].map((event) => `workspace-events-booking-${event}-missing`),
    settings: { WEBHOOK_PUBLIC_URL: origin },
  });
  const { verdict, findings } = resultOf('events.booking-created') ?? {};
  expect([verdict, findings?.[0]?.needs]).toEqual(['inconclusive', { setting: 'WEBHOOK_PUBLIC_URL' }]);
});

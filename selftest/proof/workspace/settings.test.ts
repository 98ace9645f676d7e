import { beforeAll, describe, expect, test } from 'vitest';
import { createLocalInbox } from '../../../webhooks/inbox/inbox.ts';
import { createVirtualClock } from '../../virtual-clock.ts';
import { type Ran, resultOf, runWorkspace, verdictsOf } from './run.ts';

let full: Ran;
let usual: Record<string, string>;

beforeAll(async () => {
  full = await runWorkspace();
  usual = verdictsOf(full);
});

/** The clauses of a run with another verdict than usual, with that verdict. */
const changesOf = (ran: Ran): Record<string, string> =>
  Object.fromEntries(Object.entries(verdictsOf(ran)).filter(([name, verdict]) => usual[name] !== verdict));

const skipped = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, 'skip']));

const byDriving = ['exceeded', 'per-minute', 'per-workspace', 'recovery', 'header-format', 'window'].map(
  (name) => `limits.${name}`,
);
const byDelivery = [
  'webhooks.silent-after-remove',
  'webhooks.signature',
  'webhooks.signature-secret',
  'webhooks.scheme',
  'webhooks.delivery',
  'events.booking-created',
  'events.booking-cancelled',
  'events.vocabulary',
  'events.payload',
];

test('with every setting, all clauses are decided except the daily limit, which names the command that judges it', () => {
  expect(Object.entries(usual).filter(([, verdict]) => !['pass', 'observed'].includes(verdict))).toEqual([
    ['limits.per-day', 'skip'],
  ]);
  expect(resultOf(full, 'limits.per-day').findings[0]?.message).toMatch(/npm run load -- per-day/);
});

describe('a key that is not set skips its clauses, by name', () => {
  test.for([
    ['WORKSPACE_LIMITED_API_KEY', ['auth.forbidden']],
    ['WORKSPACE_REVOKED_API_KEY', ['auth.revoked-key']],
    ['WORKSPACE_SECOND_API_KEY', ['auth.shared', 'limits.per-workspace']],
    ['WORKSPACE_OTHER_API_KEY', ['auth.scoped']],
  ] as const)('%s', async ([setting, names]) => {
    const ran = await runWorkspace({ settings: { [setting]: '' } });
    expect(changesOf(ran)).toEqual(skipped(...names));
    for (const name of names) {
      expect(resultOf(ran, name).findings[0]?.message).toMatch(new RegExp(`^${setting} is not set`));
    }
  });
});

test("without the workspace's own key nothing can be judged, and the setting is named", async () => {
  await expect(runWorkspace({ settings: { WORKSPACE_API_KEY: '' } })).rejects.toThrow(/set WORKSPACE_API_KEY/);
});

test('without a receiver that the deployment can reach, only clauses that need deliveries are skipped', async () => {
  const ran = await runWorkspace({
    inbox: { kind: 'no inbox', reason: 'WEBHOOK_PUBLIC_URL is not set: open a tunnel' },
  });
  expect(changesOf(ran)).toEqual(skipped(...byDelivery));
  for (const name of byDelivery) {
    expect(resultOf(ran, name).findings[0]?.message).toMatch(/WEBHOOK_PUBLIC_URL.*tunnel/);
  }
  const urls = ran.evidence.exchanges
    .filter(({ endpoint, request }) => endpoint === 'POST /v1/webhooks' && request.body !== 'null')
    .map(({ request }) => JSON.stringify(request.body));
  // No foreign host is registered, since events would be sent there.
  expect(urls.length).toBeGreaterThan(0);
  for (const body of urls) {
    expect(body).toMatch(/https:\/\/conformance\.invalid\//);
  }
});

test('if no delivery reaches the receiver, the URL that was set for it is a likely cause', async () => {
  const { inbox } = createLocalInbox(createVirtualClock());
  const ran = await runWorkspace({ inbox, settings: { WEBHOOK_PUBLIC_URL: 'https://hooks.example' } });
  expect(resultOf(ran, 'events.booking-created').findings[0]?.cause).toMatch(/WEBHOOK_PUBLIC_URL may not lead/);
});

test.for(['own', 'none'])("EXHAUST=%s leaves the workspace's budget alone", async (EXHAUST) => {
  const ran = await runWorkspace({ settings: { EXHAUST } });
  expect(changesOf(ran)).toEqual(skipped(...byDriving));
  for (const name of byDriving) {
    expect(resultOf(ran, name).findings[0]?.message).toMatch(/EXHAUST=all/);
  }
  expect(ran.evidence.exchanges.filter(({ response }) => response?.status === 429)).toEqual([]);
});

describe.for(['none', 'sandbox'])('WRITES=%s', (WRITES) => {
  let ran: Ran;
  beforeAll(async () => {
    ran = await runWorkspace({ settings: { WRITES } });
  });

  test('sends nothing that could create, change or delete', () => {
    expect(new Set(ran.evidence.exchanges.map(({ request }) => request.method))).toEqual(new Set(['GET']));
    expect(ran.notes).toEqual([]);
  });

  test('judges what reads can show, and names the setting for the rest', () => {
    const judged = Object.entries(verdictsOf(ran))
      .filter(([, verdict]) => ['pass', 'observed'].includes(verdict))
      .map(([name]) => name);
    expect(judged).toEqual(
      expect.arrayContaining([
        'auth.bearer',
        'auth.missing-key',
        'auth.invalid-key',
        'auth.revoked-key',
        'agents.list',
        'leads.get',
        'limits.per-minute',
      ]),
    );
    const skips = ran.results.filter(({ id, verdict }) => verdict === 'skip' && id !== 'workspace.limits.per-day');
    expect(skips.length).toBeGreaterThan(15);
    for (const { findings } of skips) {
      expect(findings[0]?.message).toMatch(/WRITES=all/);
    }
  });

  test('a key that may only read is not reported as a defect', () => {
    const { verdict, findings } = resultOf(ran, 'auth.forbidden');
    expect(verdict).toBe('inconclusive');
    expect(findings[0]?.advice).toMatch(/WRITES=all/);
  });
});

test('a call that two clauses share is made once, so the requests of a run stay within bounds', () => {
  const reads = full.evidence.exchanges.filter(
    ({ endpoint, keyLabel, sentAt }) =>
      keyLabel === 'WORKSPACE_API_KEY' && endpoint === 'GET /v1/agents/:id' && sentAt > 0,
  );
  expect(reads.length).toBeLessThan(10);
  expect(full.requests).toBeLessThan(450);
});

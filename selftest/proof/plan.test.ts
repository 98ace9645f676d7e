import { expect, test } from 'vitest';
import { rehearse } from '../../cli/plan/rehearse.ts';
import { parseSettings } from '../../settings/settings.ts';

/** The most calls that a run may make with given keys, whose minutes others use too. */
const given = { SANDBOX_API_KEY: 115, LIVE_API_KEY: 53 } as const;

test('no key of the developer API needs a second minute, and the given ones leave room in theirs', async () => {
  const settings = parseSettings({
    BASE_URL: 'https://api.example.test',
    SANDBOX_API_KEY: 'svc_test_0123456789abcdefghijklmnop',
    LIVE_API_KEY: 'svc_live_0123456789abcdefghijklmnop',
    WRITES: 'all',
    EXHAUST: 'none',
  });
  const { runs } = await rehearse({ patterns: [], filters: [] }, settings);
  const budgets = runs.flatMap(({ session }) => session.book.budgets());
  expect(budgets.map(({ label }) => label)).toEqual(expect.arrayContaining(Object.keys(given)));
  const most = ({ label, perMinute }: (typeof budgets)[number]): number =>
    given[label as keyof typeof given] ?? perMinute;
  expect(budgets.filter((budget) => budget.calls > most(budget))).toEqual([]);
});

// A starter workspace takes 60 a minute: a run of WRITES=all lasts less than two.
test.each([
  ['without a webhook receiver', 72, {}],
  ['with one', 80, { WEBHOOK_PUBLIC_URL: 'https://hooks.example.test' }],
])('a workspace %s makes at most %d calls before its limit is driven', async (_, most, env) => {
  const settings = parseSettings({
    WORKSPACE_API_URL: 'https://workspace.example.test',
    WORKSPACE_API_KEY: 'wsk_0123456789abcdefghijklmnopqrstuvwxyz',
    WRITES: 'all',
    EXHAUST: 'none',
    ...env,
  });
  const { runs } = await rehearse({ patterns: [], filters: [] }, settings);
  const [budget] = runs.flatMap(({ session }) => session.book.budgets());
  expect(budget).toMatchObject({ label: 'workspace', calls: expect.any(Number) });
  expect(budget?.calls).toBeLessThanOrEqual(most);
  const kept = runs[0]?.session.ledger.undeletable().map(({ collection }) => collection);
  expect(kept).toEqual(['/v1/leads']);
});

import { expect, test } from 'vitest';
import { firstStepsOf, joinAlike } from '../../../results/root-causes.ts';
import { unlocksOf } from '../../../results/unlocks.ts';
import type { Finding } from '../../../results/verdict.ts';
import { type Outcome, resultsOf } from '../reports/sample.ts';

// How failures with one cause are grouped, and the words, the golden reports show: ../reports/golden/failing.txt.

const waiting = (blames: string): Outcome => ({ verdict: 'inconclusive', findings: [{ message: 'x', blames }] });

test('what to fix first is the failed clause for which most wait, directly or through others', () => {
  const steps = firstStepsOf(
    resultsOf({
      'developer.keys.create': { verdict: 'fail', findings: [{ message: 'x' }] },
      'developer.keys.rotate': waiting('developer.keys.create'),
      'developer.auth.rotated-key': waiting('developer.keys.rotate'),
      'workspace.bookings.create': waiting('workspace.bookings.create'),
      'workspace.events.booking-created': waiting('workspace.webhooks.register'),
      'workspace.events.booking-cancelled': waiting('workspace.webhooks.register'),
      'workspace.webhooks.register': waiting('workspace.webhooks.list'),
      'workspace.webhooks.list': waiting('workspace.webhooks.register'),
    }),
  );
  expect(steps[0]).toEqual({
    clause: 'developer.keys.create',
    waiting: ['developer.auth.rotated-key', 'developer.keys.rotate'],
  });
  expect(steps.flatMap((step) => step.waiting)).toHaveLength(6);
});

test('settings that would decide more, the one with most clauses first; clauses that wait for others do not count', () => {
  const needing = (setting: string, rest: Partial<Outcome> = {}): Outcome => ({
    verdict: 'skip',
    findings: [{ message: 'x', needs: { setting } }],
    ...rest,
  });
  const unlocks = unlocksOf(
    resultsOf({
      'developer.auth.live-prefix': needing('LIVE_API_KEY'),
      'developer.keys.create': needing('WRITES'),
      'developer.keys.rotate': needing('WRITES', { verdict: 'inconclusive' }),
      'developer.keys.usage': {
        verdict: 'inconclusive',
        findings: [{ message: 'x', needs: { setting: 'LIVE_API_KEY' }, blames: 'developer.keys.create' }],
      },
      'workspace.agents.list': needing('WORKSPACE_API_URL', { outside: 'target' }),
    }),
  );
  expect(unlocks.map(({ setting, clauses }) => [setting, clauses.length])).toEqual([
    ['WRITES', 2],
    ['LIVE_API_KEY', 1],
  ]);
});

const refusal = (what: string, call: string, status = 200): Finding => {
  const [method = '', path = ''] = call.split(' ');
  const got = `got ${status}, not 401`;
  return {
    message: `${what} ${got}, on ${call}`,
    request: { method, url: `https://api.test${path}` },
    response: { status, traceId: null },
    alike: { what: `${what} ${got}`, call },
  };
};
const [noKey, emptyKey] = ['A call without a key', 'A call with an empty key'];
const other: Finding = { message: 'The list is empty' };

test.for<[string, readonly Finding[], readonly string[]]>([
  [
    'one thing on several calls',
    [refusal(noKey, 'POST /b'), other, refusal(noKey, 'GET /a')],
    [`${noKey} got 200, not 401, on 2 endpoints: POST /b, GET /a`, other.message],
  ],
  [
    'another answer, or another thing',
    [refusal(noKey, 'GET /a'), refusal(noKey, 'GET /b', 500), refusal(emptyKey, 'GET /a')],
    [
      `${noKey} got 200, not 401, on GET /a`,
      `${noKey} got 500, not 401, on GET /b`,
      `${emptyKey} got 200, not 401, on GET /a`,
    ],
  ],
  [
    'one call, twice',
    [refusal(noKey, 'GET /a'), refusal(noKey, 'GET /a')],
    [`${noKey} got 200, not 401, on GET /a, 2 times`],
  ],
])('the same wrong answer is one finding: %s', ([, findings, messages]) => {
  expect(joinAlike(findings).map(({ message }) => message)).toEqual(messages);
});

test('a joined finding shows the simplest exchange, and names the calls', () => {
  const [joined] = joinAlike([refusal(noKey, 'POST /b'), refusal(noKey, 'GET /a')]);
  expect(joined).toMatchObject({ request: { method: 'GET' }, calls: ['POST /b', 'GET /a'] });
  expect(joined?.alike).toBeUndefined();
});

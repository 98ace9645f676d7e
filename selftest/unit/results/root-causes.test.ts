import { expect, test } from 'vitest';
import { firstStepsOf, firstStepsText } from '../../../results/root-causes.ts';
import { unlocksOf, unlockText } from '../../../results/unlocks.ts';
import { type Outcome, resultsOf } from '../reports/sample.ts';

// How failures with one cause are grouped, the golden reports show: selftest/unit/reports/golden/failing.txt.

const waiting = (blames: string): Outcome => ({ verdict: 'inconclusive', findings: [{ message: 'x', blames }] });

test('what to fix first is the failed clause for which most wait, directly or through others', () => {
  const steps = firstStepsOf(
    resultsOf({
      'developer.keys.create': { verdict: 'fail', findings: [{ message: 'x' }] },
      'developer.keys.rotate': waiting('developer.keys.create'),
      'developer.auth.rotated-key': waiting('developer.keys.rotate'),
      'workspace.bookings.cancel': waiting('workspace.bookings.create'),
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
  expect(steps.flatMap((step) => step.waiting)).toHaveLength(7);
  expect(firstStepsText(steps)).toMatch(
    /^Fix developer\.keys\.create first \(it blocks 2 clauses\), then workspace\.webhooks\.\w+ \(\d\), /,
  );
  expect(firstStepsText([])).toBe('');
});

test('settings that would decide more, the one with most clauses first; clauses that wait for others do not count', () => {
  const needing = (setting: string, value?: string, rest: Partial<Outcome> = {}): Outcome => ({
    ...{ verdict: 'skip', findings: [{ message: 'x', needs: value === undefined ? { setting } : { setting, value } }] },
    ...rest,
  });
  const unlocks = unlocksOf(
    resultsOf({
      'developer.auth.live-prefix': needing('LIVE_API_KEY'),
      'developer.keys.create': needing('WRITES', 'all'),
      'developer.keys.rotate': needing('WRITES', 'all', { verdict: 'inconclusive' }),
      'developer.keys.usage': {
        verdict: 'inconclusive',
        findings: [{ message: 'x', needs: { setting: 'LIVE_API_KEY' }, blames: 'developer.keys.create' }],
      },
      'workspace.agents.list': needing('WORKSPACE_API_URL', undefined, { outside: 'target' }),
    }),
  );
  expect(unlocks.map(({ clauses }) => clauses)).toEqual([
    ['developer.keys.create', 'developer.keys.rotate'],
    ['developer.auth.live-prefix'],
  ]);
  expect(unlockText(unlocks)).toBe('WRITES=all (2), LIVE_API_KEY (1)');
});

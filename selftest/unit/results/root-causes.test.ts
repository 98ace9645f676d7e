import { describe, expect, test } from 'vitest';
import { firstStepsOf, firstStepsText, rootCausesOf } from '../../../results/root-causes.ts';
import { unlocksOf, unlockText } from '../../../results/unlocks.ts';
import type { Finding } from '../../../results/verdict.ts';
import { type Outcome, resultsOf, runOf } from '../reports/sample.ts';

const got = (status: number, call: string, given: Partial<Finding> = {}): Finding => {
  const [method = '', path = ''] = call.split(' ');
  return {
    message: `${call} does not succeed: ${status}`,
    expected: '2xx',
    actual: String(status),
    request: { method, url: `https://api.example.com${path}?x=1` },
    response: { status, traceId: null },
    curl: `curl ${path}`,
    ...given,
  };
};
const failing = (...findings: readonly Finding[]): Outcome => ({ verdict: 'fail', findings });
const causes = (outcomes: Readonly<Record<string, Outcome>>): readonly (readonly [string, readonly string[]])[] =>
  rootCausesOf(resultsOf(outcomes), 'fail').map(({ sentence, clauses }) => [sentence, clauses.map(({ id }) => id)]);

test('a clause that passes is no reason for failures of others', () => {
  const waiting = (blames: string): Outcome => ({ verdict: 'inconclusive', findings: [{ message: 'No key', blames }] });
  const run = runOf({
    results: resultsOf({
      'developer.keys.create': { verdict: 'pass' },
      'developer.keys.list': { verdict: 'fail', findings: [{ message: 'Broken' }] },
      'developer.auth.query': waiting('developer.keys.create'),
      'developer.auth.header': waiting('developer.keys.list'),
    }),
  });
  const blamed = run.clauses.flatMap(({ id, findings }) =>
    findings.flatMap(({ blames }) => (blames ? [[id, blames]] : [])),
  );
  expect(blamed).toEqual([['developer.auth.header', 'developer.keys.list']]);
});

describe('failures with one cause are reported once', () => {
  test('three clauses whose calls got 404, whatever was expected of them, by endpoint', () => {
    expect(
      causes({
        'developer.ads.campaigns': failing(got(404, 'GET /api/v1/ads/campaigns')),
        'developer.ads.campaigns-status': failing(got(404, 'GET /api/v1/ads/campaigns', { expected: '400' })),
        'developer.keys.rotate': failing(got(404, 'POST /api/v1/developer/keys/abc-1/rotate')),
      }),
    ).toEqual([
      [
        '2 documented endpoints answer 404: GET /api/v1/ads/campaigns, POST /api/v1/developer/keys/:id/rotate',
        ['developer.ads.campaigns', 'developer.ads.campaigns-status', 'developer.keys.rotate'],
      ],
    ]);
  });

  test('three clauses that got 200 instead of the same expected refusal', () => {
    const open = (call: string, expected = '401'): Outcome => failing(got(200, call, { expected }));
    const told = causes({
      'developer.ads.campaigns': open('GET /api/v1/ads/campaigns'),
      'developer.ads.health-score': open('GET /api/v1/ads/health-score', '403'),
      'developer.ads.keywords': open('GET /api/v1/ads/keywords'),
      'developer.ads.audits-list': open('GET /api/v1/ads/audits'),
    });
    expect(told.map(([, ids]) => ids.length)).toEqual([3, 1]);
    expect(told[0]?.[0]).toBe(
      '3 documented endpoints answer 200 where 401 is expected: GET /api/v1/ads/campaigns, GET /api/v1/ads/keywords, GET /api/v1/ads/audits',
    );
  });

  test('the cause for which others wait comes first, and in it the clause for which they wait', () => {
    const missing = (call: string): Outcome => failing(got(404, call));
    const told = causes({
      'developer.ads.campaigns': failing(got(500, 'GET /api/v1/ads/campaigns')),
      'developer.ads.health-score': failing(got(500, 'GET /api/v1/ads/health-score')),
      'developer.ads.keywords': failing(got(500, 'GET /api/v1/ads/keywords')),
      'developer.ads.audits-list': failing(got(500, 'GET /api/v1/ads/audits')),
      'developer.inbox.draft': missing('POST /api/v1/inbox/draft'),
      'developer.inbox.skills': missing('GET /api/v1/inbox/skills'),
      'developer.keys.create': missing('POST /api/v1/developer/keys'),
      'developer.keys.rotate': {
        verdict: 'inconclusive',
        findings: [{ message: 'No', blames: 'developer.keys.create' }],
      },
    });
    expect(told.map(([, ids]) => ids[0])).toEqual(['developer.keys.create', 'developer.ads.campaigns']);
    expect(told[0]?.[0]).toMatch(/404: POST \/api\/v1\/developer\/keys, /);
  });

  test('two clauses with the same message, and no others', () => {
    const same = got(200, 'GET /v1/agents', { message: 'Deliveries are not signed', place: 'header X' });
    expect(
      causes({
        'workspace.webhooks.signature': failing(same),
        'workspace.webhooks.signature-secret': failing(same),
        'workspace.events.vocabulary': failing(same, { message: 'Another' }),
        'workspace.agents.list': failing(got(404, 'GET /v1/agents')),
        'workspace.agents.get': failing(got(404, 'GET /v1/agents/a')),
      }),
    ).toEqual([
      ['Deliveries are not signed', ['workspace.webhooks.signature', 'workspace.webhooks.signature-secret']],
      ['GET /v1/agents does not succeed: 404', ['workspace.agents.list']],
      ['GET /v1/agents/a does not succeed: 404', ['workspace.agents.get']],
      ['Deliveries are not signed', ['workspace.events.vocabulary']],
    ]);
  });

  test('three fields absent from one answer', () => {
    const lacks = (place: string, call = 'GET /api/v1/ads/audits'): Outcome =>
      failing(got(200, call, { message: `${place} is absent`, actual: 'absent', place }));
    expect(
      causes({
        'developer.envelope.success': lacks('/success'),
        'developer.envelope.data': lacks('/data'),
        'developer.envelope.context': lacks('/context'),
        'developer.envelope.trace-id': lacks('/meta/trace_id', 'GET /api/v1/platform/me'),
      }),
    ).toEqual([
      [
        '3 fields absent: /success, /data, /context, as on GET /api/v1/ads/audits',
        ['developer.envelope.success', 'developer.envelope.data', 'developer.envelope.context'],
      ],
      ['/meta/trace_id is absent', ['developer.envelope.trace-id']],
    ]);
  });

  test('a cause is shown by the finding that is easiest to reproduce: a read, and a short one', () => {
    const [cause] = rootCausesOf(
      resultsOf({
        'developer.ads.audits-create': failing(got(500, 'POST /api/v1/ads/audits')),
        'developer.ads.campaigns': failing(
          got(500, 'GET /api/v1/ads/campaigns', { curl: `curl ${'-H X '.repeat(20)}` }),
        ),
        'developer.ads.keywords': failing(got(500, 'GET /api/v1/ads/keywords')),
      }),
      'fail',
    );
    expect(cause?.finding.request?.url).toContain('/keywords');
  });
});

const waiting = (blames: string): Outcome => ({ verdict: 'inconclusive', findings: [{ message: 'x', blames }] });

test('the clause to fix first is the one for which most wait, directly or through others', () => {
  const steps = firstStepsOf(
    resultsOf({
      'developer.keys.create': failing(got(500, 'POST /api/v1/developer/keys')),
      'developer.keys.rotate': waiting('developer.keys.create'),
      'developer.auth.rotated-key': waiting('developer.keys.rotate'),
      'workspace.bookings.cancel': waiting('workspace.bookings.create'),
      'workspace.bookings.create': waiting('workspace.bookings.create'),
    }),
  );
  expect(steps).toEqual([
    { clause: 'developer.keys.create', waiting: ['developer.auth.rotated-key', 'developer.keys.rotate'] },
    { clause: 'workspace.bookings.create', waiting: ['workspace.bookings.cancel'] },
  ]);
  expect(firstStepsText(steps)).toBe(
    'Fix developer.keys.create first (it blocks 2 clauses), then workspace.bookings.create (1)',
  );
  expect(firstStepsText(steps.slice(1))).toBe('Fix workspace.bookings.create first (it blocks 1 clause)');
  expect(firstStepsText([])).toBe('');
});

test('a clause that fails comes before one that is only undecided', () => {
  const steps = firstStepsOf(
    resultsOf({
      'workspace.leads.get': failing(got(500, 'GET /v1/leads/1')),
      'workspace.leads.update': waiting('workspace.leads.get'),
      'workspace.events.booking-created': waiting('workspace.webhooks.create'),
      'workspace.events.booking-cancelled': waiting('workspace.webhooks.create'),
    }),
  );
  expect(steps.map(({ clause }) => clause)).toEqual(['workspace.leads.get', 'workspace.webhooks.create']);
});

test('two clauses that blame each other end the search', () => {
  const results = resultsOf({
    'developer.keys.rotate': waiting('developer.keys.list'),
    'developer.keys.list': waiting('developer.keys.rotate'),
  });
  expect(firstStepsOf(results).flatMap((step) => step.waiting)).toHaveLength(2);
});

test('settings that would decide more, the one with most clauses first; clauses that wait for others or are not in the run do not count', () => {
  const needing = (setting: string, value?: string, rest: Partial<Outcome> = {}): Outcome => ({
    verdict: 'skip',
    findings: [{ message: 'x', needs: { setting, ...(value === undefined ? {} : { value }) } }],
    ...rest,
  });
  const unlocks = unlocksOf(
    resultsOf({
      'developer.keys.list': needing('LIVE_API_KEY'),
      'developer.keys.create': needing('WRITES', 'all'),
      'developer.keys.rotate': needing('WRITES', 'all', { verdict: 'inconclusive' }),
      'developer.keys.usage': {
        verdict: 'inconclusive',
        findings: [{ message: 'x', needs: { setting: 'LIVE_API_KEY' }, blames: 'developer.keys.create' }],
      },
      'workspace.agents.list': needing('WORKSPACE_API_URL', undefined, { outside: 'target' }),
    }),
  );
  expect(unlocks).toEqual([
    { setting: 'WRITES=all', clauses: ['developer.keys.create', 'developer.keys.rotate'] },
    { setting: 'LIVE_API_KEY', clauses: ['developer.keys.list'] },
  ]);
  expect(unlockText(unlocks)).toBe('WRITES=all (2), LIVE_API_KEY (1)');
});

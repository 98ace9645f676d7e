import { expect, test } from 'vitest';
import { firstStepsOf, firstStepsText, rootCausesOf } from '../../../results/root-causes.ts';
import { unlocksOf, unlockText } from '../../../results/unlocks.ts';
import type { Finding } from '../../../results/verdict.ts';
import { type Outcome, resultsOf, runOf } from '../reports/sample.ts';

const failing = (status: number, call: string, given: Partial<Finding> = {}): Outcome => {
  const [method = '', path = ''] = call.split(' ');
  const finding = {
    message: `${call} does not succeed: ${status}`,
    expected: '2xx',
    actual: String(status),
    request: { method, url: `https://api.example.com${path}?x=1` },
    response: { status, traceId: null },
    curl: `curl ${path}`,
    ...given,
  };
  return { verdict: 'fail', findings: [finding] };
};
const open = (call: string, expected = '401'): Outcome => failing(200, call, { expected });
const lacks = (place: string, call = 'GET /api/v1/ads/audits'): Outcome =>
  failing(200, call, { message: `${place} is absent`, actual: 'absent', place });
const unsigned = failing(200, 'GET /v1/agents', { message: 'Deliveries are not signed', place: 'header X' });
const waiting = (blames: string): Outcome => ({ verdict: 'inconclusive', findings: [{ message: 'x', blames }] });

// The clauses of an API in short: `ads.campaigns`.
test.for<[string, 'developer' | 'workspace', Readonly<Record<string, Outcome>>, readonly (readonly string[])[]]>([
  [
    'three clauses whose calls got 404, whatever was expected of them, by endpoint',
    'developer',
    {
      'ads.campaigns': failing(404, 'GET /api/v1/ads/campaigns'),
      'ads.campaigns-status': failing(404, 'GET /api/v1/ads/campaigns', { expected: '400' }),
      'keys.rotate': failing(404, 'POST /api/v1/developer/keys/abc-1/rotate'),
    },
    [
      [
        '2 documented endpoints answer 404: GET /api/v1/ads/campaigns, POST /api/v1/developer/keys/:id/rotate',
        ...['ads.campaigns', 'ads.campaigns-status', 'keys.rotate'],
      ],
    ],
  ],
  [
    'three clauses that got 200 instead of the same expected refusal',
    'developer',
    {
      'ads.campaigns': open('GET /api/v1/ads/campaigns'),
      'ads.health-score': open('GET /api/v1/ads/health-score', '403'),
      'ads.keywords': open('GET /api/v1/ads/keywords'),
      'ads.audits-list': open('GET /api/v1/ads/audits'),
    },
    [
      [
        '3 documented endpoints answer 200 where 401 is expected: GET /api/v1/ads/campaigns, GET /api/v1/ads/keywords, GET /api/v1/ads/audits',
        ...['ads.campaigns', 'ads.keywords', 'ads.audits-list'],
      ],
      ['GET /api/v1/ads/health-score does not succeed: 200', 'ads.health-score'],
    ],
  ],
  [
    'first that for which others wait, and in it the clause for which they wait',
    'developer',
    {
      'ads.campaigns': failing(500, 'GET /api/v1/ads/campaigns'),
      'ads.health-score': failing(500, 'GET /api/v1/ads/health-score'),
      'ads.keywords': failing(500, 'GET /api/v1/ads/keywords'),
      'inbox.draft': failing(404, 'POST /api/v1/inbox/draft'),
      'inbox.skills': failing(404, 'GET /api/v1/inbox/skills'),
      'keys.create': failing(404, 'POST /api/v1/developer/keys'),
      'keys.rotate': waiting('developer.keys.create'),
    },
    [
      [
        '3 documented endpoints answer 404: POST /api/v1/developer/keys, POST /api/v1/inbox/draft, GET /api/v1/inbox/skills',
        ...['keys.create', 'inbox.draft', 'inbox.skills'],
      ],
      [
        '3 documented endpoints answer 500: GET /api/v1/ads/campaigns, GET /api/v1/ads/health-score, GET /api/v1/ads/keywords',
        ...['ads.campaigns', 'ads.health-score', 'ads.keywords'],
      ],
    ],
  ],
  [
    'two clauses with the same message, and no others',
    'workspace',
    {
      'webhooks.signature': unsigned,
      'webhooks.signature-secret': unsigned,
      'agents.list': failing(404, 'GET /v1/agents'),
      'agents.get': failing(404, 'GET /v1/agents/a'),
    },
    [
      ['Deliveries are not signed', 'webhooks.signature', 'webhooks.signature-secret'],
      ['GET /v1/agents does not succeed: 404', 'agents.list'],
      ['GET /v1/agents/a does not succeed: 404', 'agents.get'],
    ],
  ],
  [
    'three fields absent from one answer',
    'developer',
    {
      'envelope.success': lacks('/success'),
      'envelope.data': lacks('/data'),
      'envelope.context': lacks('/context'),
      'envelope.trace-id': lacks('/meta/trace_id', 'GET /api/v1/platform/me'),
    },
    [
      [
        '3 fields absent: /success, /data, /context, as on GET /api/v1/ads/audits',
        ...['envelope.success', 'envelope.data', 'envelope.context'],
      ],
      ['/meta/trace_id is absent', 'envelope.trace-id'],
    ],
  ],
])('failures with one cause are reported once: %s', ([, api, outcomes, causes]) => {
  const results = resultsOf(Object.fromEntries(Object.entries(outcomes).map(([id, one]) => [`${api}.${id}`, one])));
  const told = rootCausesOf(results, 'fail').map(({ sentence, clauses }) => [sentence, ...clauses.map(({ id }) => id)]);
  expect(told.map(([sentence, ...ids]) => [sentence, ...ids.map((id) => id?.slice(api.length + 1))])).toEqual(causes);
});

test('a cause is shown by the finding that is easiest to reproduce: a read, and a short one', () => {
  const outcomes = {
    'developer.ads.audits-create': failing(500, 'POST /api/v1/ads/audits'),
    'developer.ads.campaigns': failing(500, 'GET /api/v1/ads/campaigns', { curl: `curl ${'-H X '.repeat(20)}` }),
    'developer.ads.keywords': failing(500, 'GET /api/v1/ads/keywords'),
  };
  expect(rootCausesOf(resultsOf(outcomes), 'fail')[0]?.finding.request?.url).toContain('/keywords');
});

test('a clause that passes is no reason for failures of others', () => {
  const { clauses } = runOf({
    results: resultsOf({
      'developer.keys.create': { verdict: 'pass' },
      'developer.keys.list': { verdict: 'fail', findings: [{ message: 'Broken' }] },
      'developer.auth.query': waiting('developer.keys.create'),
      'developer.auth.header': waiting('developer.keys.list'),
    }),
  });
  expect(
    clauses.flatMap(({ id, findings }) => findings.flatMap(({ blames }) => (blames ? [[id, blames]] : []))),
  ).toEqual([['developer.auth.header', 'developer.keys.list']]);
});

test('what to fix first is the failed clause for which most wait, directly or through others', () => {
  const steps = firstStepsOf(
    resultsOf({
      'developer.keys.create': failing(500, 'POST /api/v1/developer/keys'),
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
  expect([firstStepsText(steps.filter(({ clause }) => clause.includes('bookings'))), firstStepsText([])]).toEqual([
    'Fix workspace.bookings.create first (it blocks 1 clause)',
    '',
  ]);
});

test('settings that would decide more, the one with most clauses first; clauses that wait for others do not count', () => {
  const needing = (setting: string, value?: string, rest: Partial<Outcome> = {}): Outcome => ({
    ...{ verdict: 'skip', findings: [{ message: 'x', needs: value === undefined ? { setting } : { setting, value } }] },
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
  expect(unlocks.map(({ clauses }) => clauses)).toEqual([
    ['developer.keys.create', 'developer.keys.rotate'],
    ['developer.keys.list'],
  ]);
  expect(unlockText(unlocks)).toBe('WRITES=all (2), LIVE_API_KEY (1)');
});

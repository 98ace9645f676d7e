import type { Exchange } from '../../../results/exchange.ts';
import { exchangeWith, findingAbout, type Outcome } from './sample.ts';

// A key in the query, as it is recorded.
const draft = 'https://developer.example.com/api/v1/inbox/draft?api_key=svc_test_…';
const malformed = `curl -sS '${draft}' -H "X-API-Key: $SANDBOX_API_KEY" -d '{"thread_context": '`;

export const exchanges: readonly Exchange[] = [
  exchangeWith({ number: 1, purpose: 'documented', keyLabel: 'SANDBOX_API_KEY', keyValid: true }),
  exchangeWith({ number: 2 }),
  exchangeWith({
    number: 3,
    purpose: 'off-document',
    endpoint: null,
    request: {
      method: 'POST',
      url: draft,
      headers: [['Content-Type', 'application/json']],
      body: '{"thread_context": ',
    },
    response: {
      status: 500,
      headers: [['Content-Type', 'text/html']],
      text: '<h1>Internal Server Error</h1>',
      json: undefined,
    },
    curl: () => malformed,
  }),
  exchangeWith({
    number: 4,
    response: null,
    failure: { kind: 'closed', message: 'Connection was closed after 0 bytes (ECONNRESET)' },
  }),
  exchangeWith({
    number: 5,
    response: { status: 302, headers: [['Location', '/sign-in']], text: '', json: undefined },
    failure: { kind: 'encoding', message: 'Body is not valid gzip' },
  }),
  exchangeWith({
    number: 1,
    api: 'workspace',
    endpoint: 'GET /v1/agents',
    purpose: 'documented',
    keyLabel: 'WORKSPACE_API_KEY',
    keyValid: true,
  }),
];

const scheme =
  'The header X-Signature carries sha256= and the HMAC-SHA256 of the raw body in hex, keyed with the secret as UTF-8.';

export const observations = {
  'developer.limits.header-format': {
    verdict: 'observed',
    observed: { limit: { form: 'integer', example: '120' }, reset: { form: 'epoch seconds' }, retryAfter: null },
  },
  'developer.errors.shape': {
    verdict: 'observed',
    observed: { alike: false, fields: [{ status: 400, code: 'VALIDATION_FAILED', fields: ['code', 'message'] }] },
  },
  'developer.auth.other-modes': { verdict: 'observed', observed: { works: ['bearer'], refused: ['basic', 'cookie'] } },
  'workspace.webhooks.scheme': { verdict: 'observed', observed: { sentence: scheme, encoding: 'hex' } },
} satisfies Readonly<Record<string, Outcome>>;

/** A call that got this status where another was expected. */
const got = (status: number, call: string, expected = '2xx'): Outcome => {
  const [method = '', path = ''] = call.split(' ');
  const [request, response] = [
    { method, url: `https://developer.example.com${path}?x=1` },
    { status, traceId: null },
  ];
  const said = { message: `${call} gets ${status}`, expected, actual: `${status}`, curl: `curl -X ${call}` };
  return { verdict: 'fail', findings: [{ ...said, request, response }] };
};
const skipped = (message: string, needs?: { readonly setting: string; readonly value?: string }): Outcome => ({
  verdict: 'skip',
  findings: [{ message, ...(needs && { needs }) }],
});
const waiting = (blames: string): Outcome => ({
  verdict: 'inconclusive',
  findings: [{ message: 'Not tried', blames }],
});
const unsigned: Outcome = { verdict: 'fail', findings: [{ message: 'Deliveries are not signed', place: 'header X' }] };
const absent = (place: string): Outcome => {
  const request = { method: 'GET', url: 'https://developer.example.com/api/v1/ads/audits' };
  return { verdict: 'fail', findings: [{ message: `${place} is absent`, actual: 'absent', place, request }] };
};

export const defects = {
  'developer.auth.deleted-key': {
    verdict: 'fail',
    findings: [
      findingAbout(2),
      findingAbout(4, {
        message: 'Deleted key gets no answer: the connection was closed',
        // What acts on terminals or deceives readers, as it is shown; and what does not.
        actual: 'no response: \u001b[31m\u0000\u007f\u009b \u202eevil\u2066 \ufffe \ud800 a\r\nb\rc, tab\t 😀 é 中',
        place: 'transport',
        cause: 'A proxy closes the connection.',
      }),
    ],
  },
  'developer.errors.malformed-json': {
    verdict: 'warn',
    findings: [
      findingAbout(3, {
        message: 'Malformed JSON gets 500 on POST /api/v1/inbox/draft',
        expected: '400 with error code VALIDATION_FAILED',
        actual: '500, an HTML page',
        place: 'header Content-Type',
        cause: "The body parser's exception reaches the framework's own error page.",
        curl: malformed,
      }),
    ],
  },
  'developer.auth.query': { verdict: 'pass', observed: { undecided: ['POST /v1/agents got 429 for minutes'] } },
  'developer.auth.invalid-key': {
    verdict: 'pass',
    observed: { undecided: ['POST /v1/agents got 429 for minutes', 'POST /v1/agents got 429 for minutes'] },
  },
  'developer.auth.live-prefix': skipped('WRITES is sandbox', { setting: 'WRITES', value: 'all' }),
  'developer.sandbox.isolation': skipped('LIVE_API_KEY is not set', { setting: 'LIVE_API_KEY' }),
  'developer.limits.per-day': skipped('Not tried: npm run load -- per-day judges it'),
  'workspace.bookings.create': {
    verdict: 'inconclusive',
    findings: [
      {
        message: 'Booking cannot be created: 400 "lead_id is required" on a guessed body',
        advice: 'Fill in "POST /v1/bookings" in BODIES',
        request: { method: 'POST', url: 'https://workspace.example.com/v1/bookings' },
        response: { status: 400, traceId: null },
      },
    ],
  },
  'workspace.events.booking-created': {
    verdict: 'inconclusive',
    findings: [{ message: 'No booking was made that could send it', blames: 'workspace.bookings.create' }],
  },
  'developer.ads.campaigns': {
    verdict: 'inconclusive',
    findings: [{ message: 'The list is empty', cause: 'A fresh deployment', advice: 'Run it with some records' }],
  },
  'workspace.auth.missing-key': {
    verdict: 'fail',
    findings: [
      { message: 'A call without a key got 200, not 401, on 2 endpoints', calls: ['GET /v1/agents', 'POST /v1/leads'] },
    ],
  },
  'workspace.agents.list': {
    verdict: 'fail',
    findings: [findingAbout(1, { message: 'Created agent is not on the list of GET /v1/agents' })],
  },
  'developer.ads.keywords': got(404, 'GET /api/v1/ads/keywords'),
  'developer.ads.health-score': got(404, 'GET /api/v1/ads/health-score', '400'),
  'developer.keys.rotate': got(404, 'POST /api/v1/developer/keys/abc-1/rotate'),
  'developer.auth.rotated-key': waiting('developer.keys.rotate'),
  'developer.scopes.ads': got(200, 'GET /api/v1/ads/campaigns', '403'),
  'developer.scopes.inbox': got(200, 'GET /api/v1/inbox/skills', '403'),
  'developer.scopes.investor': got(200, 'GET /api/v1/investor/pipeline', '403'),
  'developer.scopes.content': got(200, 'GET /api/v1/platform/me', '401'),
  'developer.content.generate': got(500, 'POST /api/v1/content/generate'),
  'developer.content.review': got(500, 'POST /api/v1/content/review', '400'),
  'developer.inbox.skills': got(500, 'GET /api/v1/inbox/skills'),
  // Two with one status are two causes.
  'workspace.leads.create': got(409, 'POST /v1/leads'),
  'workspace.bookings.cancel': got(409, 'DELETE /v1/bookings/bk_1'),
  'workspace.webhooks.signature': unsigned,
  'workspace.webhooks.signature-secret': unsigned,
  // What passes is no reason for what others lack.
  'workspace.bookings.list': waiting('workspace.leads.list'),
  'developer.envelope.data': absent('/data'),
  'developer.envelope.context': absent('/context'),
  'developer.envelope.trace-id': absent('/meta/trace_id'),
  'workspace.leads.update': { verdict: 'fail', findings: [{ message: 'Change of a lead is not stored' }] },
  'developer.ads.audits-list': {
    verdict: 'broken',
    findings: [{ message: 'Check broke: TypeError: x is not a function' }],
  },
} satisfies Readonly<Record<string, Outcome>>;

import type { Exchange } from '../../../results/exchange.ts';
import type { Run } from '../../../results/verdict.ts';
import { exchangeWith, findingAbout, type Ingredients, type Outcome, resultsOf, runOf, skipping } from './sample.ts';

const exchanges: readonly Exchange[] = [
  exchangeWith({ number: 1, purpose: 'documented', keyLabel: 'SANDBOX_API_KEY', keyValid: true }),
  exchangeWith({ number: 2 }),
  exchangeWith({
    number: 3,
    purpose: 'off-document',
    endpoint: null,
    request: {
      method: 'POST',
      url: 'https://developer.example.com/api/v1/inbox/draft',
      headers: [['Content-Type', 'application/json']],
      body: '{"thread_context": ',
    },
    response: {
      status: 500,
      headers: [['Content-Type', 'text/html']],
      text: '<h1>Internal Server Error</h1>',
      json: undefined,
    },
    curl: () =>
      "curl -sS 'https://developer.example.com/api/v1/inbox/draft' -H \"X-API-Key: $SANDBOX_API_KEY\" -H 'Content-Type: application/json' -d '{\"thread_context\": '",
  }),
  exchangeWith({
    number: 4,
    response: null,
    failure: { kind: 'closed', message: 'Connection was closed after 0 bytes (ECONNRESET)' },
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

const observations: Readonly<Record<string, Outcome>> = {
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
};

const defects = {
  'developer.auth.deleted-key': {
    verdict: 'fail',
    findings: [
      findingAbout(2),
      findingAbout(4, {
        message: 'Deleted key gets no answer: the connection was closed',
        actual: 'no response',
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
        curl: exchanges[2]?.curl?.() ?? '',
      }),
    ],
  },
  'developer.auth.query': { verdict: 'pass', observed: { undecided: ['POST /v1/agents got 429 for minutes'] } },
  'developer.auth.invalid-key': {
    verdict: 'pass',
    observed: { undecided: ['POST /v1/agents got 429 for minutes', 'POST /v1/agents got 429 for minutes'] },
  },
  'developer.auth.live-prefix': {
    verdict: 'skip',
    findings: [{ message: 'WRITES is sandbox', needs: { setting: 'WRITES', value: 'all' } }],
  },
  'developer.sandbox.isolation': {
    verdict: 'skip',
    findings: [{ message: 'LIVE_API_KEY is not set', needs: { setting: 'LIVE_API_KEY' } }],
  },
  'developer.limits.per-day': {
    verdict: 'skip',
    findings: [{ message: 'Not tried: npm run load -- per-day judges it' }],
  },
  'workspace.bookings.create': {
    verdict: 'inconclusive',
    findings: [
      {
        message:
          'Booking cannot be created: 400 "lead_id is required" on a guessed body; fill in "POST /v1/bookings" in BODIES',
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
} satisfies Readonly<Record<string, Outcome>>;

const drift = [
  { clause: 'developer.limits.header-format', place: '/reset/form', before: 'seconds from now', now: 'epoch seconds' },
  { clause: 'developer.auth.other-modes', place: '/works', before: ['bearer', 'cookie'], now: ['bearer'] },
  {
    clause: 'developer.errors.shape',
    place: '/fields/0/fields',
    before: ['code', 'message'],
    now: ['code', 'message', 'details'],
  },
];

const notes = ['Left behind: lead ld_4711 (leads cannot be deleted through the API)'];

const waived = {
  clause: 'developer.auth.deleted-key',
  reason: 'fix is planned for the November release',
  expires: '2026-12-31',
};

/** A run with one of the defects. */
const only = (id: keyof typeof defects) => resultsOf({ [id]: defects[id] });

const sample = (ingredients: Ingredients): Run => runOf({ ...ingredients, exchanges });

const deliveries = [
  {
    method: 'POST',
    url: 'http://127.0.0.1:4000/hook/1',
    headers: [
      ['content-type', 'application/json'],
      ['x-signature', 'sha256=00ff'],
    ],
    body: '{"event":"booking.created"}',
    encoding: 'utf8',
    answered: 200,
    receivedAt: 1_793_874_060_000,
  },
] as const;

/** One run for each way to end, all with the same few exchanges. */
export const samples = {
  green: sample({ results: resultsOf(observations) }),
  failing: sample({ results: resultsOf({ ...observations, ...defects }), drift, notes, deliveries }),
  warned: sample({ results: only('developer.errors.malformed-json') }),
  strict: sample({ results: only('developer.errors.malformed-json'), strict: true }),
  waived: sample({ results: only('developer.auth.deleted-key'), waivers: [waived] }),
  staleWaiver: sample({ results: resultsOf({}), waivers: [waived] }),
  oneApi: sample({
    results: resultsOf(skipping('workspace', 'WORKSPACE_API_URL is not set', { outside: 'target' })),
    targeted: ['developer'],
  }),
  nothingJudged: sample({ results: resultsOf(skipping('workspace', 'Not tried: set WORKSPACE_API_KEY')) }),
  reference: sample({ results: resultsOf(observations), embedded: true }),
  partial: sample({
    results: resultsOf(skipping('workspace', 'Not chosen', { outside: 'selection' })),
    selection: '-t developer',
  }),
  noDrift: sample({ results: resultsOf(observations), drift: [] }),
  interrupted: sample({
    results: resultsOf(skipping('workspace', 'Not tried: the run was stopped by SIGINT')),
    trouble: 'the run was stopped by SIGINT; run it again to judge the rest',
  }),
  strictlyOpen: sample({ results: only('workspace.bookings.create'), strict: true }),
  broken: sample({
    results: resultsOf({
      'developer.ads.campaigns': {
        verdict: 'broken',
        findings: [{ message: 'Check broke: TypeError: x is not a function' }],
      },
    }),
  }),
} satisfies Readonly<Record<string, Run>>;

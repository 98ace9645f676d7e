import type { Clause } from './clause.ts';
import { developerQuotes } from './developer-quotes.ts';

type Row = readonly [id: string, level: Clause['level'], title: string];

const chapter = (name: string, section: string, everyResponse: boolean, rows: readonly Row[]): Clause[] =>
  rows.map(([id, level, title]) => ({
    id: `developer.${name}.${id}`,
    level,
    title,
    source: `developer API, ${section}`,
    quote: developerQuotes.get(`${name}.${id}`) ?? '',
    everyResponse,
  }));

/** Every requirement of the developer API document, in the order of the clause list. */
export const developerClauses: readonly Clause[] = [
  ...chapter('envelope', 'Response envelope', true, [
    ['json', 'must', 'The body is a single JSON object and its content type says JSON'],
    ['success', 'must', 'The field success holds a boolean'],
    ['success-matches-status', 'must', 'success is true exactly where the status is 2xx, false on 4xx and 5xx'],
    ['data', 'must', 'A success carries an object in data'],
    ['data-on-error', 'must', 'A failure leaves data absent, null or empty'],
    ['context', 'must', 'context is present, as an object or as null'],
    ['error-on-success', 'must', 'A success carries error as null'],
    ['error-on-failure', 'must', 'A failure carries an object in error'],
    ['trace-id', 'must', 'meta.trace_id holds a version 4 UUID'],
    ['trace-id-unique', 'should', 'Each response has a trace id of its own'],
    ['timestamp', 'must', 'meta.timestamp is a real UTC instant in ISO 8601 with milliseconds'],
    ['timestamp-clock', 'should', 'meta.timestamp lies within five minutes of the present'],
  ]),
  ...chapter('errors', 'Errors', true, [
    ['code', 'must', 'A documented failure status comes with its documented code in the error object'],
    ['status-known', 'should', 'Failures use the six documented statuses only'],
    ['no-server-error', 'must', 'Documented, well-formed requests never get a 5xx'],
    ['shape', 'gap', 'Which fields the error object has, and whether every error has them alike'],
  ]),
  ...chapter('errors', 'Errors', false, [
    ['malformed-json', 'should', 'A body that does not parse as JSON gets 400 VALIDATION_FAILED'],
    [
      'not-an-object',
      'should',
      'A body that is JSON but not an object gets 400 VALIDATION_FAILED where fields are required',
    ],
    ['not-found', 'must', 'Delete, rotate and usage of an unknown key id get 404 NOT_FOUND'],
    ['unknown-path', 'should', 'A path under /api/v1 that does not exist gets 404 NOT_FOUND in the envelope'],
  ]),
  ...chapter('auth', 'Authentication', false, [
    ['header', 'must', 'A key sent in X-API-Key is accepted'],
    ['query', 'must', 'A key sent as the query parameter api_key is accepted'],
    ['missing-key', 'must', 'Every documented endpoint answers a call without a key with 401'],
    [
      'invalid-key',
      'must',
      'Every documented endpoint answers a key that was never issued with 401, however it is sent',
    ],
    ['deleted-key', 'must', 'A key that was deleted gets 401'],
    ['sandbox-prefix', 'must', 'New sandbox keys begin with svc_test_'],
    ['live-prefix', 'must', 'New live keys begin with svc_live_'],
    ['no-effect', 'should', 'A write that got 401 changed nothing'],
    ['precedence', 'gap', 'Whether header or query wins where the two carry different keys'],
    ['rotated-key', 'gap', "Whether a rotated key's old secret still works"],
    ['other-modes', 'gap', 'Which undocumented ways of sending a key work: bearer, basic, cookie'],
  ]),
  ...chapter('scopes', 'Authentication 4', false, [
    ['accepted', 'must', 'Key creation takes each of the twelve scope names'],
    ['ads', 'must', 'Every ads endpoint refuses a key without ads scopes with 403, and accepts one with both'],
    [
      'investor',
      'must',
      'Every investor endpoint refuses a key without investor scopes with 403, and accepts one with both',
    ],
    [
      'scheduling',
      'must',
      'Every developer/export endpoint refuses a key without scheduling scopes with 403, and accepts one with both',
    ],
    ['inbox', 'must', 'Every inbox endpoint refuses a key without inbox scopes with 403, and accepts one with both'],
    [
      'routing',
      'must',
      'Every platform endpoint refuses a key without routing scopes with 403, and accepts one with both',
    ],
    [
      'content',
      'must',
      'Every content endpoint refuses a key without content scopes with 403, and accepts one with both',
    ],
    ['no-effect', 'should', 'A write that got 403 left nothing behind'],
    ['read-write', 'gap', 'Which of the two scopes, read or write, opens each endpoint'],
  ]),
  ...chapter('ads', 'Ad intelligence', false, [
    ['campaigns', 'must', 'The campaigns call returns data.campaigns, a list of Campaign records'],
    ['campaigns-status', 'must', 'The campaigns call filters by status ENABLED, PAUSED and REMOVED'],
    [
      'health-score',
      'must',
      'The health score has a number, a letter grade, and categories with structure and bidding',
    ],
    ['keywords', 'must', 'The keywords call succeeds, bare and with campaign_id, min_spend and limit'],
    ['keywords-limit', 'must', 'limit is the page size of the keywords call: with 1, one keyword at most'],
    ['keywords-filters', 'should', 'campaign_id and min_spend narrow the keywords'],
    ['audits-create', 'must', 'An audit can be created'],
    ['audits-list', 'must', 'The audits can be listed'],
  ]),
  ...chapter('investor', 'Investor relations', false, [
    ['pipeline', 'must', 'The pipeline call returns data.deals, a list of Deal records'],
    ['readiness', 'must', 'The readiness call succeeds'],
    ['data-room', 'must', 'The data-room call succeeds'],
    ['updates-list', 'must', 'The updates can be listed'],
    ['updates-create', 'must', 'An update can be created'],
  ]),
  ...chapter('scheduling', 'Booking and leads', false, [
    ['bookings', 'must', 'The bookings export succeeds'],
    ['bookings-status', 'must', 'The bookings export filters by status confirmed, pending and cancelled'],
    ['bookings-window', 'must', 'The bookings export is bounded by from and to: a window before all bookings is empty'],
    ['leads', 'must', 'The leads export succeeds'],
    ['leads-status', 'must', 'The leads export filters by status new, qualified, booked and converted'],
    ['leads-source', 'must', 'The leads export filters by source organic, paid and referral'],
  ]),
  ...chapter('inbox', 'AI email', false, [
    ['draft', 'must', 'A draft is made from thread_context alone, and with skill and tone'],
    ['draft-validation', 'must', 'A draft without thread_context gets 400 VALIDATION_FAILED'],
    ['categorize', 'must', 'The categorize call succeeds'],
    ['skills', 'must', 'The skills can be listed'],
    ['skills-learn', 'must', 'The skills/learn call succeeds'],
  ]),
  ...chapter('routing', 'Voice and SMS', false, [
    ['me', 'must', 'The profile call succeeds'],
    ['me-subscriptions', 'must', 'The subscriptions call succeeds'],
  ]),
  ...chapter('content', 'Content', false, [
    ['generate', 'must', 'Content is generated from topic, product and tone, and with word_count added'],
    ['generate-validation', 'must', 'Without topic, product or tone, generation gets 400 VALIDATION_FAILED'],
    ['posts', 'must', 'The posts can be listed'],
    ['posts-status', 'must', 'The posts call filters by status draft, review and published'],
    ['review', 'must', 'The review call succeeds'],
  ]),
  ...chapter('filters', 'States and transitions', false, [
    ['combined', 'must', 'Two filters of an export at once return the rows that each returns alone'],
    ['unknown-value', 'gap', 'What a filter value outside the vocabulary gets: an error, no rows, or all rows'],
  ]),
  ...chapter('sandbox', 'Sandbox', false, [
    ['seed', 'must', 'Seeding answers with seeded, products and resources_created in their documented types'],
    ['products', 'must', 'The seed result names six different products, one a module'],
    ['state', 'must', 'The seed state can be read'],
    ['data', 'must', 'A seeded sandbox has campaigns, deals and bookings'],
    ['isolation', 'must', "Sandbox and live keys see none of each other's records"],
    ['parity', 'should', 'Sandbox and live answer each documented GET alike: status and field names'],
    ['reseed', 'gap', 'What seeding an already seeded sandbox does'],
  ]),
  ...chapter('keys', 'API key management', false, [
    ['create', 'must', 'A key made from name, environment and scopes works'],
    [
      'create-validation',
      'must',
      'Key creation refuses missing and ill-formed name, environment and scopes with 400 VALIDATION_FAILED',
    ],
    ['list', 'must', 'The key list shows a key that was created'],
    ['delete', 'must', 'A key can be deleted, and is then no longer listed'],
    ['rotate', 'must', 'Rotation returns a new secret that works'],
    ['rotate-keeps', 'must', 'A rotated key keeps its environment, by its prefix, and its scopes'],
    ['usage', 'must', 'The usage of a key can be read, bare and for 1, 7 and 90 days'],
    ['usage-days', 'gap', 'What days=91 and days that are no integer get'],
    ['secret-not-listed', 'should', 'The key list shows no whole secret'],
  ]),
  ...chapter('limits', 'Limits 1', true, [
    ['headers', 'must', 'X-RateLimit-Limit, -Remaining and -Reset come with each response'],
  ]),
  ...chapter('limits', 'Limits', false, [
    ['exceeded', 'must', 'A call over the limit gets 429 RATE_LIMITED in the envelope'],
    [
      'per-minute',
      'must',
      'A sandbox key gets exactly 120 requests a minute, a live key 60, an enterprise key as agreed',
    ],
    [
      'per-day',
      'must',
      'A sandbox key gets exactly 50,000 requests a day, a live key 10,000, an enterprise key no daily limit',
    ],
    ['recovery', 'must', 'Calls succeed again once the minute is over'],
    ['remaining', 'should', 'Remaining counts down and reads 0 when the first 429 comes'],
    ['limit-value', 'should', "X-RateLimit-Limit shows the number of requests of the key's type"],
    ['header-format', 'gap', 'In which units and formats the three headers are written'],
    ['window', 'gap', 'Which algorithm the limiter appears to use'],
    ['counted', 'gap', 'Whether calls that are refused use up the limit'],
    ['key-or-account', 'gap', 'Whether two keys of an account share one limit'],
  ]),
];

import { type Clause, chapterMaker } from './clause.ts';
import { developerModuleClauses } from './developer-module-clauses.ts';

const chapter = chapterMaker('developer');

const failure = 'On a failed call the envelope carries success false and a non-null error; data is not populated.';
const invalidBody = '400 · VALIDATION_FAILED · request body failed validation';
const noKey = 'A missing or invalid key is refused with 401 UNAUTHORIZED.';
const openModes = 'The other two modes, and the precedence between header and query: not shown.';
const rotation = 'POST · /api/v1/developer/keys/:id/rotate · none · rotated key';
const noScope = 'A valid key without the needed scope is refused with 403 FORBIDDEN.';
const keyList = 'GET · /api/v1/developer/keys · none · list of keys';
const limitHeaders =
  'Every response carries the headers X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.';
const perType = 'Live key · 60 · 10,000 … Sandbox key · 120 · 50,000 … Enterprise (custom) · 1,000 or more · unlimited';
const openLimits =
  'Units and formats of the rate limit header values, and whether the counts apply per key or per account: not shown.';

/** Every requirement of the developer API document, in the order of the clause list. */
export const developerClauses: readonly Clause[] = [
  ...chapter('envelope', 'Response envelope', true, [
    'Every response uses this envelope.',
    ['json', 'must', 'The body is a single JSON object and its content type says JSON'],
    'success · boolean · true on success',
    ['success', 'must', 'The field success holds a boolean'],
    ['success-matches-status', 'must', 'success is true on every 2xx status, false on 4xx and 5xx'],
    'data · object · payload of the operation',
    ['data', 'must', 'A success carries an object in data'],
    failure,
    ['data-on-error', 'must', 'A failure leaves data absent, null or empty'],
    'context · object or null · optional cross-sell insight; null when absent',
    ['context', 'must', 'context is present, as an object or as null'],
    'error · object or null · null on success',
    ['error-on-success', 'must', 'A success carries error as null'],
    failure,
    ['error-on-failure', 'must', 'A failure carries an object in error'],
    'meta.trace_id · string · UUID v4',
    ['trace-id', 'must', 'meta.trace_id holds a version 4 UUID'],
    ['trace-id-unique', 'should', 'Each response has a trace id of its own'],
    'meta.timestamp · string · ISO 8601 UTC timestamp with milliseconds',
    ['timestamp', 'must', 'meta.timestamp is a real UTC instant in ISO 8601 with milliseconds'],
    ['timestamp-clock', 'should', 'meta.timestamp lies within five minutes of the present'],
  ]),
  ...chapter('errors', 'Errors', true, [
    '400 · VALIDATION_FAILED … 401 · UNAUTHORIZED … 403 · FORBIDDEN … 404 · NOT_FOUND … 429 · RATE_LIMITED … 500 · INTERNAL',
    ['code', 'must', 'A documented failure status comes with its documented code in the error object'],
    ['status-known', 'should', 'Failures use the six documented statuses only'],
    '500 · INTERNAL · server error; the client is told to report the meta.trace_id to support',
    ['no-server-error', 'must', 'Documented, well-formed requests never get a 5xx'],
    'The internal shape of the error object (field names): not shown.',
    ['shape', 'gap', 'Which fields the error object has, and whether every error has them alike'],
  ]),
  ...chapter('errors', 'Errors', false, [
    invalidBody,
    ['malformed-json', 'should', 'A body that does not parse as JSON gets 400 VALIDATION_FAILED'],
    [
      'not-an-object',
      'should',
      'A body that is JSON but not an object gets 400 VALIDATION_FAILED where fields are required',
    ],
    '404 · NOT_FOUND · resource not found',
    ['not-found', 'must', 'Delete, rotate and usage of an unknown key id get 404 NOT_FOUND'],
    ['unknown-path', 'should', 'A path under /api/v1 that does not exist gets 404 NOT_FOUND in the envelope'],
  ]),
  ...chapter('auth', 'Authentication', false, [
    'Header mode: send X-API-Key: <API_KEY>. This is the recommended mode.',
    ['header', 'must', 'A key sent in X-API-Key is accepted'],
    'Query mode: send the query parameter api_key=<API_KEY>.',
    ['query', 'must', 'A key sent as the query parameter api_key is accepted'],
    noKey,
    ['missing-key', 'must', 'Every documented endpoint answers a call without a key with 401'],
    [
      'invalid-key',
      'must',
      'Every documented endpoint answers a key that was never issued with 401, however it is sent',
    ],
    ['deleted-key', 'must', 'A key that was deleted gets 401'],
    'a key that starts with svc_test_ is a sandbox key',
    ['sandbox-prefix', 'must', 'New sandbox keys begin with svc_test_'],
    'A key that starts with svc_live_ works on real data.',
    ['live-prefix', 'must', 'New live keys begin with svc_live_'],
    noKey,
    ['no-effect', 'should', 'A write that got 401 changed nothing'],
    openModes,
    ['precedence', 'gap', 'Whether header or query wins where the two carry different keys'],
    rotation,
    ['rotated-key', 'gap', "Whether a rotated key's old secret still works"],
    openModes,
    ['other-modes', 'gap', 'Which undocumented ways of sending a key work: bearer, basic, cookie'],
  ]),
  ...chapter('scopes', 'Authentication 4', false, [
    'A key scope has the form <prefix>:read or <prefix>:write, where <prefix> is a prefix from the table.',
    ['accepted', 'must', 'Key creation takes each of the twelve scope names'],
    noScope,
    ['ads', 'must', 'Every ads endpoint refuses a key without ads scopes with 403, and accepts one with both'],
    [
      'investor',
      'must',
      'Every investor endpoint refuses a key without investor scopes with 403, and accepts one with both',
    ],
    `${noScope} … The scheduling module's endpoints live under /api/v1/developer/export/.`,
    [
      'scheduling',
      'must',
      'Every developer/export endpoint refuses a key without scheduling scopes with 403, and accepts one with both',
    ],
    noScope,
    ['inbox', 'must', 'Every inbox endpoint refuses a key without inbox scopes with 403, and accepts one with both'],
    `${noScope} … The routing module's endpoints live under /api/v1/platform/.`,
    [
      'routing',
      'must',
      'Every platform endpoint refuses a key without routing scopes with 403, and accepts one with both',
    ],
    noScope,
    [
      'content',
      'must',
      'Every content endpoint refuses a key without content scopes with 403, and accepts one with both',
    ],
    ['no-effect', 'should', 'A write that got 403 left nothing behind'],
    'Which endpoint needs the read scope and which the write scope: not shown.',
    ['read-write', 'gap', 'Which of the two scopes, read or write, opens each endpoint'],
  ]),
  ...developerModuleClauses,
  ...chapter('filters', 'States and transitions', false, [
    'They are filter values on list endpoints.',
    ['combined', 'must', 'Two filters of an export together return the rows that match both'],
    ['unknown-value', 'gap', 'What a filter value outside the vocabulary gets: an error, no rows, or all rows'],
  ]),
  ...chapter('sandbox', 'Sandbox', false, [
    'seeded · boolean … products · array of strings · one identifier per module, six entries … resources_created · integer · number of records created',
    ['seed', 'must', 'Seeding answers with seeded, products and resources_created in their documented types'],
    'products · array of strings · one identifier per module, six entries',
    ['products', 'must', 'The seed result names six different products, one a module'],
    'GET · /api/v1/developer/sandbox/seed · seed state',
    ['state', 'must', 'The seed state can be read'],
    'The data set covers campaigns, pipeline deals, bookings and email drafts, among other things.',
    ['data', 'must', 'A seeded sandbox has campaigns, deals and bookings'],
    'It returns pre-seeded dummy data in an isolated sandbox.',
    ['isolation', 'must', "Sandbox and live keys see none of each other's records"],
    'Behaviour is identical between the two.',
    ['parity', 'should', 'Sandbox and live answer each documented GET alike: status and field names'],
    'POST · /api/v1/developer/sandbox/seed · Sandbox seed result',
    ['reseed', 'gap', 'What seeding an already seeded sandbox does'],
  ]),
  ...chapter('keys', 'API key management', false, [
    'POST · /api/v1/developer/keys · API key request · created key … a key carries the scopes chosen at creation',
    ['create', 'must', 'A key made from name, environment and scopes works'],
    invalidBody,
    [
      'create-validation',
      'must',
      'Key creation refuses missing and ill-formed name, environment and scopes with 400 VALIDATION_FAILED',
    ],
    keyList,
    ['list', 'must', 'The key list shows a key that was created'],
    'DELETE · /api/v1/developer/keys/:id · none · deletion result',
    ['delete', 'must', 'A key can be deleted, and is then no longer listed'],
    rotation,
    ['rotate', 'must', 'Rotation returns a new secret that works'],
    ['rotate-keeps', 'must', 'A rotated key keeps its environment, by its prefix, and its scopes'],
    'GET · /api/v1/developer/keys/:id/usage · query days: integer, maximum 90, listed with the value 7 · usage of the key',
    ['usage', 'must', 'The usage of a key can be read, bare and for 1, 7 and 90 days'],
    ['usage-days', 'gap', 'How days=91 and non-integer days are answered'],
    keyList,
    ['secret-not-listed', 'should', 'The key list shows no whole secret'],
  ]),
  ...chapter('limits', 'Limits 1', true, [
    limitHeaders,
    ['headers', 'must', 'X-RateLimit-Limit, -Remaining and -Reset come with each response'],
  ]),
  ...chapter('limits', 'Limits', false, [
    'When a limit is exceeded the call returns 429 with code RATE_LIMITED.',
    ['exceeded', 'must', 'A call over the limit gets 429 RATE_LIMITED in the envelope'],
    perType,
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
    limitHeaders,
    ['remaining', 'should', 'Remaining counts down and reads 0 when the first 429 comes'],
    perType,
    ['limit-value', 'should', "X-RateLimit-Limit shows the number of requests of the key's type"],
    openLimits,
    ['header-format', 'gap', 'In which units and formats the three headers are written'],
    perType,
    ['window', 'gap', 'Which algorithm the limiter appears to use'],
    ['counted', 'gap', 'Whether calls that are refused use up the limit'],
    openLimits,
    ['key-or-account', 'gap', 'Whether two keys of an account share one limit'],
  ]),
];

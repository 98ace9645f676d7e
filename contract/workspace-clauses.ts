import { type Clause, chapterMaker } from './clause.ts';

const chapter = chapterMaker('workspace');

const errorCode = 'error.code · string (a machine-readable code; invalid_api_key is a known value)';
const bearer = 'Every call carries the header Authorization: Bearer <API_KEY>';
const noKey =
  'A missing or invalid key, or a revoked key, gives 401 with the error body described below. A key without sufficient permission gives 403.';
const openBodies =
  'Request and response body shapes, names of lead filters, and any pagination of list calls: not shown.';
const openDeliveries =
  'Payload shape, the header that carries the signature, the signed content, delivery retries and event selection per webhook: not shown.';
const limitHeaders = 'Every response carries X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.';
const perPlan = 'Starter · 60 · 10,000 … Professional · 300 · 100,000 … Enterprise · 1,000 · unlimited';

/** Every requirement of the workspace API document, in the order of the clause list. */
export const workspaceClauses: readonly Clause[] = [
  ...chapter('responses', 'Endpoints', true, [
    'All calls need a bearer key and use JSON.',
    ['json', 'must', 'The body is JSON and its content type says so'],
    'Success statuses used are 200 (success) and 201 (created).',
    ['success-status', 'must', 'A success has status 200 or 201'],
    ['created-status', 'should', 'A call that creates is answered with 201'],
    '200 · success … 201 · created … 400 · bad request; parameters are wrong … 401 · unauthorized; invalid or missing API key … 403 · forbidden; insufficient permissions … 404 · not found … 429 · rate limited … 500 · internal server error',
    ['status-known', 'should', 'The eight documented statuses are the only ones in use'],
  ]),
  ...chapter('errors', 'Errors', true, [
    'An error response has a JSON body with one object named error:',
    ['body', 'must', 'A failure carries an object in error'],
    errorCode,
    ['code', 'must', 'error.code is a string that is not empty'],
    'error.message · string',
    ['message', 'must', 'error.message is a string'],
    'error.status · integer, equal to the HTTP status',
    ['status', 'must', 'error.status repeats the HTTP status as an integer'],
    errorCode,
    ['invalid-api-key', 'should', 'The 401 for an unknown key has the code invalid_api_key'],
    'The complete list of error code values: not shown.',
    ['codes', 'gap', 'Which codes come with which status'],
    '500 · internal server error',
    ['no-server-error', 'must', 'Documented, well-formed requests never get a 5xx'],
  ]),
  ...chapter('errors', 'Errors', false, [
    '400 · bad request; parameters are wrong',
    ['bad-request', 'should', 'A body that does not parse as JSON gets 400'],
    ['not-an-object', 'should', 'A body that is JSON but null gets 400'],
    '404 · not found',
    ['not-found', 'must', 'Calls that name an unknown agent, lead, booking or webhook get 404'],
    ['unknown-path', 'should', 'A path under /v1 that does not exist gets 404 with the error body'],
  ]),
  ...chapter('auth', 'Authentication', false, [
    bearer,
    ['bearer', 'must', 'A workspace key sent as a bearer token is accepted'],
    noKey,
    ['missing-key', 'must', 'Every documented endpoint answers a call without a key with 401'],
    ['invalid-key', 'must', 'Every documented endpoint answers an unknown key with 401'],
    ['revoked-key', 'must', 'A revoked key gets 401'],
    ['forbidden', 'must', 'A key without permission for a call gets 403'],
    bearer,
    ['scheme', 'should', 'A key sent in another way than as a bearer token gets 401'],
    'A key is scoped to the workspace and has the same permissions as the user who created it.',
    ['scoped', 'must', 'A key of another workspace finds nothing of this one'],
    ['shared', 'should', 'A second key of the workspace finds the records that the first one created'],
    noKey,
    ['no-effect', 'should', 'A write that got 401 or 403 changed nothing'],
  ]),
  ...chapter('agents', 'Endpoints, agents', false, [
    'GET · /v1/agents · list all agents in the workspace',
    ['list', 'must', 'Agents are listed with 200, a created one among them'],
    'POST · /v1/agents · create an agent',
    ['create', 'must', 'Creating an agent gets 200 or 201 and an agent that has an id'],
    'GET · /v1/agents/:id · get agent details',
    ['get', 'must', 'An agent can be read by its id with 200'],
    'PATCH · /v1/agents/:id · update agent configuration',
    ['update', 'must', 'Updating an agent gets 200 and shows in later reads'],
    ['update-keeps', 'should', 'Updating an agent leaves the fields alone that the call does not name'],
    'DELETE · /v1/agents/:id · delete an agent',
    ['delete', 'must', 'An agent can be deleted, and is gone from then on'],
  ]),
  ...chapter('leads', 'Endpoints, leads', false, [
    'GET · /v1/leads · list leads, with optional filters',
    ['list', 'must', 'Leads are listed with 200, a created one among them'],
    'POST · /v1/leads · create a lead',
    ['create', 'must', 'Creating a lead gets 200 or 201 and a lead that has an id'],
    'GET · /v1/leads/:id · get lead details and history',
    ['get', 'must', 'A lead can be read by its id with 200'],
    ['history', 'should', 'Reading a lead shows its history'],
    'PATCH · /v1/leads/:id · update lead information',
    ['update', 'must', 'Updating a lead gets 200 and shows in later reads'],
    ['update-keeps', 'should', 'Updating a lead leaves the fields alone that the call does not name'],
    openBodies,
    ['filters', 'gap', 'By which filter names the lead list can be narrowed'],
  ]),
  ...chapter('bookings', 'Endpoints, bookings', false, [
    'GET · /v1/bookings · list all bookings',
    ['list', 'must', 'Bookings are listed with 200, a created one among them'],
    'POST · /v1/bookings · create a booking',
    ['create', 'must', 'Creating a booking gets 200 or 201 and a booking that has an id'],
    'DELETE · /v1/bookings/:id · cancel a booking',
    ['cancel', 'must', 'A booking can be cancelled'],
  ]),
  ...chapter('lists', 'Endpoints', false, [openBodies, ['pagination', 'gap', 'How lists are paginated']]),
  ...chapter('requests', 'Authentication 1', false, [
    'Every call carries the header Authorization: Bearer <API_KEY> and the header Content-Type: application/json.',
    ['content-type', 'gap', 'What a call without Content-Type: application/json gets'],
  ]),
  ...chapter('webhooks', 'Events 1', false, [
    'POST · /v1/webhooks · register a webhook endpoint',
    ['register', 'must', 'Registering a webhook gets 200 or 201 and a webhook that has an id'],
    'GET · /v1/webhooks · list registered webhooks',
    ['list', 'must', 'Webhooks are listed with 200, a registered one among them'],
    'DELETE · /v1/webhooks/:id · remove a webhook',
    ['remove', 'must', 'A webhook can be removed, and is then no longer listed'],
    ['silent-after-remove', 'should', 'Nothing more is delivered to a removed webhook'],
  ]),
  ...chapter('webhooks', 'Events 2', false, [
    'Each webhook payload is signed with HMAC-SHA256 using the webhook secret.',
    ['signature', 'must', "Deliveries carry an HMAC-SHA256 over the payload, keyed with the webhook's secret"],
    ['signature-secret', 'must', 'Two webhooks with different secrets each get an event signed with their own'],
  ]),
  ...chapter('webhooks', 'Events 3', false, [
    openDeliveries,
    ['scheme', 'gap', 'Header, signed content, encoding and key form of the signature'],
    ['delivery', 'gap', 'Method, content type, redelivery, order and selection of events'],
  ]),
  ...chapter('events', 'Events', false, [
    'a new booking exists; the event booking.created announces a newly scheduled booking',
    ['booking-created', 'must', 'A new booking is announced by booking.created'],
    'the event booking.cancelled announces a cancelled booking',
    ['booking-cancelled', 'must', 'A cancelled booking is announced by booking.cancelled'],
    'booking.created · a new booking has been scheduled … booking.cancelled · a booking has been cancelled … lead.qualified · a lead has been qualified by an AI agent … lead.routed · a lead has been routed to a representative … agent.escalation · an agent has escalated a conversation … payment.received · a payment has been processed',
    ['vocabulary', 'must', 'Each delivery names one of the six documented events'],
    openDeliveries,
    ['payload', 'gap', 'Which shape the payload of each event has'],
  ]),
  ...chapter('limits', 'Limits 1', true, [
    limitHeaders,
    ['headers', 'must', 'X-RateLimit-Limit, -Remaining and -Reset come with each response'],
  ]),
  ...chapter('limits', 'Limits', false, [
    'When a limit is exceeded the call returns 429 (Too Many Requests).',
    ['exceeded', 'must', 'A call over the limit gets 429 with the error body'],
    perPlan,
    [
      'per-minute',
      'must',
      "The workspace gets exactly its plan's requests a minute: starter 60, professional 300, enterprise 1,000",
    ],
    [
      'per-day',
      'must',
      "The workspace gets exactly its plan's requests a day: starter 10,000, professional 100,000, enterprise unlimited",
    ],
    'Requests are rate-limited per workspace.',
    ['per-workspace', 'must', 'Two keys of one workspace share one limit'],
    perPlan,
    ['recovery', 'must', 'Calls succeed again once the minute is over'],
    limitHeaders,
    ['remaining', 'should', 'Remaining counts down and reads 0 when the first 429 comes'],
    perPlan,
    ['limit-value', 'should', "X-RateLimit-Limit shows the number of requests of the workspace's plan"],
    'Formats and units of the header values: not shown.',
    ['header-format', 'gap', 'In which units and formats the three headers are written'],
    perPlan,
    ['window', 'gap', 'Which algorithm the limiter appears to use'],
  ]),
];

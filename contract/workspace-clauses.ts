import { type Clause, chapterMaker } from './clause.ts';
import { workspaceQuotes } from './workspace-quotes.ts';

const chapter = chapterMaker('workspace', workspaceQuotes);

/** Every requirement of the workspace API document, in the order of the clause list. */
export const workspaceClauses: readonly Clause[] = [
  ...chapter('responses', 'Endpoints', true, [
    ['json', 'must', 'The body is JSON and its content type says so'],
    ['success-status', 'must', 'A success has status 200 or 201'],
    ['created-status', 'should', 'A call that creates is answered with 201'],
    ['status-known', 'should', 'The eight documented statuses are the only ones in use'],
  ]),
  ...chapter('errors', 'Errors', true, [
    ['body', 'must', 'A failure carries an object in error'],
    ['code', 'must', 'error.code is a string that is not empty'],
    ['message', 'must', 'error.message is a string'],
    ['status', 'must', 'error.status repeats the HTTP status as an integer'],
    ['invalid-api-key', 'should', 'The 401 for an unknown key has the code invalid_api_key'],
    ['codes', 'gap', 'Which codes come with which status'],
    ['no-server-error', 'must', 'Documented, well-formed requests never get a 5xx'],
  ]),
  ...chapter('errors', 'Errors', false, [
    ['bad-request', 'should', 'A body that does not parse as JSON gets 400'],
    ['not-an-object', 'should', 'A body that is JSON but null gets 400'],
    ['not-found', 'must', 'Calls that name an unknown agent, lead, booking or webhook get 404'],
    ['unknown-path', 'should', 'A path under /v1 that does not exist gets 404 with the error body'],
  ]),
  ...chapter('auth', 'Authentication', false, [
    ['bearer', 'must', 'A workspace key sent as a bearer token is accepted'],
    ['missing-key', 'must', 'Every documented endpoint answers a call without a key with 401'],
    ['invalid-key', 'must', 'Every documented endpoint answers an unknown key with 401'],
    ['revoked-key', 'must', 'A revoked key gets 401'],
    ['forbidden', 'must', 'A key without permission for a call gets 403'],
    ['scheme', 'should', 'A key sent in another way than as a bearer token gets 401'],
    ['scoped', 'must', 'A key of another workspace finds nothing of this one'],
    ['shared', 'should', 'A second key of the workspace finds the records that the first one created'],
    ['no-effect', 'should', 'A write that got 401 or 403 changed nothing'],
  ]),
  ...chapter('agents', 'Endpoints, agents', false, [
    ['list', 'must', 'Agents are listed with 200, a created one among them'],
    ['create', 'must', 'Creating an agent gets 200 or 201 and an agent that has an id'],
    ['get', 'must', 'An agent can be read by its id with 200'],
    ['update', 'must', 'Updating an agent gets 200 and shows in later reads'],
    ['update-keeps', 'should', 'Updating an agent leaves the fields alone that the call does not name'],
    ['delete', 'must', 'An agent can be deleted, and is gone from then on'],
  ]),
  ...chapter('leads', 'Endpoints, leads', false, [
    ['list', 'must', 'Leads are listed with 200, a created one among them'],
    ['create', 'must', 'Creating a lead gets 200 or 201 and a lead that has an id'],
    ['get', 'must', 'A lead can be read by its id with 200'],
    ['history', 'should', 'Reading a lead shows its history'],
    ['update', 'must', 'Updating a lead gets 200 and shows in later reads'],
    ['update-keeps', 'should', 'Updating a lead leaves the fields alone that the call does not name'],
    ['filters', 'gap', 'By which filter names the lead list can be narrowed'],
  ]),
  ...chapter('bookings', 'Endpoints, bookings', false, [
    ['list', 'must', 'Bookings are listed with 200, a created one among them'],
    ['create', 'must', 'Creating a booking gets 200 or 201 and a booking that has an id'],
    ['cancel', 'must', 'A booking can be cancelled'],
  ]),
  ...chapter('lists', 'Endpoints', false, [['pagination', 'gap', 'How lists are paginated']]),
  ...chapter('requests', 'Authentication 1', false, [
    ['content-type', 'gap', 'What a call without Content-Type: application/json gets'],
  ]),
  ...chapter('webhooks', 'Events 1', false, [
    ['register', 'must', 'Registering a webhook gets 200 or 201 and a webhook that has an id'],
    ['list', 'must', 'Webhooks are listed with 200, a registered one among them'],
    ['remove', 'must', 'A webhook can be removed, and is then no longer listed'],
    ['silent-after-remove', 'should', 'Nothing more is delivered to a removed webhook'],
  ]),
  ...chapter('webhooks', 'Events 2', false, [
    ['signature', 'must', "Deliveries carry an HMAC-SHA256 over the payload, keyed with the webhook's secret"],
    ['signature-secret', 'must', 'Two webhooks with different secrets each get an event signed with their own'],
  ]),
  ...chapter('webhooks', 'Events 3', false, [
    ['scheme', 'gap', 'Header, signed content, encoding and key form of the signature'],
    ['delivery', 'gap', 'Method, content type, redelivery, order and selection of events'],
  ]),
  ...chapter('events', 'Events', false, [
    ['booking-created', 'must', 'A new booking is announced by booking.created'],
    ['booking-cancelled', 'must', 'A cancelled booking is announced by booking.cancelled'],
    ['vocabulary', 'must', 'Each delivery names one of the six documented events'],
    ['payload', 'gap', 'Which shape the payload of each event has'],
  ]),
  ...chapter('limits', 'Limits 1', true, [
    ['headers', 'must', 'X-RateLimit-Limit, -Remaining and -Reset come with each response'],
  ]),
  ...chapter('limits', 'Limits', false, [
    ['exceeded', 'must', 'A call over the limit gets 429 with the error body'],
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
    ['per-workspace', 'must', 'Two keys of one workspace share one limit'],
    ['recovery', 'must', 'Calls succeed again once the minute is over'],
    ['remaining', 'should', 'Remaining counts down and reads 0 when the first 429 comes'],
    ['limit-value', 'should', "X-RateLimit-Limit shows the number of requests of the workspace's plan"],
    ['header-format', 'gap', 'In which units and formats the three headers are written'],
    ['window', 'gap', 'Which algorithm the limiter appears to use'],
  ]),
];

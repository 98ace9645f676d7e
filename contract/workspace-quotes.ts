import { quotesBy } from './quote.ts';

const noKey =
  'A missing or invalid key, or a revoked key, gives 401 with the error body described below. A key without sufficient permission gives 403.';
const scoped = 'A key is scoped to the workspace and has the same permissions as the user who created it.';
const signed = 'Each webhook payload is signed with HMAC-SHA256 using the webhook secret.';
const perPlan = 'Starter · 60 · 10,000 … Professional · 300 · 100,000 … Enterprise · 1,000 · unlimited';
const bodies = 'Request and response body shapes, names of lead filters, and any pagination of list calls: not shown.';

/** The words of the workspace API document, and the clauses that rest on them. */
export const workspaceQuotes = quotesBy([
  ['All calls need a bearer key and use JSON.', 'responses.json'],
  ['Success statuses used are 200 (success) and 201 (created).', 'responses.success-status responses.created-status'],
  [
    '200 · success … 201 · created … 400 · bad request; parameters are wrong … 401 · unauthorized; invalid or missing API key … 403 · forbidden; insufficient permissions … 404 · not found … 429 · rate limited … 500 · internal server error',
    'responses.status-known',
  ],
  ['An error response has a JSON body with one object named error:', 'errors.body'],
  [
    'error.code · string (a machine-readable code; invalid_api_key is a known value)',
    'errors.code errors.invalid-api-key',
  ],
  ['error.message · string', 'errors.message'],
  ['error.status · integer, equal to the HTTP status', 'errors.status'],
  ['The complete list of error code values: not shown.', 'errors.codes'],
  ['500 · internal server error', 'errors.no-server-error'],
  ['400 · bad request; parameters are wrong', 'errors.bad-request errors.not-an-object'],
  ['404 · not found', 'errors.not-found errors.unknown-path'],
  ['Every call carries the header Authorization: Bearer <API_KEY>', 'auth.bearer auth.scheme'],
  [noKey, 'auth.missing-key auth.invalid-key auth.revoked-key auth.forbidden auth.no-effect'],
  [scoped, 'auth.scoped auth.shared'],
  ['GET · /v1/agents · list all agents in the workspace', 'agents.list'],
  ['POST · /v1/agents · create an agent', 'agents.create'],
  ['GET · /v1/agents/:id · get agent details', 'agents.get'],
  ['PATCH · /v1/agents/:id · update agent configuration', 'agents.update agents.update-keeps'],
  ['DELETE · /v1/agents/:id · delete an agent', 'agents.delete'],
  ['GET · /v1/leads · list leads, with optional filters', 'leads.list'],
  ['POST · /v1/leads · create a lead', 'leads.create'],
  ['GET · /v1/leads/:id · get lead details and history', 'leads.get leads.history'],
  ['PATCH · /v1/leads/:id · update lead information', 'leads.update leads.update-keeps'],
  [bodies, 'leads.filters lists.pagination'],
  ['GET · /v1/bookings · list all bookings', 'bookings.list'],
  ['POST · /v1/bookings · create a booking', 'bookings.create'],
  ['DELETE · /v1/bookings/:id · cancel a booking', 'bookings.cancel'],
  [
    'Every call carries the header Authorization: Bearer <API_KEY> and the header Content-Type: application/json.',
    'requests.content-type',
  ],
  ['POST · /v1/webhooks · register a webhook endpoint', 'webhooks.register'],
  ['GET · /v1/webhooks · list registered webhooks', 'webhooks.list'],
  ['DELETE · /v1/webhooks/:id · remove a webhook', 'webhooks.remove webhooks.silent-after-remove'],
  [signed, 'webhooks.signature webhooks.signature-secret'],
  [
    'Payload shape, the header that carries the signature, the signed content, delivery retries and event selection per webhook: not shown.',
    'webhooks.scheme webhooks.delivery events.payload',
  ],
  ['a new booking exists; the event booking.created announces a newly scheduled booking', 'events.booking-created'],
  ['the event booking.cancelled announces a cancelled booking', 'events.booking-cancelled'],
  [
    'booking.created · a new booking has been scheduled … booking.cancelled · a booking has been cancelled … lead.qualified · a lead has been qualified by an AI agent … lead.routed · a lead has been routed to a representative … agent.escalation · an agent has escalated a conversation … payment.received · a payment has been processed',
    'events.vocabulary',
  ],
  [
    'Every response carries X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.',
    'limits.headers limits.remaining',
  ],
  ['When a limit is exceeded the call returns 429 (Too Many Requests).', 'limits.exceeded'],
  [perPlan, 'limits.per-minute limits.per-day limits.recovery limits.limit-value limits.window'],
  ['Requests are rate-limited per workspace.', 'limits.per-workspace'],
  ['Formats and units of the header values: not shown.', 'limits.header-format'],
]);

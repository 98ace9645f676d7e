import { quotesBy } from './quote.ts';

const failure = 'On a failed call the envelope carries success false and a non-null error; data is not populated.';
const noKey = 'A missing or invalid key is refused with 401 UNAUTHORIZED.';
const noScope = 'A valid key without the needed scope is refused with 403 FORBIDDEN.';
const perType = 'Live key · 60 · 10,000 … Sandbox key · 120 · 50,000 … Enterprise (custom) · 1,000 or more · unlimited';
const codes =
  '400 · VALIDATION_FAILED … 401 · UNAUTHORIZED … 403 · FORBIDDEN … 404 · NOT_FOUND … 429 · RATE_LIMITED … 500 · INTERNAL';

/** The words of the developer API document, and the clauses that rest on them. */
export const developerQuotes = quotesBy([
  ['Every response uses this envelope.', 'envelope.json'],
  ['success · boolean · true on success', 'envelope.success envelope.success-matches-status'],
  ['data · object · payload of the operation', 'envelope.data'],
  [failure, 'envelope.data-on-error envelope.error-on-failure'],
  ['context · object or null · optional cross-sell insight; null when absent', 'envelope.context'],
  ['error · object or null · null on success', 'envelope.error-on-success'],
  ['meta.trace_id · string · UUID v4', 'envelope.trace-id envelope.trace-id-unique'],
  ['meta.timestamp · string · ISO 8601 UTC timestamp with milliseconds', 'envelope.timestamp envelope.timestamp-clock'],
  [codes, 'errors.code errors.status-known'],
  [
    '500 · INTERNAL · server error; the client is told to report the meta.trace_id to support',
    'errors.no-server-error',
  ],
  ['The internal shape of the error object (field names): not shown.', 'errors.shape'],
  [
    '400 · VALIDATION_FAILED · request body failed validation',
    'errors.malformed-json errors.not-an-object keys.create-validation',
  ],
  ['404 · NOT_FOUND · resource not found', 'errors.not-found errors.unknown-path'],
  ['Header mode: send X-API-Key: <API_KEY>. This is the recommended mode.', 'auth.header'],
  ['Query mode: send the query parameter api_key=<API_KEY>.', 'auth.query'],
  [noKey, 'auth.missing-key auth.invalid-key auth.deleted-key auth.no-effect'],
  ['a key that starts with svc_test_ is a sandbox key', 'auth.sandbox-prefix'],
  ['A key that starts with svc_live_ works on real data.', 'auth.live-prefix'],
  ['The other two modes, and the precedence between header and query: not shown.', 'auth.precedence auth.other-modes'],
  ['POST · /api/v1/developer/keys/:id/rotate · none · rotated key', 'auth.rotated-key keys.rotate keys.rotate-keeps'],
  [
    'A key scope has the form <prefix>:read or <prefix>:write, where <prefix> is a prefix from the table.',
    'scopes.accepted',
  ],
  [noScope, 'scopes.ads scopes.investor scopes.inbox scopes.content scopes.no-effect'],
  [`${noScope} … The scheduling module's endpoints live under /api/v1/developer/export/.`, 'scopes.scheduling'],
  [`${noScope} … The routing module's endpoints live under /api/v1/platform/.`, 'scopes.routing'],
  ['Which endpoint needs the read scope and which the write scope: not shown.', 'scopes.read-write'],
  [
    'GET · /api/v1/ads/campaigns · query status: ENABLED, PAUSED or REMOVED · campaigns: array of Campaign',
    'ads.campaigns ads.campaigns-status',
  ],
  [
    'score · number · overall score … grade · string · letter grade … categories · object · maps a category name to a number; the categories structure and bidding are known',
    'ads.health-score',
  ],
  [
    'GET · /api/v1/ads/keywords · query campaign_id, min_spend, limit (limit is an integer page size) · keyword list',
    'ads.keywords ads.keywords-limit ads.keywords-filters',
  ],
  ['POST · /api/v1/ads/audits · body · created audit', 'ads.audits-create'],
  ['GET · /api/v1/ads/audits · none · list of audits', 'ads.audits-list'],
  ['GET · /api/v1/investor/pipeline · none · deals: array of Deal', 'investor.pipeline'],
  ['GET · /api/v1/investor/readiness · none · readiness result', 'investor.readiness'],
  ['GET · /api/v1/investor/data-room · none · data room content', 'investor.data-room'],
  ['GET · /api/v1/investor/updates · none · list of updates', 'investor.updates-list'],
  ['POST · /api/v1/investor/updates · body · created update', 'investor.updates-create'],
  [
    'GET · /api/v1/developer/export/bookings · status: confirmed, pending or cancelled; from: ISO 8601 timestamp; to: ISO 8601 timestamp · bookings export',
    'scheduling.bookings scheduling.bookings-status scheduling.bookings-window',
  ],
  [
    'GET · /api/v1/developer/export/leads · status: new, qualified, booked or converted; source: organic, paid or referral · leads export',
    'scheduling.leads scheduling.leads-status scheduling.leads-source',
  ],
  [
    'POST · /api/v1/inbox/draft · object with thread_context (required), skill (optional), tone (optional) · email draft',
    'inbox.draft inbox.draft-validation',
  ],
  ['POST · /api/v1/inbox/categorize · body · categorization', 'inbox.categorize'],
  ['GET · /api/v1/inbox/skills · none · list of skills', 'inbox.skills'],
  ['POST · /api/v1/inbox/skills/learn · body · learning result', 'inbox.skills-learn'],
  ['GET · /api/v1/platform/me · profile of the calling account', 'routing.me'],
  ['GET · /api/v1/platform/me/subscriptions · list of subscriptions', 'routing.me-subscriptions'],
  [
    'POST · /api/v1/content/generate · body with topic, product, tone (required) and word_count (optional) · generated content',
    'content.generate content.generate-validation',
  ],
  [
    'GET · /api/v1/content/posts · query status: draft, review or published · list of posts',
    'content.posts content.posts-status',
  ],
  ['POST · /api/v1/content/review · body · review result', 'content.review'],
  ['They are filter values on list endpoints.', 'filters.combined filters.unknown-value'],
  [
    'seeded · boolean … products · array of strings · one identifier per module, six entries … resources_created · integer · number of records created',
    'sandbox.seed',
  ],
  ['products · array of strings · one identifier per module, six entries', 'sandbox.products'],
  ['GET · /api/v1/developer/sandbox/seed · seed state', 'sandbox.state'],
  ['The data set covers campaigns, pipeline deals, bookings and email drafts, among other things.', 'sandbox.data'],
  ['It returns pre-seeded dummy data in an isolated sandbox.', 'sandbox.isolation'],
  ['Behaviour is identical between the two.', 'sandbox.parity'],
  ['POST · /api/v1/developer/sandbox/seed · Sandbox seed result', 'sandbox.reseed'],
  [
    'POST · /api/v1/developer/keys · API key request · created key … a key carries the scopes chosen at creation',
    'keys.create',
  ],
  ['GET · /api/v1/developer/keys · none · list of keys', 'keys.list keys.secret-not-listed'],
  ['DELETE · /api/v1/developer/keys/:id · none · deletion result', 'keys.delete'],
  [
    'GET · /api/v1/developer/keys/:id/usage · query days: integer, maximum 90, listed with the value 7 · usage of the key',
    'keys.usage keys.usage-days',
  ],
  [
    'Every response carries the headers X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.',
    'limits.headers limits.remaining',
  ],
  ['When a limit is exceeded the call returns 429 with code RATE_LIMITED.', 'limits.exceeded'],
  [perType, 'limits.per-minute limits.per-day limits.recovery limits.limit-value limits.window limits.counted'],
  [
    'Units and formats of the rate limit header values, and whether the counts apply per key or per account: not shown.',
    'limits.header-format limits.key-or-account',
  ],
]);

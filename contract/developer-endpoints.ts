import { type BodyField, type Endpoint, endpointMaker, type QueryParameter } from './endpoint.ts';

const filter = (name: string, ...values: string[]): QueryParameter => ({ name, type: 'string', values });
const required = (name: string, type: BodyField['type'] = 'string'): BodyField => ({ name, type, required: true });
const optional = (name: string, type: BodyField['type'] = 'string'): BodyField => ({ name, type, required: false });

const ads = endpointMaker('developer', 'ads');
const investor = endpointMaker('developer', 'investor');
const scheduling = endpointMaker('developer', 'scheduling');
const inbox = endpointMaker('developer', 'inbox');
const routing = endpointMaker('developer', 'routing');
const content = endpointMaker('developer', 'content');
const open = endpointMaker('developer', null);

/** The 28 calls of the developer API, in the document's order. `body: null` marks a body that is not documented. */
export const developerEndpoints: readonly Endpoint[] = [
  ads('GET /api/v1/ads/campaigns', 'ads.campaigns', {
    query: [filter('status', 'ENABLED', 'PAUSED', 'REMOVED')],
    schema: 'campaigns',
  }),
  ads('GET /api/v1/ads/health-score', 'ads.health-score', { schema: 'healthScore' }),
  ads('GET /api/v1/ads/keywords', 'ads.keywords', {
    query: [
      { name: 'campaign_id', type: 'string' },
      { name: 'min_spend', type: 'number' },
      { name: 'limit', type: 'integer' },
    ],
  }),
  ads('POST /api/v1/ads/audits', 'ads.audits-create', { body: null }),
  ads('GET /api/v1/ads/audits', 'ads.audits-list'),
  investor('GET /api/v1/investor/pipeline', 'investor.pipeline', { schema: 'pipeline' }),
  investor('GET /api/v1/investor/readiness', 'investor.readiness'),
  investor('GET /api/v1/investor/data-room', 'investor.data-room'),
  investor('GET /api/v1/investor/updates', 'investor.updates-list'),
  investor('POST /api/v1/investor/updates', 'investor.updates-create', { body: null }),
  scheduling('GET /api/v1/developer/export/bookings', 'scheduling.bookings', {
    query: [
      filter('status', 'confirmed', 'pending', 'cancelled'),
      { name: 'from', type: 'timestamp' },
      { name: 'to', type: 'timestamp' },
    ],
  }),
  scheduling('GET /api/v1/developer/export/leads', 'scheduling.leads', {
    query: [
      filter('status', 'new', 'qualified', 'booked', 'converted'),
      filter('source', 'organic', 'paid', 'referral'),
    ],
  }),
  inbox('POST /api/v1/inbox/draft', 'inbox.draft', {
    body: [required('thread_context', 'open'), optional('skill'), optional('tone')],
  }),
  inbox('POST /api/v1/inbox/categorize', 'inbox.categorize', { body: null }),
  inbox('GET /api/v1/inbox/skills', 'inbox.skills'),
  inbox('POST /api/v1/inbox/skills/learn', 'inbox.skills-learn', { body: null }),
  routing('GET /api/v1/platform/me', 'routing.me'),
  routing('GET /api/v1/platform/me/subscriptions', 'routing.me-subscriptions'),
  content('POST /api/v1/content/generate', 'content.generate', {
    body: [required('topic'), required('product'), required('tone'), optional('word_count', 'integer')],
  }),
  content('GET /api/v1/content/posts', 'content.posts', { query: [filter('status', 'draft', 'review', 'published')] }),
  content('POST /api/v1/content/review', 'content.review', { body: null }),
  open('POST /api/v1/developer/sandbox/seed', 'sandbox.seed', { schema: 'seedResult' }),
  open('GET /api/v1/developer/sandbox/seed', 'sandbox.state'),
  open('GET /api/v1/developer/keys', 'keys.list'),
  open('POST /api/v1/developer/keys', 'keys.create', {
    body: [required('name'), required('environment'), required('scopes', 'array')],
  }),
  open('DELETE /api/v1/developer/keys/:id', 'keys.delete'),
  open('POST /api/v1/developer/keys/:id/rotate', 'keys.rotate'),
  open('GET /api/v1/developer/keys/:id/usage', 'keys.usage', {
    query: [{ name: 'days', type: 'integer', maximum: 90 }],
  }),
];

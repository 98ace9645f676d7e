import { acknowledging, busy, full, listsForFirstKeyOnly, slowedBy } from './between.ts';
import { developer, fewerSettings, type UnusualRun } from './fewer-settings.ts';
import { losingAnswers } from './lost-answers.ts';

/** Settings for other kinds of deployments than the plain one. */
const otherDeployments: Readonly<Record<string, UnusualRun>> = {
  'no live key, and one budget for all keys of the account': {
    ...developer(91, { LIVE_API_KEY: '' }),
    choices: { 'developer-budget': 'account' },
  },
  'no live key, and a sandbox key finds sandbox keys alone': {
    ...developer(91, { LIVE_API_KEY: '' }),
    choices: { 'developer-keys-seen': 'own-environment' },
  },
  'an enterprise key with 1,200 requests a minute': {
    ...developer(93, { ENTERPRISE_PER_MINUTE: '1200' }),
    enterprise: true,
  },
  'an enterprise key, whose budget may not be used up': { ...developer(93, { EXHAUST: 'own' }), enterprise: true },
  'windows that pass sixty times as fast': developer(93, { CLOCK_SPEED: '60' }),
};

const changes = {
  'PATCH /v1/leads/:id': { company: 'Changed by {{run}}', score: 71, active: true, tags: [null, 'new'] },
  'PATCH /v1/agents/:id': { configuration: { greeting: 'Changed by {{run}}' } },
};
const developerBodies = {
  'POST /api/v1/ads/audits': { ad_account_ref: '{{run}}' },
  'POST /api/v1/inbox/draft': { thread_context: 'thr_1' },
  'POST /api/v1/content/generate': { topic: '{{run}}', product: 'sku-1', tone: 'dry' },
};

/** Bodies of the user, which are sent instead of guessed ones. */
const ownBodies: Readonly<Record<string, UnusualRun>> = {
  'own changes': { api: 'workspace', judges: 55, userBodies: changes },
  'own changes, which are not stored': {
    api: 'workspace',
    judges: 54,
    faults: ['workspace-leads-patch-not-stored'],
    userBodies: changes,
    verdicts: { 'leads.update': 'fail' },
  },
  'own bodies': {
    api: 'workspace',
    judges: 55,
    userBodies: {
      'POST /v1/agents': { name: 'Desk {{run}}', language: 'en' },
      'POST /v1/bookings': { title: 'Meeting {{run}}', start_time: '2031-03-03T09:00:00Z' },
      'POST /v1/webhooks': { url: '{{webhook_url}}', secret: '{{webhook_secret}}', name: 'For {{run}}' },
      'PATCH /v1/agents/:id': { language: 'de', description: 'Changed by {{run}}' },
    },
  },
  'own bodies, which are refused': {
    api: 'workspace',
    judges: 38,
    userBodies: { 'POST /v1/agents': { title: 'Desk {{run}}' }, 'POST /v1/webhooks': { address: '{{webhook_url}}' } },
  },
  'own leads, without words of the run': {
    api: 'workspace',
    judges: 54,
    userBodies: { 'POST /v1/leads': { name: 'Ann', email: 'ann@example.com' } },
  },
  'a webhook for one event': {
    api: 'workspace',
    judges: 54,
    userBodies: { 'POST /v1/webhooks': { url: '{{webhook_url}}', events: ['booking.created'] } },
    verdicts: { 'events.booking-cancelled': 'inconclusive' },
  },
  'bodies that no guess would find': {
    api: 'developer',
    judges: 93,
    choices: {
      'developer-undocumented-body': 'all-need-one',
      'developer-thread-context': 'reference',
      'developer-content-values': 'unknown',
    },
    userBodies: developerBodies,
  },
};

/** Runs with unusual accounts. */
const accounts: Readonly<Record<string, UnusualRun>> = {
  'developer: an account that is full from the start': {
    api: 'developer',
    judges: 60,
    between: [full('API key limit reached')],
  },
  'developer: an account that is full from the start, and states how many keys there are': {
    api: 'developer',
    judges: 60,
    between: [full('Es gibt schon 3 Schlüssel')],
  },
  'developer: no live key, and only the given key may list keys': {
    ...developer(85, { LIVE_API_KEY: '' }),
    between: [listsForFirstKeyOnly],
  },
};

/** Runs with unusual networks. */
const networks: Readonly<Record<string, UnusualRun>> = {
  'developer: 200 ms before every answer': { api: 'developer', judges: 93, between: [slowedBy(200)] },
  'workspace: so many events that the receiver cannot keep them all': {
    api: 'workspace',
    judges: 0,
    clauses: ['workspace.events.booking-created', 'workspace.events.booking-cancelled'],
    verdicts: { 'events.booking-created': 'inconclusive', 'events.booking-cancelled': 'inconclusive' },
    between: [busy],
  },
  'workspace: 200 ms before every answer': { api: 'workspace', judges: 55, between: [slowedBy(200)] },
  'developer: a clock that is five minutes ahead': { api: 'developer', judges: 93, ahead: 300_000 },
  'developer: a clock that is five minutes behind': { api: 'developer', judges: 93, ahead: -300_000 },
  'workspace: a clock that is five minutes ahead': { api: 'workspace', judges: 55, ahead: 300_000 },
  'workspace: a clock that is five minutes behind': { api: 'workspace', judges: 55, ahead: -300_000 },
  'developer: answers that take a quarter of a minute': {
    api: 'developer',
    clauses: ['developer.limits.counted', 'developer.limits.key-or-account'],
    judges: 2,
    between: [slowedBy(15_000)],
  },
  'developer: the answer to every creation is lost': {
    api: 'developer',
    clauses: ['developer.auth.live-prefix'],
    judges: 0,
    verdicts: { 'auth.live-prefix': 'inconclusive' },
    between: [losingAnswers(1)],
  },
  'developer: updates that are only acknowledged, and not listed': {
    api: 'developer',
    clauses: ['developer.investor.updates-create'],
    judges: 0,
    verdicts: { 'investor.updates-create': 'inconclusive' },
    between: [acknowledging('/api/v1/investor/updates')],
  },
};

/** Runs against a large deployment with a defect. */
const defects: Readonly<Record<string, UnusualRun>> = {
  'a refused call that creates an agent nevertheless, at the end of a long list': {
    api: 'workspace',
    judges: 50,
    faults: ['workspace-auth-forbidden-agents-create-done'],
    choices: {
      'workspace-list-shape': 'named-cursor',
      'workspace-stock': 'hundreds',
      'workspace-list-order': 'oldest-first',
    },
    verdicts: { 'auth.no-effect': 'warn' },
  },
};

/** All unusual runs, by name. */
export const unusualRuns: Readonly<Record<string, UnusualRun>> = {
  ...fewerSettings,
  ...otherDeployments,
  ...ownBodies,
  ...accounts,
  ...networks,
  ...defects,
};

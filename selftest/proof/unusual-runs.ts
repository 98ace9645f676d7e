import type { Verdict } from '../../results/verdict.ts';
import { acknowledging, busy, full, listsForFirstKeyOnly, slowedBy } from './between.ts';
import { losingAnswers } from './lost-answers.ts';
import type { Plan } from './run-in-process.ts';

/**
 * A run with unusual settings, bodies or network, and its expected results. Nothing may fail that is not named here.
 */
interface UnusualRun extends Plan {
  /** The least number of judged clauses. */
  readonly judges: number;
  /** Verdicts other than `pass` and `observed`, by clause without the API's name. */
  readonly verdicts?: Readonly<Record<string, Verdict>>;
  /** Names of settings that a skipped clause must mention as missing. */
  readonly wants?: RegExp;
}

const withFewer = (api: Plan['api'], judges: number, settings: Record<string, string>): UnusualRun => ({
  api,
  judges,
  settings,
  wants: new RegExp(Object.keys(settings).join('|')),
});
const developer = (judges: number, settings: Record<string, string>) => withFewer('developer', judges, settings);
const workspace = (judges: number, settings: Record<string, string>) => withFewer('workspace', judges, settings);

/** Runs with fewer settings: less is tried, and the results say what is left out. */
const fewerSettings: Readonly<Record<string, UnusualRun>> = {
  'developer: nothing is written': developer(42, { WRITES: 'none' }),
  'developer: only the sandbox is written to': developer(92, { WRITES: 'sandbox' }),
  'developer: nothing is written, and a sandbox that was never seeded has no state': {
    ...developer(0, { WRITES: 'none' }),
    clauses: ['developer.sandbox.state'],
    faults: ['sandbox-state-404'],
    verdicts: { 'sandbox.state': 'skip' },
  },
  'developer: no budget is used up': developer(88, { EXHAUST: 'none' }),
  'developer: only own budgets are used up': developer(93, { EXHAUST: 'own' }),
  'developer: nothing is written and no budget is used up': developer(42, { WRITES: 'none', EXHAUST: 'none' }),
  'developer: no live key': developer(91, { LIVE_API_KEY: '' }),
  'developer: no sandbox key': developer(87, { SANDBOX_API_KEY: '' }),
  'developer: no sandbox key, and only the sandbox may be written to': developer(48, {
    SANDBOX_API_KEY: '',
    WRITES: 'sandbox',
  }),
  'workspace: nothing is written': workspace(35, { WRITES: 'none' }),
  'workspace: nothing is written, and views show no id': {
    ...workspace(35, { WRITES: 'none' }),
    choices: { 'workspace-id-field': 'not-in-details' },
  },
  'workspace: nothing is written, and paths take what is not called an id': {
    ...workspace(35, { WRITES: 'none' }),
    choices: { 'workspace-record-style': 'kubernetes' },
  },
  'workspace: only the sandbox is written to': workspace(35, { WRITES: 'sandbox' }),
  'workspace: no budget is used up': workspace(48, { EXHAUST: 'none' }),
  'workspace: only own budgets are used up': workspace(48, { EXHAUST: 'own' }),
  'workspace: no second key': workspace(54, { WORKSPACE_SECOND_API_KEY: '' }),
  'workspace: no limited key': workspace(54, { WORKSPACE_LIMITED_API_KEY: '' }),
  'workspace: no revoked key': workspace(54, { WORKSPACE_REVOKED_API_KEY: '' }),
  'workspace: a limited key of nobody': workspace(54, {
    WORKSPACE_LIMITED_API_KEY: 'wsk_of_another_workspace_0123456789abcdefghij',
  }),
  'workspace: no key besides the first': workspace(52, {
    WORKSPACE_SECOND_API_KEY: '',
    WORKSPACE_LIMITED_API_KEY: '',
    WORKSPACE_REVOKED_API_KEY: '',
  }),
  'workspace: few requests': workspace(27, { MAX_REQUESTS: '40' }),
  'workspace: fewer requests than are needed': workspace(46, { MAX_REQUESTS: '90' }),
  'workspace: fewer requests than are needed, and a key that may not manage agents': {
    ...workspace(40, { MAX_REQUESTS: '90' }),
    choices: { 'workspace-permissions': 'no-agents', 'workspace-check-order': 'body-first' },
  },
  'developer: no more than 150 requests, and each read breaks once': {
    ...developer(55, { MAX_REQUESTS: '150' }),
    choices: { 'developer-accidents': 'a-500-each' },
    verdicts: { 'errors.no-server-error': 'inconclusive' },
  },
  'developer: no more than 150 requests, and pages of five keys': {
    ...developer(60, { MAX_REQUESTS: '150' }),
    choices: { 'developer-key-list': 'small-pages' },
  },
};

/** Settings for other kinds of deployments than the plain one. */
const otherDeployments: Readonly<Record<string, UnusualRun>> = {
  'no sandbox key, and a live key makes live keys only': {
    ...developer(86, { SANDBOX_API_KEY: '' }),
    choices: { 'developer-live-keys-by-sandbox-key': 'own-environment' },
  },
  'no live key, and one budget for all keys of the account': {
    ...developer(91, { LIVE_API_KEY: '' }),
    choices: { 'developer-budget': 'account' },
  },
  'no live key, only the sandbox is written to, and each key has data of its own': {
    ...developer(88, { LIVE_API_KEY: '', WRITES: 'sandbox' }),
    choices: { 'developer-sandboxes': 'per-key' },
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
const blueprint = { 'PATCH /v1/leads/:id': { blueprint: 'sales' }, 'PATCH /v1/agents/:id': { blueprint: 'sales' } };
const developerBodies = {
  'POST /api/v1/ads/audits': { ad_account_ref: '{{run}}' },
  'POST /api/v1/inbox/draft': { thread_context: 'thr_1' },
  'POST /api/v1/content/generate': { topic: '{{run}}', product: 'sku-1', tone: 'dry' },
};

/** Bodies of the user, which are sent instead of guessed ones. */
const ownBodies: Readonly<Record<string, UnusualRun>> = {
  'own changes': { api: 'workspace', judges: 55, userBodies: changes },
  'own changes, and no other change is accepted': {
    api: 'workspace',
    judges: 55,
    choices: { 'workspace-kept-fields': 'all' },
    userBodies: blueprint,
  },
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
      'developer-undocumented-body': 'audits-need-one',
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
    between: full('API key limit reached'),
  },
  'developer: an account that is full from the start, and states how many keys there are': {
    api: 'developer',
    judges: 60,
    between: full('Es gibt schon 3 Schlüssel'),
  },
  'developer: no live key, and only the given key may list keys': {
    ...developer(85, { LIVE_API_KEY: '' }),
    between: listsForFirstKeyOnly,
  },
};

/** Runs with unusual networks. */
const networks: Readonly<Record<string, UnusualRun>> = {
  'developer: 200 ms before every answer': { api: 'developer', judges: 93, between: slowedBy(200) },
  'workspace: so many events that the receiver cannot keep them all': {
    api: 'workspace',
    judges: 0,
    clauses: ['workspace.events.booking-created', 'workspace.events.booking-cancelled'],
    verdicts: { 'events.booking-created': 'inconclusive', 'events.booking-cancelled': 'inconclusive' },
    between: busy,
  },
  'workspace: 200 ms before every answer': { api: 'workspace', judges: 55, between: slowedBy(200) },
  'developer: a clock that is five minutes ahead': { api: 'developer', judges: 93, ahead: 300_000 },
  'developer: a clock that is five minutes behind': { api: 'developer', judges: 93, ahead: -300_000 },
  'workspace: a clock that is five minutes ahead': { api: 'workspace', judges: 55, ahead: 300_000 },
  'workspace: a clock that is five minutes behind': { api: 'workspace', judges: 55, ahead: -300_000 },
  'developer: answers that take a quarter of a minute': {
    api: 'developer',
    clauses: ['developer.limits.counted', 'developer.limits.key-or-account'],
    judges: 2,
    between: slowedBy(15_000),
  },
  'developer: the answer to every creation is lost': {
    api: 'developer',
    clauses: ['developer.auth.live-prefix'],
    judges: 0,
    verdicts: { 'auth.live-prefix': 'inconclusive' },
    between: losingAnswers(1),
  },
  'developer: updates that are only acknowledged, and not listed': {
    api: 'developer',
    clauses: ['developer.investor.updates-create'],
    judges: 0,
    verdicts: { 'investor.updates-create': 'inconclusive' },
    between: acknowledging('/api/v1/investor/updates'),
  },
};

/** Runs against a large deployment with a defect. */
const defects: Readonly<Record<string, UnusualRun>> = {
  'a refused call that creates an agent nevertheless, at the end of a long list': {
    api: 'workspace',
    judges: 50,
    faults: ['workspace-auth-forbidden-agent-is-made'],
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

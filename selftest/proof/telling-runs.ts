import type { Clock } from '../../common/clock.ts';
import type { Api } from '../../contract/clause.ts';
import { type Transport, TransportFailure } from '../../suites/session/transport.ts';

/** A deployment on which a few clauses see something else than on the plain one, and what is special about the run. */
export interface TellingRun {
  readonly api: Api;
  readonly clauses: readonly string[];
  /** By the names of choices. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly userBodies?: Readonly<Record<string, unknown>>;
  /** A fault that other clauses are about: these may not blame it. */
  readonly fault?: string;
  /** Every how many creations the answer to one is lost. */
  readonly loses?: number;
  /** Creations of keys never arrive. */
  readonly unreached?: true;
  /** How long each answer takes. */
  readonly slowMs?: number;
}

/** A network on which each answer takes so long. */
export const slowedBy =
  (ms: number) =>
  (transport: Transport, clock: Clock): Transport =>
  async (request, bounds) => {
    await clock.sleep(ms);
    return transport(request, bounds);
  };

/** A network that loses requests for new keys before they arrive. */
export const unreached =
  (transport: Transport): Transport =>
  (request, bounds) =>
    request.method === 'POST' && request.url.endsWith('/developer/keys')
      ? Promise.reject(new TransportFailure('closed', 'Connection is closed before an answer came'))
      : transport(request, bounds);

const on = (
  chosen: Readonly<Record<string, string>>,
  clauses: readonly string[],
  more: Omit<TellingRun, 'api' | 'clauses' | 'chosen'> = {},
): TellingRun => ({
  api: 'developer',
  clauses: clauses.map((id) => `developer.${id}`),
  ...more,
  chosen: Object.fromEntries(Object.entries(chosen).map(([name, value]) => [`developer-${name}`, value])),
});

const beside = (fault: string, ...clauses: string[]): TellingRun => on({}, clauses, { fault });

const unknownValue = ['filters.unknown-value'];
const budgets = ['limits.counted', 'limits.key-or-account'];
const generated = ['content.generate', 'content.generate-validation'];
const own = {
  'POST /api/v1/ads/audits': { ad_account_ref: '{{run}}' },
  'POST /api/v1/inbox/draft': { thread_context: 'thr_1' },
  'POST /api/v1/content/generate': { topic: '{{run}}', product: 'sku-1', tone: 'dry' },
};

/** What is seen where the documents are silent, and how values are found that they do not show: one deployment for each way. */
export const tellingRuns: Readonly<Record<string, TellingRun>> = {
  'unknown filter values: no rows': on({ 'unknown-filter': 'empty' }, unknownValue),
  'unknown filter values: all rows': on({ 'unknown-filter': 'all' }, unknownValue),
  'unknown filter values: those of the first': on({ 'unknown-filter': 'first' }, unknownValue),
  'unknown filter values: exports that are no lists': on(
    { 'unknown-filter': 'all', 'export-format': 'csv-link' },
    unknownValue,
  ),
  'only successes count': on({ counted: 'successes-only' }, budgets),
  'a refused scope does not count': on({ counted: 'not-403' }, budgets),
  'the headers describe the day, and 404 does not count': on({ 'shown-window': 'day', counted: 'not-404' }, budgets),
  'a budget for the account': on({ budget: 'account' }, budgets),
  'headers of milliseconds': on({ 'reset-format': 'delta-ms' }, ['limits.header-format']),
  'headers of Unix time': on({ 'reset-format': 'epoch-ms', 'limit-format': 'list' }, ['limits.header-format']),
  'the query wins': on({ precedence: 'query' }, ['auth.precedence']),
  'either key wins': on({ precedence: 'either' }, ['auth.precedence']),
  'no key wins': on({ precedence: 'refused-400' }, ['auth.precedence']),
  'a rotated secret lives a second': on({ 'rotated-secret': 'lives-a-second' }, ['auth.rotated-key']),
  'every way of sending a key': on({ 'other-modes': 'all' }, ['auth.other-modes']),
  'no query mode for keys': on({ 'query-mode': 'not-for-keys' }, ['auth.query']),
  'a key sees keys of its environment': on({ 'keys-seen': 'own-environment' }, ['auth.live-prefix']),
  'pages of keys': on({ 'key-list': 'small-pages' }, ['keys.list', 'keys.delete']),
  'a first page of keys alone': on({ 'key-list': 'first-page-only' }, ['keys.list', 'keys.delete']),
  'deleted keys are remembered': on({ 'deleted-keys': 'usage-stays' }, ['errors.not-found']),
  'deleted keys of short ids are remembered': on({ 'deleted-keys': 'usage-stays', 'key-ids': 'short' }, [
    'errors.not-found',
  ]),
  'deleted keys of ids with a check digit are remembered': on({ 'deleted-keys': 'usage-stays', 'key-ids': 'checked' }, [
    'errors.not-found',
  ]),
  'ids with a check digit': on({ 'key-ids': 'checked' }, ['errors.not-found']),
  'nothing to read where only POST goes': on({ 'undocumented-read': 'no-content' }, [
    'errors.unknown-path',
    'envelope.json',
  ]),
  'no record of the last status': on({ 'statuses-held': 'not-the-last' }, [
    'ads.campaigns-status',
    'content.posts-status',
  ]),
  ...Object.fromEntries(
    ['text', 'messages', 'object', 'reference'].map((value) => [
      `a thread: ${value}`,
      on({ 'thread-context': value }, ['inbox.draft', 'inbox.draft-validation']),
    ]),
  ),
  ...Object.fromEntries(
    ['known-skills', 'unknown-skill-404', 'skill-ids', 'professional', 'friendly', 'formal', 'none'].map((value) => [
      `values of a draft: ${value}`,
      on({ 'draft-values': value }, ['inbox.draft']),
    ]),
  ),
  ...Object.fromEntries(
    ['own-products', 'friendly', 'own-products-friendly', 'unknown'].map((value) => [
      `values of content: ${value}`,
      on({ 'content-values': value }, generated),
    ]),
  ),
  'values of a draft without any skill': on({ 'draft-values': 'none', 'live-account': 'empty' }, ['inbox.draft'], {
    settings: { SANDBOX_API_KEY: '' },
  }),
  'values of a draft that wants a tone': on({ 'draft-values': 'known-skills' }, ['inbox.draft'], {
    fault: 'inbox-draft-needs-tone',
  }),
  'skills that are listed later': on({ 'learnt-skills': 'after-review' }, ['sandbox.isolation']),
  'exports that are no lists': on({ 'export-format': 'csv-link' }, ['sandbox.isolation']),
  'short ids': on({ 'key-ids': 'short' }, ['errors.not-found']),
  'answers that take a quarter of a minute': on({}, budgets, { slowMs: 15_000 }),
  'a live export that is not found': beside('scheduling-leads-404-on-live', 'sandbox.isolation'),
  'values of content without a sandbox key': on({ 'content-values': 'friendly' }, generated, {
    settings: { SANDBOX_API_KEY: '' },
  }),
  "bodies of the user's own": on(
    { 'undocumented-body': 'audits-need-one', 'thread-context': 'reference', 'content-values': 'unknown' },
    ['ads.audits-create', 'inbox.draft', 'inbox.draft-validation', ...generated],
    { userBodies: own },
  ),
  'a creation whose answer is lost, and a list that breaks': on({}, ['auth.live-prefix'], {
    fault: 'keys-list-breaks',
    loses: 1,
  }),
  'a creation whose answer is lost, and a list of which one page can be read': on(
    { 'key-list': 'first-page-only' },
    ['auth.live-prefix'],
    { loses: 1 },
  ),
  'statuses beside the documents': on({ 'unknown-method': '405', 'oversized-body': '413' }, [
    'errors.unknown-path',
    'errors.status-known',
  ]),
  'a page where no route is': beside('envelope-unknown-path-html', 'errors.unknown-path', 'envelope.error-on-failure'),
  'a creation that never arrives': on({}, ['auth.live-prefix'], { unreached: true }),
  'usage of deleted keys is no 404': on({ 'deleted-keys': 'usage-stays' }, ['limits.counted']),
  'answers that take a minute': on({}, ['limits.counted'], { slowMs: 61_000 }),
  'a success that has moved': beside(
    'investor-readiness-moved',
    'investor.readiness',
    'envelope.success-matches-status',
  ),
  'a type that its parameter tells': beside('envelope-posts-typed-by-parameter', 'content.posts', 'envelope.json'),
  'an envelope without meta': beside(
    'envelope-unknown-path-without-meta',
    'errors.unknown-path',
    'envelope.trace-id-unique',
  ),
  'a page for what is too large': beside('envelope-oversized-page', 'errors.unknown-path', 'envelope.json'),
  'keys that cannot be deleted': beside('keys-delete-403', 'errors.not-found'),
  'usage that breaks on unknown keys': beside('errors-usage-unknown-500', 'limits.counted', 'errors.no-server-error'),
  'a draft that breaks without a thread': beside(
    'inbox-draft-breaks-without-thread',
    'limits.counted',
    'errors.no-server-error',
  ),
  "bodies of the user's own that are not taken": on(
    { 'thread-context': 'messages', 'content-values': 'own-products' },
    ['inbox.draft', 'content.generate'],
    { userBodies: own },
  ),
};

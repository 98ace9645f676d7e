import type { Api } from '../../contract/clause.ts';

/** A correct deployment on which a few clauses see something else than on the plain one, and what the user adds to the run. */
export interface TellingRun {
  readonly api: Api;
  readonly clauses: readonly string[];
  /** By the names of choices. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly userBodies?: Readonly<Record<string, unknown>>;
}

const on = (chosen: Readonly<Record<string, string>>, clauses: readonly string[], more: Pick<TellingRun, 'settings' | 'userBodies'> = {}): TellingRun => ({
  api: 'developer', clauses: clauses.map((id) => `developer.${id}`), ...more,
  chosen: Object.fromEntries(Object.entries(chosen).map(([name, value]) => [`developer-${name}`, value])),
});

const unknownValue = ['filters.unknown-value'];
const budgets = ['limits.counted', 'limits.key-or-account'];
const generated = ['content.generate', 'content.generate-validation'];
const own = { 'POST /api/v1/ads/audits': { ad_account_ref: '{{run}}' }, 'POST /api/v1/inbox/draft': { thread_context: 'thr_1' }, 'POST /api/v1/content/generate': { topic: '{{run}}', product: 'sku-1', tone: 'dry' } };

/** What is seen where the documents are silent, and how values are found that they do not show: one deployment for each way. */
export const tellingRuns: Readonly<Record<string, TellingRun>> = {
  'unknown filter values: no rows': on({ 'unknown-filter': 'empty' }, unknownValue),
  'unknown filter values: all rows': on({ 'unknown-filter': 'all' }, unknownValue),
  'unknown filter values: exports that are no lists': on({ 'unknown-filter': 'all', 'export-format': 'csv-link' }, unknownValue),
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
  'deleted keys of short ids are remembered': on({ 'deleted-keys': 'usage-stays', 'key-ids': 'short' }, ['errors.not-found']),
  'ids with a check digit': on({ 'key-ids': 'checked' }, ['errors.not-found']),
  'nothing to read where only POST goes': on({ 'undocumented-read': 'no-content' }, ['errors.unknown-path', 'envelope.json']),
  'no record of the last status': on({ 'statuses-held': 'not-the-last' }, ['ads.campaigns-status', 'content.posts-status']),
  ...Object.fromEntries(['text', 'messages', 'object', 'reference'].map((value) => [`a thread: ${value}`, on({ 'thread-context': value }, ['inbox.draft', 'inbox.draft-validation'])])),
  ...Object.fromEntries(['known-skills', 'unknown-skill-404', 'friendly', 'formal', 'none'].map((value) => [`values of a draft: ${value}`, on({ 'draft-values': value }, ['inbox.draft'])])),
  ...Object.fromEntries(['own-products', 'friendly', 'own-products-friendly', 'unknown'].map((value) => [`values of content: ${value}`, on({ 'content-values': value }, generated)])),
  'values of content without a sandbox key': on({ 'content-values': 'friendly' }, generated, { settings: { SANDBOX_API_KEY: '' } }),
  'bodies of the user\'s own': on({ 'undocumented-body': 'audits-need-one', 'thread-context': 'reference', 'content-values': 'unknown' },
    ['ads.audits-create', 'inbox.draft', 'inbox.draft-validation', ...generated], { userBodies: own }),
  'bodies of the user\'s own that are not taken': on({ 'thread-context': 'messages', 'content-values': 'own-products' }, ['inbox.draft', 'content.generate'], { userBodies: own }),
};

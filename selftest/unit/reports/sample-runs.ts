import { profileOf } from '../../../results/drift.ts';
import type { Run } from '../../../results/verdict.ts';
import { type Ingredients, resultsOf, runOf, skipping } from './sample.ts';
import { defects, exchanges, observations } from './sample-defects.ts';

const waiverOf = (clause: string, expires = '2026-12-31') => ({
  clause,
  reason: 'fix is planned for November',
  expires,
});
const waiver = waiverOf('workspace.leads.update');

/** What an earlier run observed. */
const profile = {
  'developer.limits.header-format': { limit: { form: 'integer' }, reset: { form: 'seconds from now' } },
  'developer.errors.shape': { alike: true, fields: [{ status: 400, code: 'BAD_REQUEST', fields: ['code'] }] },
  'developer.auth.other-modes': { works: ['bearer', 'cookie'], refused: ['basic', 'cookie'] },
};

const deliveries = [
  {
    method: 'POST',
    url: 'http://127.0.0.1:4000/hook/1',
    headers: [['x-signature', 'sha256=00ff']],
    body: '{"event":"booking.created"}',
    encoding: 'utf8',
    answered: 200,
    receivedAt: 1_793_874_060_000,
  },
] as const;

/** What a run can come across, in one. */
export const everything = {
  results: resultsOf({ ...observations, ...defects }),
  notes: ['Left behind: lead ld_4711 (leads cannot be deleted through the API)'],
  waivers: [
    waiver,
    waiverOf('developer.auth.heder'),
    waiverOf('developer.auth.deleted-key', '2026-11-04'),
    ...[
      'developer.auth.header',
      'developer.auth.precedence',
      'developer.ads.campaigns',
      'developer.auth.live-prefix',
    ].map((clause) => waiverOf(clause)),
  ],
  profile,
  exchanges,
  deliveries,
} satisfies Ingredients;

/** A run with some of the defects, and only these. */
const only = (names: readonly (keyof typeof defects)[], rest: Partial<Ingredients> = {}): Run =>
  runOf({ results: resultsOf(Object.fromEntries(names.map((name) => [name, defects[name]]))), exchanges, ...rest });

const [fails, warns, breaks] = [
  'workspace.leads.update',
  'developer.errors.malformed-json',
  'developer.ads.audits-list',
] as const;
const [strict, trouble] = [true, 'the run was stopped by SIGINT; run it again to judge the rest'];
const unjudged = skipping('workspace', 'Not tried: set WORKSPACE_API_KEY');
const ofBoth = 'Too few responses to judge: 0 of this kind in this run';
const notChosen = (api: 'developer' | 'workspace') => skipping(api, 'Not chosen', { outside: 'selection' });
const untargeted = skipping('workspace', 'WORKSPACE_API_URL is not set', { outside: 'target' });
const selection = '-t developer';
const gap = 'workspace.webhooks.scheme';

/** One run for each way to end. */
export const samples = {
  failing: runOf(everything),
  green: runOf({ results: resultsOf(observations), exchanges }),
  noDrift: runOf({ results: resultsOf(observations), exchanges, profile: profileOf(resultsOf(observations)) }),
  reference: only([], { embedded: true }),
  warned: only([warns]),
  warnedStrictly: only([warns], { strict }),
  failedAndBroken: only([fails, breaks]),
  warnedStrictlyAndBroken: only([warns, breaks], { strict }),
  failedAndUnjudged: only([], { results: resultsOf({ ...unjudged, [fails]: defects[fails] }) }),
  failedAndInterrupted: only([fails], { trouble }),
  broken: only([breaks]),
  // That a gap was observed judges nothing.
  unjudged: only([], { results: resultsOf({ ...unjudged, [gap]: observations[gap] }) }),
  unjudgedBoth: only([], {
    results: resultsOf({ ...skipping('developer', ofBoth), ...skipping('workspace', ofBoth) }),
  }),
  interrupted: only([], { results: resultsOf(unjudged), trouble }),
  oneApi: only([], { results: resultsOf(untargeted), targeted: ['developer'] }),
  partial: only([], { results: resultsOf(notChosen('workspace')), selection }),
  partialAndUnjudged: only([], { results: resultsOf({ ...notChosen('developer'), ...unjudged }), selection }),
  open: only(['workspace.bookings.create', 'workspace.events.booking-created', 'developer.ads.campaigns']),
  openStrictly: only(['workspace.bookings.create', fails], { strict, waivers: [waiver] }),
  openShouldStrictly: only([], { results: resultsOf({ [warns]: { verdict: 'inconclusive' } }), strict }),
  skipped: only(['developer.auth.live-prefix', 'developer.sandbox.isolation']),
  waived: only([fails], { waivers: [waiver] }),
  waivedToTheLastDay: only([warns], { waivers: [waiverOf(warns, '2026-11-05')] }),
  waivedAlone: only([], { results: resultsOf({ ...unjudged, [fails]: defects[fails] }), waivers: [waiver] }),
  staleWaiver: only([], { waivers: [waiver] }),
  staleWaiverAndBroken: only([breaks], { waivers: [waiver] }),
  staleWaiverAndFailed: only(['developer.auth.deleted-key'], { waivers: [waiver] }),
} satisfies Readonly<Record<string, Run>>;

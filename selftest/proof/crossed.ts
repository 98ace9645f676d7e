import type { Api } from '../../contract/clause.ts';
import { choices, faults } from '../../fixtures/reference/deployment.ts';
import { createRandom } from '../../fixtures/reference/random.ts';
import { choicesIn, choicesText } from '../../fixtures/reference/vary.ts';
import type { Deployment } from './choice-row.ts';
import { perDayClause } from './day-in-process.ts';
import { needsEnterprise } from './fault-row.ts';
import { judgeable } from './pending.ts';

/** A fault of a deployment that is otherwise correct, in its own way. */
interface Crossing {
  readonly fault: string;
  readonly deployment: Deployment;
}

/** Faults that were missed, or blamed on other clauses, among the choices of some deployment: proven ever since. */
const met: readonly string[] = [
  // What was written to live data showed there without the run's words, and with its id.
  'sandbox-updates-written-live developer-kept-texts=own-words',
  // Where the seed state cannot be read, nothing told that the sandbox was seeded.
  'sandbox-state-404 developer-seeding=refused-400',
  // Where deletion frees no room, whatever needs further keys blamed their creation.
  'keys-delete-does-nothing developer-key-cap=five',
  // An empty account has no records that a key could lose.
  'keys-rotated-into-sandbox-data developer-live-account=empty',
  // A key that is not seen in the query counts against strangers there.
  'auth-query-other-name developer-stranger-limit=40',
  // Rows showed their ids at the end of paths alone.
  'scheduling-to-by-day-typed developer-kept-texts=own-words',
  // The name that was sent was all that looked like a secret.
  'keys-created-secret-masked developer-key-fields=german',
  // The last call of a drive was not made once more.
  'limits-two-minutes developer-accidents=a-503-now-and-then',
  // Records stood in lines of text, and in rows of values.
  'sandbox-bookings-copied developer-export-format=csv-text',
  'sandbox-bookings-copied developer-export-format=rows-of-values',
  // What went to the sandbox stood on a page that nothing leads to.
  'sandbox-live-audits-written-there developer-list-pages=twenty-page-unsaid',
  // The same without the run's words, and blamed on the list that should have kept it.
  'sandbox-live-writes-go-there developer-kept-texts=own-words',
  // Two filters at once were refused where the one environment had nothing to filter, and the clause saw the other alone.
  'ads-keywords-one-filter developer-seeding=replaced-later developer-budget=account',
  // Rotation loses a scope of the record that it makes, too.
  'keys-rotated-without-last-scope developer-rotation=new-record',
  // A key that was deleted, and is remembered, got a secret again.
  'errors-rotate-revives-deleted developer-deleted-keys=usage-stays',
  // A rotated key that had gone to the other environment was no longer seen by the keys of its own.
  'keys-rotated-into-other-data developer-keys-seen=own-environment',
  // A key that was to be refused was a live one, which the sandbox key that asked for it did not see.
  'keys-environment-production developer-keys-seen=own-environment',
  // Keys that refused requests had made stood beyond the pages that were swept, or not yet in the list.
  'auth-refused-key-is-made developer-key-list=small-pages',
  'auth-refused-key-is-made developer-key-list-age=late',
  'sandbox-updates-written-live developer-list-pages=twenty-total',
  // A list that says nothing was taken to go on: only an empty page shows the end.
  'ads-audit-never-listed developer-list-pages=twenty-page-unsaid',
  // Calls over the limit that got through made what the lists of the sandbox were looked through for.
  'limits-writes-free developer-created-shown=late',
  // Live keys stand in the list that a live key is shown alone.
  'keys-list-shows-live-secrets developer-keys-seen=own-environment',
  // Nothing but the row showed an id, and the one that it calls so first is not what paths take.
  'workspace-agents-create-message-only workspace-row-numbers=beside-public',
  // What a change takes stands in a read alone, which found nothing.
  'workspace-leads-get-lags workspace-changeable=version',
  // The list had been read for the id of the first booking, before the second one came.
  'workspace-bookings-list-latest-only workspace-id-field=metadata',
  // The length of the window was read as the limit.
  'workspace-limits-limit-of-another workspace-limit-format=window-parameter',
  // A limiter that says 403 or 503 was met before the drive, and its refusals were blamed on what was called.
  'workspace-limits-503-over-limit workspace-limiter=segments workspace-lockout=403-after-20',
  'workspace-limits-403-over-limit workspace-limiter=segments',
  // No body was taken, so that a key's refusal proved nothing: not even a wrong one.
  'workspace-auth-403-for-unknown-key workspace-kept-fields=all',
  // The id of somebody else's booking was told, in another form than the one that the list shows, and that booking was cancelled.
  'workspace-bookings-create-id-of-other workspace-ids=words',
  'workspace-bookings-create-unused-id workspace-ids=dated',
  // The number of a row was taken for the id that paths take, and nothing that the list alone shows was tried.
  'workspace-bookings-create-without-id workspace-row-numbers=bookings',
  'workspace-bookings-create-id-of-lead workspace-id-field=noun workspace-references=numbers',
  'workspace-bookings-create-unused-id workspace-row-numbers=public',
  'workspace-bookings-create-id-of-lead workspace-references=numbers workspace-ids=base58',
  'workspace-bookings-list-internal-numbers workspace-row-numbers=bookings',
  // Bookings were planned too late for a calendar, one after the other, and changes were made under a state that had passed.
  'workspace-auth-limited-key-writes workspace-calendar=ten-days',
  'workspace-auth-limited-key-writes workspace-conditions=tag',
  // A booking that was taken along shows it in a word that is no known one.
  'workspace-bookings-cancel-takes-next workspace-cancelled-booking=other-word',
  // The first view of a new record was empty, as that of a record that there never was.
  'workspace-agents-never-made-empty workspace-replica=second',
  // A deletion that ended with 500 was done, and a refused one was blamed for it.
  'workspace-errors-500-on-announced-cancel workspace-permissions=no-agents',
  // What had gone with another could not be cancelled again, and the limited key was blamed.
  'workspace-bookings-cancel-takes-all workspace-cancel-again=bad-request workspace-permissions=no-webhooks',
  // A list of one webhook lost the other as soon as there was one, and its removal was blamed.
  'workspace-webhooks-list-first-only workspace-deleted-rows=dated',
  // Every row that a change had written its words into was taken for the changed one, where no field is called an id.
  'workspace-agents-patch-changes-all workspace-id-field=words',
  // The rows of a list for a view have ids that no field is surely called.
  'workspace-leads-get-lists workspace-row-numbers=public',
  // Nothing was known to say that the list ends.
  'workspace-webhooks-list-first-only workspace-list-shape=salesforce',
  // A change that lacked a condition was refused with 422.
  'workspace-errors-422-for-fields workspace-conditions=tag',
  // The news of a booking that was just made came after a cancellation of it was refused.
  'workspace-events-cancelled-at-creation event-delay=second',
  // A limiter that smooths and tells what the minute has left was taken for an account that is full of keys.
  'limits-smoothed developer-shown-window=minute',
  // No id was surely nobody's, and nothing was blamed for it: no key could be deleted.
  'keys-delete-403 developer-key-ids=checked',
  // In the query a record was shown without its nulls.
  'sandbox-read-in-query-mode developer-optional-fields=nulls',
  // A revoked key's own 403 made a lockout's 403 the own one of every bad key.
  'workspace-auth-revoked-key-403 workspace-lockout=403-by-prefix',
  // The index of an event in the answer was taken for the id.
  'workspace-webhooks-register-without-id workspace-ids=alike',
  // The key that was deleted along with another was the rotated one.
  'keys-delete-takes-another developer-latency=slow',
  'keys-delete-takes-another developer-budget=account',
];

const crossing = (fault: string, api: Api, chosen: Deployment['chosen']): Crossing => ({
  fault,
  deployment: { api, name: choicesText(chosen), chosen },
});

const crossable = faults.filter((fault) => !needsEnterprise(fault) && !fault.fails.includes(perDayClause(fault.api)));

/** Those that are kept. */
export const metCrossed: readonly Crossing[] = met.map((line) => {
  const [id = ''] = line.split(' ');
  const { api } = faults.find((fault) => fault.id === id) ?? { api: 'developer' };
  return crossing(id, api, choicesIn(line));
});

/** The most choices that a drawn fault stands among. */
const mostChoices = 8;

/** Random faults of one API, each among a few random choices. */
export function crossings(api: Api, count: number, seed: number): Crossing[] {
  const random = createRandom(seed);
  const own = choices.filter((choice) => choice.api === api);
  const ids = crossable.filter((fault) => fault.api === api).map(({ id }) => id);
  return Array.from({ length: count }, () => {
    const taken = Array.from({ length: 1 + random.below(mostChoices) }, () => random.pick(own));
    const chosen = Object.fromEntries(taken.map(({ name, values }) => [name, random.pick(Object.keys(values))]));
    return crossing(random.pick(ids), api, judgeable(chosen));
  });
}

/** How many are drawn for each API, and the seed. */
const [crossingsEach, crossingSeed] = [20, 12];
export const drawnCrossed: readonly Crossing[] = (['developer', 'workspace'] as const).flatMap((api) =>
  crossings(api, crossingsEach, crossingSeed),
);

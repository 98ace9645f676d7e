import type { ApiName } from '../../contract/clause.ts';
import { choices, faults } from '../../fixtures/reference/deployment.ts';
import { createRandom } from '../../fixtures/reference/random.ts';
import type { Deployment } from './choice-row.ts';
import { choicesIn, choicesText } from './choices-text.ts';
import { perDayClause } from './day-in-process.ts';
import { needsEnterprise } from './fault-row.ts';
import { judgeable } from './pending.ts';

/** A fault of a deployment that makes other choices. */
interface Crossing {
  readonly fault: string;
  readonly deployment: Deployment;
}

/**
 * Faults that were once missed, or blamed on other clauses, on a deployment with these choices. They are proven since
 * then.
 */
const met: readonly string[] = [
  // What was written to live data appeared there without the run's words, but with its id.
  'sandbox-updates-written-live developer-kept-texts=own-words',
  // The list has no sign that it is complete, but reads by id find no deleted agent.
  'workspace-auth-no-effect-agents-delete-done workspace-list-shape=bare',
  // The seed state cannot be read, so that nothing showed that the sandbox was seeded.
  'sandbox-state-404 developer-seeding=refused-400',
  // Deletions free no room, and clauses that need more keys blamed their creation.
  'keys-delete-does-nothing developer-key-cap=five',
  // An empty account has no records that a key could lose.
  'keys-rotated-into-sandbox-data developer-live-account=empty',
  // A call whose key in the query is ignored counts in the budget of calls without a key.
  'auth-query-other-name developer-stranger-limit=40',
  // Rows showed their ids only at the end of paths.
  'scheduling-to-by-day-typed developer-kept-texts=own-words',
  // The name that was sent was the only text that looked like a secret.
  'keys-created-secret-masked developer-key-fields=german',
  // The last call over the limit was not repeated.
  'limits-two-minutes developer-accidents=a-503-now-and-then',
  // Records were lines of text, or rows of values.
  'sandbox-bookings-copied developer-export-format=csv-text',
  'sandbox-bookings-copied developer-export-format=rows-of-values',
  // What was written to the sandbox was on a page to which nothing leads.
  'sandbox-live-audits-written-there developer-list-pages=twenty-page-unsaid',
  // The same without the run's words; the clause of the list was blamed.
  'sandbox-live-writes-go-there developer-kept-texts=own-words',
  // Two filters together were refused in one environment; the other had nothing to filter, but the clause looked only
  // there.
  'ads-keywords-one-filter developer-seeding=replaced-later developer-budget=account',
  // A rotation that creates a new record loses a scope too.
  'keys-rotated-without-last-scope developer-rotation=new-record',
  // A rotated key lost or gained scopes of which nothing but calls shows anything.
  'keys-rotated-without-younger-modules developer-key-scopes-shown=absent',
  'keys-rotated-with-reads developer-key-scopes-shown=absent',
  // A deleted key that is remembered got a new secret.
  'errors-rotate-revives-deleted developer-deleted-keys=usage-stays',
  // The keys of its environment no longer saw a rotated key that had moved to the other one.
  'keys-rotated-into-other-data developer-keys-seen=own-environment',
  // A live key should have been refused, and the sandbox key that requested it does not see live keys.
  'keys-environment-production developer-keys-seen=own-environment',
  // Keys that refused requests had created were on pages that were not searched, or not yet in the list.
  'auth-refused-key-is-made developer-key-list=small-pages',
  'auth-refused-key-is-made developer-key-list-age=late',
  'sandbox-updates-written-live developer-list-pages=twenty-total',
  // A list without signs of its end was assumed to continue: only an empty page shows the end.
  'ads-audit-never-listed developer-list-pages=twenty-page-unsaid',
  // Calls over the limit that were admitted created records, for which the lists of the sandbox were searched.
  'limits-writes-free developer-created-shown=late',
  // Only the list that a live key sees shows live keys.
  'keys-list-shows-live-secrets developer-keys-seen=own-environment',
  // Only the row showed an id, and its first one is not the one that paths accept.
  'workspace-agents-create-message-only workspace-row-numbers=beside-public',
  // Only a read shows what a change needs, and the read found nothing.
  'workspace-leads-get-lags workspace-changeable=version',
  // The list had been read for the id of the first booking, before the second one existed.
  'workspace-bookings-list-latest-only workspace-id-field=metadata',
  // The length of the window was read as the limit.
  'workspace-limits-limit-of-another workspace-limit-format=window-parameter',
  // A limiter that answers 403 or 503 refused calls before those over the limit, and the called endpoints were blamed.
  'workspace-limits-503-over-limit workspace-limiter=segments workspace-lockout=403-after-20',
  'workspace-limits-403-over-limit workspace-limiter=segments',
  // No body was accepted, so that a refusal of a key proved nothing, not even a wrong one.
  'workspace-auth-invalid-key-changes-gets-403 workspace-kept-fields=all',
  // The answer showed the id of another booking, in another form than the list, and that booking was cancelled.
  'workspace-bookings-create-id-of-other workspace-ids=words',
  'workspace-bookings-create-unused-id workspace-ids=dated',
  // The number of a row was taken for the id that paths accept, and no id that only the list shows was tried.
  'workspace-bookings-create-without-id workspace-row-numbers=bookings',
  'workspace-bookings-create-id-of-lead workspace-id-field=noun workspace-references=numbers',
  'workspace-bookings-create-unused-id workspace-row-numbers=public',
  'workspace-bookings-create-id-of-lead workspace-references=numbers workspace-ids=base58',
  'workspace-bookings-list-internal-numbers workspace-row-numbers=bookings',
  // Bookings were planned too late for a calendar, and changes were based on an old state.
  'workspace-auth-forbidden-accepted workspace-calendar=ten-days',
  'workspace-auth-forbidden-accepted workspace-conditions=tag',
  // A booking that was cancelled along with another shows this by an unknown word.
  'workspace-bookings-cancel-takes-next workspace-cancelled-booking=other-word',
  // The first read of a new record was empty, like that of a record that never existed.
  'workspace-agents-never-made-empty workspace-replica=second',
  // A deletion that got 500 was carried out, and a refused one was blamed for it.
  'workspace-errors-500-on-announced-cancel workspace-permissions=no-agents',
  // A booking that was cancelled along with another could not be cancelled again, and the limited key was blamed.
  'workspace-bookings-cancel-takes-all workspace-cancel-again=bad-request workspace-permissions=no-webhooks',
  // A list that shows only one webhook lost the other one, and its removal was blamed.
  'workspace-webhooks-list-first-only workspace-deleted-rows=dated',
  // Every row with the words of a change was taken for the changed one, since no field is called id.
  'workspace-agents-patch-changes-all workspace-id-field=words',
  // A read that gives a list has rows with ids under unknown names.
  'workspace-leads-get-lists workspace-row-numbers=public',
  // Nothing that was known showed that the list ends.
  'workspace-webhooks-list-first-only workspace-list-shape=salesforce',
  // A change that lacked a condition was refused with 422.
  'workspace-errors-422-for-fields workspace-conditions=tag',
  // A list that shows no end was no proof, though the same call with the first key showed the booking.
  'workspace-auth-second-key-own-bookings workspace-list-shape=bare',
  // The event of a new booking came after its cancellation was refused.
  'workspace-events-cancelled-at-creation event-delay=second',
  // A limiter that spaces calls and shows the remaining ones was taken for an account that is full of keys.
  'limits-smoothed developer-shown-window=minute',
  // No key could be deleted, so that there was no id that surely no key has, and no clause was named as the reason.
  'keys-delete-403 developer-key-ids=checked',
  // Calls in query mode got records without their nulls.
  'sandbox-read-in-query-mode developer-optional-fields=nulls',
  // Because a revoked key gets 403, the 403 of a lockout was taken for the usual refusal of bad keys.
  'workspace-auth-revoked-key-gets-403 workspace-lockout=403-by-prefix',
  // The index of an event in the answer was taken for the id.
  'workspace-webhooks-register-without-id workspace-ids=alike',
  // The bad calls were used up before one was made in the query, or before its twin was.
  'auth-query-mode-unchecked developer-stranger-limit=10',
  'auth-deleted-key-in-query developer-stranger-limit=10',
  // A list that says that it is complete hid a live key's own record, since it showed the sandbox.
  'sandbox-made-live-keys-list-sandbox developer-list-pages=twenty-total',
  // Any scope of a module opened all its calls: only the key's record showed that a scope was lost.
  'keys-rotated-read-only developer-access=either',
  'keys-rotated-read-only developer-access=either developer-key-scopes-shown=map',
  // The key that was deleted along with another was the rotated one.
  'keys-delete-takes-another developer-latency=slow',
  'keys-delete-takes-another developer-budget=account',
  // While bad keys were locked out with 403, a slow 400 to a call without a key was taken for the lockout's.
  `auth-missing-key-400-on-generate developer-lockout=403-in-a-burst developer-latency=slow-models
   developer-key-scope-count=ten developer-rotation=secret-only`,
  // Ids are numbers, and no call reads a booking or webhook by its id, so that none was taken for unused.
  'workspace-errors-not-found-bookings-cancel-gets-200 workspace-ids=numeric',
  'workspace-errors-not-found-webhooks-remove-gets-200 workspace-ids=global',
  // Calls at once are limited, too: the minute's own refusals are those that come with fewer at once.
  'limits-one-more developer-concurrency=six',
  'limits-one-fewer developer-concurrency=six-of-all',
  'limits-live-one-fewer developer-concurrency=two',
  'limits-fifteen-a-second developer-concurrency=six-unsaid',
  'limits-deletes-free developer-concurrency=two',
  'workspace-limits-one-more workspace-concurrency=six-of-all',
  'workspace-limits-one-fewer workspace-concurrency=six-unsaid',
  // Only notes may be changed, and they were changed in plain letters.
  'workspace-texts-garbled workspace-changeable=notes',
  // A short number in the row was taken for the id instead of the long one that the create answered.
  'workspace-webhooks-list-internal-numbers workspace-concurrency=six-of-all workspace-ids=wide',
  // The read that was to show whether the deployment was away had to wait for its key, until it was back.
  'errors-restarts-in-use developer-key-cap=two',
  // Rows of three fields and a counted id looked alike in both environments.
  'investor-amount-null-while-sourced developer-record-ids=numeric',
  'workspace-events-cancelled-as-created workspace-row-numbers=public webhook-url-shown=masked',
  // The time of a key's last use came between the readings of the list, and was taken for that of its deletion.
  'keys-deleted-still-listed developer-key-use=last-used',
];

const crossing = (fault: string, api: ApiName, chosen: Deployment['chosen']): Crossing => ({
  fault,
  deployment: { api, name: choicesText(chosen), chosen },
});

const crossable = faults.filter((fault) => !needsEnterprise(fault) && !fault.fails.includes(perDayClause(fault.api)));

/** The kept faults, with their choices. */
export const metCrossed: readonly Crossing[] = met.map((line) => {
  const [id = ''] = line.split(' ');
  const { api } = faults.find((fault) => fault.id === id) ?? { api: 'developer' };
  return crossing(id, api, choicesIn(line));
});

/** The most choices of a deployment with a random fault. */
const mostChoices = 8;

/** Random faults of one API, each on a deployment with a few random choices. */
export function crossings(api: ApiName, count: number, seed: number): Crossing[] {
  const random = createRandom(seed);
  const own = choices.filter((choice) => choice.api === api);
  const ids = crossable.filter((fault) => fault.api === api).map(({ id }) => id);
  return Array.from({ length: count }, () => {
    const taken = Array.from({ length: 1 + random.below(mostChoices) }, () => random.pick(own));
    const chosen = Object.fromEntries(taken.map(({ name, values }) => [name, random.pick(Object.keys(values))]));
    return crossing(random.pick(ids), api, judgeable(chosen));
  });
}

/** How many are drawn for each API, and their seed. */
const [crossingsEach, crossingSeed] = [20, 12];
export const drawnCrossed: readonly Crossing[] = (['developer', 'workspace'] as const).flatMap((api) =>
  crossings(api, crossingsEach, crossingSeed),
);

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
  // The list has no sign that it is complete, but reads by id find no deleted agent.
  'workspace-auth-no-effect-agents-delete-done workspace-list-shape=bare',
  // Deletions free no room, and clauses that need more keys blamed their creation.
  'keys-delete-does-nothing developer-key-cap=five',
  // An empty account has no records that a key could lose.
  'keys-rotated-into-sandbox-data developer-live-account=empty',
  'sandbox-bookings-copied developer-export-format=rows-of-values',
  // A rotation that creates a new record loses a scope too.
  'keys-rotated-without-last-scope developer-rotation=new-record',
  // A rotated key lost or gained scopes of which nothing but calls shows anything.
  'keys-rotated-without-younger-modules developer-key-scopes-shown=absent',
  'keys-rotated-with-reads developer-key-scopes-shown=absent',
  // The keys of its environment no longer saw a rotated key that had moved to the other one.
  'keys-rotated-into-other-data developer-keys-seen=own-environment',
  // A live key should have been refused, and the sandbox key that requested it does not see live keys.
  'keys-environment-production developer-keys-seen=own-environment',
  // Keys that refused requests had created were on pages that were not searched, or not yet in the list.
  'auth-refused-key-is-made developer-key-list=small-pages',
  'auth-refused-key-is-made developer-key-list-age=late',
  'sandbox-updates-written-live developer-list-pages=twenty-total',
  // Calls over the limit that were admitted created records, for which the lists of the sandbox were searched.
  'limits-writes-free developer-created-shown=late',
  // Only the list that a live key sees shows live keys.
  'keys-list-shows-live-secrets developer-keys-seen=own-environment',
  // Only a read shows what a change needs, and the read found nothing.
  'workspace-leads-get-lags workspace-changeable=version',
  // Bookings were planned too late for a calendar, and changes were based on an old state.
  'workspace-auth-forbidden-accepted workspace-calendar=ten-days',
  'workspace-auth-forbidden-accepted workspace-conditions=tag',
  // A list that shows only one webhook lost the other one, and its removal was blamed.
  'workspace-webhooks-list-first-only workspace-deleted-rows=dated',
  // Nothing that was known showed that the list ends.
  'workspace-webhooks-list-first-only workspace-list-shape=salesforce',
  // A change that lacked a condition was refused with 422.
  'workspace-errors-422-for-fields workspace-conditions=tag',
  // A list that shows no end was no proof, though the same call with the first key showed the booking.
  'workspace-auth-second-key-own-bookings workspace-list-shape=bare',
  // The event of a new booking came after its cancellation was refused.
  'workspace-events-cancelled-at-creation event-delay=second',
  // Calls in query mode got records without their nulls.
  'sandbox-read-in-query-mode developer-optional-fields=nulls',
  // The bad calls were used up before one was made in the query, or before its twin was.
  'auth-query-mode-unchecked developer-stranger-limit=10',
  'auth-deleted-key-in-query developer-stranger-limit=10',
  // A list that says that it is complete hid a live key's own record, since it showed the sandbox.
  'sandbox-made-live-keys-list-sandbox developer-list-pages=twenty-total',
  // The key that was deleted along with another was the rotated one.
  'keys-delete-takes-another developer-latency=slow',
  'keys-delete-takes-another developer-budget=account',
  // Ids are numbers, and no call reads a booking or webhook by its id, so that none was taken for unused.
  'workspace-errors-not-found-bookings-cancel-gets-200 workspace-ids=numeric',
  // Calls at once are limited, too: the minute's own refusals are those that come with fewer at once.
  'limits-one-more developer-concurrency=six',
  // The read that was to show whether the deployment was away had to wait for its key, until it was back.
  'errors-restarts-in-use developer-key-cap=two',
  // Rows of three fields and a counted id looked alike in both environments.
  'investor-amount-null-while-sourced developer-record-ids=numeric',
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

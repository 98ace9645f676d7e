import { endpointOf } from '../../../../contract/endpoints.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { isRecord, rowsIn } from '../../../session/reading/rows.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { nounOf } from '../../../shared/collections.ts';
import { begunAfter } from '../../../shared/lists/list-reading.ts';
import { findCreated, findInListUntil, type ListSearch } from '../../../shared/lists/list-search.ts';
import { firstWebhook, registration, webhookNames } from '../events/registrations.ts';
import { deleting } from '../kinds.ts';
import { assertCreated, type Created } from './create.ts';
import { besideFirst, firstRecord, recordFor } from './records.ts';

/** Kinds of which the clause on their deletion makes a second record. */
type Paired = 'bookings' | 'webhooks';

/** The first record of its kind in the list, while a second one stands beside it. */
export interface Together {
  readonly first: ListSearch;
  /** null: no second one could be made, or nobody needs one. */
  readonly second: { readonly record: Created; readonly search: ListSearch } | null;
}

/** Looks for both with one reading, where that shows them. Throws Inconclusive where there is no first one. */
export const listedTogether = stepFor(
  (kind: Paired) => kind,
  async (session, kind): Promise<Together> => {
    const isNeeded = session.clauses.has(endpointOf(deleting(kind)).clause);
    const [record, other] = [
      await firstOf(session, kind),
      isNeeded ? await resultOrNull(secondOf(session, kind)) : null,
    ];
    const alone = await findCreated(session, record);
    // A list that was read before the second one came shows nothing of both.
    const first =
      other === null
        ? alone
        : await findInListUntil(session, record, ({ isShown }) => isShown, {
            reuse: begunAfter(session, other.answer),
          });
    const second = other && { record: other, search: await besideIn(session, kind, first, other) };
    return { first, second };
  },
);

const firstOf = async (session: Session, kind: Paired): Promise<Created> =>
  assertCreated(kind === 'bookings' ? await firstRecord(session, kind) : (await firstWebhook(session)).attempt);

/** What stands beside the first one. Throws Inconclusive where it cannot be made. */
export const secondOf = async (session: Session, kind: Paired): Promise<Created> =>
  assertCreated(
    kind === 'bookings'
      ? await recordFor(session, kind, besideFirst)
      : (await registration(session, webhookNames.second)).attempt,
  );

/** Where another record stands: on the page that was just read, where it is there; elsewhere a list may show it late. */
export function besideIn(
  session: Session,
  kind: Paired,
  search: ListSearch,
  other: Created,
): ListSearch | Promise<ListSearch> {
  const noun = nounOf(kind);
  const row = rowsIn(search.last.json, noun)?.find((one) => isRecord(one, noun, other));
  return row === undefined
    ? findInListUntil(session, other, ({ isShown, isComplete }) => isShown || !isComplete)
    : { ...search, row, isShown: true };
}

/** Whether the list shows each of two records: only then is what it shows no more gone. */
export async function showsBoth(session: Session, kind: Paired): Promise<boolean> {
  const together = await resultOrNull(listedTogether(session, kind));
  return together?.first.isShown === true && together.second?.search.isShown !== false;
}

import { endpointOf } from '../../../../contract/endpoints.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { nounOf } from '../../../records/collections.ts';
import { begunAfter } from '../../../records/list-reading.ts';
import { findCreated, findInListUntil, type ListSearch, onPage } from '../../../records/list-search.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { firstWebhook, registration, webhookNames } from '../events/registrations.ts';
import { deleting } from '../kinds.ts';
import { assertCreated, type Created } from './create.ts';
import { firstRecord, recordFor, secondBooking } from './run-records.ts';

/** Kinds for which the clause on deletion makes a second record. */
export type PairedKind = 'bookings' | 'webhooks';

/** Where the list shows the first record of a kind, and a second one, while both exist. */
export interface ListedPair {
  readonly first: ListSearch;
  /** null: there is no second record, since none could be made or no clause needs one. */
  readonly second: { readonly record: Created; readonly search: ListSearch } | null;
}

/** Looks for both records, if possible in one reading. Throws Inconclusive where there is no first record. */
export const listedPair = stepFor(
  (kind: PairedKind) => kind,
  async (session, kind): Promise<ListedPair> => {
    const record = await firstRecordOf(session, kind);
    const isNeeded = session.clauses.has(endpointOf(deleting(kind)).clause);
    const second = isNeeded ? await resultOrNull(secondRecord(session, kind)) : null;
    const alone = await findCreated(session, record);
    if (second === null) {
      return { first: alone, second: null };
    }
    // That reading may be from before the second record was made: then the list is read again.
    const reuse = begunAfter(session, second.answer);
    const first = await findInListUntil(session, record, ({ isShown }) => isShown, { reuse });
    return { first, second: { record: second, search: await searchForSecond(session, kind, first, second) } };
  },
);

const firstRecordOf = async (session: Session, kind: PairedKind): Promise<Created> =>
  assertCreated(kind === 'bookings' ? await firstRecord(session, kind) : (await firstWebhook(session)).attempt);

/** The second record of a kind. Throws Inconclusive where it cannot be made. */
export const secondRecord = async (session: Session, kind: PairedKind): Promise<Created> =>
  assertCreated(
    kind === 'bookings'
      ? await recordFor(session, kind, secondBooking)
      : (await registration(session, webhookNames.second)).attempt,
  );

/** Where the list shows the second record: on the last page of `search` or, as it may come late, in a new reading. */
export function searchForSecond(
  session: Session,
  kind: PairedKind,
  search: ListSearch,
  second: Created,
): ListSearch | Promise<ListSearch> {
  const noun = nounOf(kind);
  const found = onPage(search.last, noun, second);
  return found.place === -1
    ? findInListUntil(session, second, ({ isShown, isComplete }) => isShown || !isComplete)
    : { ...search, ...found, isShown: true };
}

/** Whether the list showed the first record and, if there is one, the second: only then is a missing one gone. */
export async function showsBoth(session: Session, kind: PairedKind): Promise<boolean> {
  const pair = await resultOrNull(listedPair(session, kind));
  return pair?.first.isShown === true && pair.second?.search.isShown !== false;
}

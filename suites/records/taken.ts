import { type JsonObject, walk } from '../../common/json.ts';
import { encoded } from '../../common/uri.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { Inconclusive, type Tally } from '../../results/outcome.ts';
import { resultOrNull } from '../engine/check.ts';
import { findingOn, judgeThat } from '../engine/expect.ts';
import { mentions } from '../reading/own-words.ts';
import { idsOf } from '../reading/record.ts';
import { rowsIn } from '../reading/rows.ts';
import { type ApiKey, isSuccess } from '../session/call.ts';
import { mainKey, type Session } from '../session/session.ts';
import { fateOf, isShownGone, type RowBefore } from './listed-records.ts';
import { type Created, deleteRecord } from './own.ts';
import { findInList, isFound, type ListSearch, nounOf } from './reads.ts';

// Which other records disappear with a deletion that is judged: its record is searched in the list before and after.

/** The ids of other records that disappeared with a deletion. */
interface Taken {
  /** Of the run. */
  readonly own: readonly string[];
  readonly foreign: readonly string[];
  /** Those of others that disappeared with further deletions, made to see whether that is chance. */
  readonly again?: readonly (readonly string[])[];
}

const nothingTaken: Taken = { own: [], foreign: [] };

/** The deletion of a record, and what its list shows afterwards. */
type Deletion = Awaited<ReturnType<typeof deleteListed>>;

/** Judges what a deletion took along. Throws Inconclusive where it may be chance that records of others disappeared. */
export function judgeTaken(tally: Tally, { record: { collection, id }, answer, taken }: Deletion): void {
  const { own, foreign, again = [] } = taken;
  const noun = nounOf(collection);
  judgeThat(tally, own.length === 0, answer, {
    message: `Deleting ${noun} ${id} also deleted ${noun} ${own.join(', ')}`,
    expected: `only ${id} deleted`,
    actual: `${own.join(', ')} deleted as well`,
  });
  const what = `${foreign.join(', ')}, which this run did not create, disappeared with a deletion`;
  if (isConfirmed(taken)) {
    tally.judge(
      findingOn(answer, {
        message: `Deleting one ${noun} removes others: ${what}, and with the next two ${again.flat().join(', ')}`,
        expected: `only the deleted ${noun} removed`,
        actual: [...foreign, ...again.flat()].join(', '),
      }),
    );
  } else if (own.length === 0 && foreign.length > 0) {
    const message = `Cannot tell whether deleting one ${noun} removes others: ${what}; somebody else may have deleted it at that moment`;
    throw new Inconclusive(findingOn(answer, { message }));
  }
}

/** Whether each of several deletions took as many records of others: that is no chance. */
const isConfirmed = ({ foreign, again = [] }: Taken): boolean =>
  foreign.length > 0 && again.length === mostAgain && again.every(({ length }) => length === foreign.length);

/** How many further deletions show whether it was chance that records of others disappeared with one. */
const mostAgain = 2;

/**
 * Deletes a record, and searches its list until it and no other is gone, within KEY_SETTLE_MS; and tells what the
 * deletion took along. `listed`: where the list showed the record before; null: that is not known. Where records of
 * others disappeared, further records are made and deleted, and where that takes others again, no more are: each
 * deletion would do harm.
 */
export async function deleteListed<R extends Created>(
  session: Session,
  record: R,
  listed: ListSearch | null,
  { make, key = mainKey(session) }: { readonly make: () => Promise<Created>; readonly key?: ApiKey },
) {
  const before: RowBefore = listed ?? { isShown: false, row: undefined };
  const answer = await deleteRecord(session, record, { key });
  const takenAt = (search: ListSearch): Taken =>
    listed === null || !isSuccess(answer) ? nothingTaken : takenBetween(session, record, listed, search);
  const isStillListed = (search: ListSearch): boolean =>
    isSuccess(answer) && fateOf(search, before, record) === 'still listed';
  // Else a replica may be behind, or a call of the run may just delete what is missing.
  const isOver = (search: ListSearch): boolean => {
    const { own, foreign } = takenAt(search);
    return !isStillListed(search) && own.length + foreign.length === 0;
  };
  const search = await findInList(session, record, { key, shows: isOver, before: before.row });
  if (isStillListed(search)) {
    session.ledger.note(record.entry, { gone: false });
  }
  const first = takenAt(search);
  const again: (readonly string[])[] = [];
  while (first.foreign.length > 0 && again.length < mostAgain && again.at(-1)?.length !== 0) {
    const another = make().then((made) => takenByAnother(session, made, key));
    again.push((await resultOrNull(another)) ?? []);
  }
  const taken: Taken = { ...first, again };
  if (isConfirmed(taken)) {
    const { collection } = record;
    const noun = nounOf(collection);
    session.writeGuard.forbid(collection, {
      message: `The run made and deleted no more ${noun}s: each deletion took others along (${[first.foreign, again].flat(2).join(', ')})`,
      blames: endpointOf(`DELETE ${collection}/:id`).clause,
    });
  }
  return {
    record,
    answer,
    /** Its row before. */
    before,
    /** Where the list shows it afterwards. */
    search,
    /** Which other records the list shows no more. */
    taken,
    isStillListed: isStillListed(search),
  };
}

async function takenByAnother(session: Session, record: Created, key: ApiKey): Promise<readonly string[]> {
  const before = await findInList(session, record, { key, shows: isFound });
  const answer = await deleteRecord(session, record, { key });
  const after = await findInList(session, record, { key });
  return isSuccess(answer) ? takenBetween(session, record, before, after).foreign : [];
}

/**
 * The ids of other records that a later search shows as gone, or no longer shows: those of the run, and those of
 * others, which stood on the first page: others are read at other moments, between which deletions move rows over the
 * border. Newer records may move others to pages that are not read: then rows that stood behind these are missing, too.
 * Nothing where a page was refused, or shows no list.
 */
function takenBetween(session: Session, { collection, id }: Created, before: ListSearch, after: ListSearch): Taken {
  const noun = nounOf(collection);
  const pagesBefore = rowsOf(before, noun);
  const pagesAfter = rowsOf(after, noun);
  if (pagesBefore === undefined || pagesAfter === undefined) {
    return nothingTaken;
  }
  const rowsBefore = pagesBefore.flat();
  const rowsAfter = pagesAfter.flat();
  const later = new Map(rowsAfter.flatMap((row) => idsOf(row, noun).map((one) => [one, row] as const)));
  const laterOf = (row: JsonObject): JsonObject | undefined => later.get(idsOf(row, noun)[0] ?? '');
  // The row of what was deleted may have moved to the front, and the search ends at the page that shows it.
  const lastShown = rowsBefore.findLastIndex((row) => laterOf(row) !== undefined && !idsOf(row, noun).includes(id));
  const isShorter = rowsAfter.length < rowsBefore.length && after.pages.length >= before.pages.length;
  const made = session.ledger.all().filter((entry) => entry.collection === collection);
  const isDeleted = session.records.deletedIn(collection);
  // A rotated key may get another id.
  const isRotated = (one: string): boolean =>
    session.evidence.exchanges.some(({ request }) => request.url.endsWith(`${collection}/${encoded(one)}/rotate`));
  const gone = rowsBefore.filter((row, place) => {
    const ids = idsOf(row, noun);
    const now = laterOf(row);
    const isGone = now === undefined ? after.isComplete || isShorter || place < lastShown : isShownGone(now, row);
    return (
      ids.length > 0 &&
      isGone &&
      !isShownGone(row) &&
      !ids.includes(id) &&
      !ids.some((one) => isDeleted(one) || isRotated(one))
    );
  });
  // A counted id may stand in rows of others: there the words decide, or that it is the row's first, and proven.
  const isOwn = (row: JsonObject): boolean =>
    session.writeGuard.allows(collection, idsOf(row, noun)[0] ?? '') || made.some(({ tag }) => mentions(row, tag));
  // A run of the suite deletes its records itself: they have its word.
  const isOfAnyRun = (row: JsonObject): boolean =>
    isOwn(row) || walk(row).some(({ value }) => typeof value === 'string' && /\bconformance\b/i.test(value));
  const idsIn = (rows: readonly JsonObject[]): string[] => rows.flatMap((row) => idsOf(row, noun)[0] ?? []);
  return {
    own: idsIn(gone.filter(isOwn)),
    foreign: idsIn(gone.filter((row) => pagesBefore[0]?.includes(row) && !isOfAnyRun(row))),
  };
}

/** The rows of each page of a search; undefined: one was refused, or shows no list. */
function rowsOf({ pages }: ListSearch, noun: string): readonly (readonly JsonObject[])[] | undefined {
  const lists = pages.map(({ answer }) => (isSuccess(answer) ? rowsIn(answer.payload, noun) : undefined));
  return lists.includes(undefined) ? undefined : lists.map((rows) => rows ?? []);
}

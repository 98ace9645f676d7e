import { type JsonObject, walk } from '../../common/json.ts';
import { showsId } from '../reading/id-fields.ts';
import { mentions } from '../reading/own-words.ts';
import { rowsIn } from '../reading/rows.ts';
import { idsOf } from '../reading/shown-ids.ts';
import type { Session } from '../session/session.ts';
import { nounOf } from './collections.ts';
import { type ListOptions, readList } from './list-reading.ts';

/** The rows of a list; null: they are not known, or not whether they are enough to tell what is gone. */
type Rows = readonly JsonObject[] | null;

/** Most pages of a list that are read to see what a deletion takes. */
const mostPages = 3;

/** The rows on the first pages of a list, and whether the last of them says that this is the whole list. */
export async function firstRows(
  session: Session,
  collection: string,
  options: ListOptions,
): Promise<{ readonly rows: readonly JsonObject[]; readonly isWhole: boolean }> {
  const rows: JsonObject[] = [];
  let pages = 0;
  for await (const { answer, complete } of (await readList(session, `GET ${collection}`, options)).pages()) {
    rows.push(...(rowsIn(answer.payload, nounOf(collection)) ?? []));
    pages += 1;
    if (complete || pages === mostPages) {
      return { rows, isWhole: complete };
    }
  }
  return { rows, isWhole: false };
}

/**
 * The ids of records that a later reading of a list shows as gone, or no longer shows: those of the run, and those of
 * others. None where the rows of one of the readings are not known.
 */
export function takenBetween(
  session: Session,
  { collection, isGone }: { readonly collection: string; readonly isGone: (row: JsonObject) => boolean },
  before: Rows,
  after: Rows,
): Record<'own' | 'foreign', string[]> {
  const noun = nounOf(collection);
  const byId = (rows: Rows): Map<string, JsonObject> =>
    new Map(
      (rows ?? []).flatMap((row) =>
        idsOf(row, noun)
          .slice(0, 1)
          .map((id): [string, JsonObject] => [id, row]),
      ),
    );
  const now = byId(after);
  const gone = [...(after === null ? [] : byId(before))].filter(([id, row]) => {
    const later = now.get(id);
    return !isGone(row) && (later === undefined || isGone(later));
  });
  const made = session.ledger.all().filter((entry) => entry.collection === collection);
  // A counted id may stand in rows of others: there the words decide.
  const ownId = (row: JsonObject): string | undefined =>
    made.find(({ id, tag }) => id !== undefined && idsOf(row, noun).includes(id) && mentions(row, tag))?.id;
  // A run of the suite deletes its records itself: they have its word.
  const isOfAnyRun = (row: JsonObject): boolean =>
    walk(row).some(({ value }) => typeof value === 'string' && /\bconformance\b/i.test(value)) ||
    made.some(({ id, answeredIds = [] }) => [id ?? [], answeredIds].flat().some((one) => showsId(row, one)));
  return {
    own: gone.flatMap(([, row]) => ownId(row) ?? []),
    foreign: gone.flatMap(([id, row]) => (isOfAnyRun(row) ? [] : [id])),
  };
}

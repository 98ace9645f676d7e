import { type JsonObject, walk } from '../../common/json.ts';
import { showsId } from '../reading/id-fields.ts';
import { mentions } from '../reading/own-words.ts';
import { rowsIn } from '../reading/rows.ts';
import { idsOf } from '../reading/shown-ids.ts';
import { isSuccess } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { nounOf } from './collections.ts';
import { type ListOptions, readList } from './list-reading.ts';

/** The rows on the first pages of a list, and whether the last of them says that this is the whole list. */
export interface FirstRows {
  readonly rows: readonly JsonObject[];
  readonly isWhole: boolean;
  /** A page was refused, or shows no list: rows that are missing prove nothing. */
  readonly isBroken: boolean;
}

/** Reads the first pages of a list, three if not said otherwise. Throws as the client does. */
export async function firstRows(
  session: Session,
  collection: string,
  { most = 3, ...options }: ListOptions & { readonly most?: number },
): Promise<FirstRows> {
  const rows: JsonObject[] = [];
  let pages = 0;
  for await (const { answer, complete } of (await readList(session, `GET ${collection}`, options)).pages()) {
    const found = isSuccess(answer) ? rowsIn(answer.payload, nounOf(collection)) : undefined;
    rows.push(...(found ?? []));
    pages += 1;
    if (!found || complete || pages === most) {
      return { rows, isWhole: complete, isBroken: !found };
    }
  }
  return { rows, isWhole: false, isBroken: false };
}

/**
 * The ids of records that a later reading of a list shows as gone, or no longer shows: those of the run, and those of
 * others. Newer records may move others to pages that are not read: then rows that stood behind these are missing, too.
 */
export function takenBetween(
  session: Session,
  { collection, isGone }: { readonly collection: string; readonly isGone: (row: JsonObject) => boolean },
  before: FirstRows,
  after: FirstRows,
): Record<'own' | 'foreign', string[]> {
  const noun = nounOf(collection);
  const byId = ({ rows }: FirstRows): Map<string, JsonObject> =>
    new Map(
      rows.flatMap((row) =>
        idsOf(row, noun)
          .slice(0, 1)
          .map((id): [string, JsonObject] => [id, row]),
      ),
    );
  const [earlier, now] = [[...byId(before)], byId(after)];
  const lastShown = earlier.findLastIndex(([id]) => now.has(id));
  const showsEnd = !after.isBroken && (after.isWhole || after.rows.length < before.rows.length);
  const gone = earlier.filter(([id, row], at) => {
    const later = now.get(id);
    const isMissing = later === undefined && (showsEnd || at < lastShown);
    return !isGone(row) && (isMissing || (later !== undefined && isGone(later)));
  });
  const made = session.ledger.all().filter((entry) => entry.collection === collection);
  // A counted id may stand in rows of others: there the words decide.
  const ownId = (row: JsonObject): string | undefined =>
    made.find(({ id, tag }) => id !== undefined && idsOf(row, noun).includes(id) && mentions(row, tag))?.id;
  // A run of the suite deletes its records itself: they have its word.
  const isOfAnyRun = (row: JsonObject): boolean =>
    walk(row).some(({ value }) => typeof value === 'string' && /\bconformance\b/i.test(value)) ||
    made.some(
      ({ id, answeredIds = [], tag }) =>
        mentions(row, tag) || [id ?? [], answeredIds].flat().some((one) => showsId(row, one)),
    );
  return {
    own: gone.flatMap(([, row]) => ownId(row) ?? []),
    foreign: gone.flatMap(([id, row]) => (isOfAnyRun(row) ? [] : [id])),
  };
}

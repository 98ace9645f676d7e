import { canonical, type JsonObject } from '../../../common/json.ts';
import { settle } from '../../engine/parts.ts';
import { isRecognised } from '../../session/reading/fingerprint.ts';
import { showsId } from '../../session/reading/id-places.ts';
import { mentions } from '../../session/reading/own-words.ts';
import type { Page } from '../../session/reading/pages.ts';
import { rawRows } from '../../session/reading/rows.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../collections.ts';
import { begunAfter, readList } from '../lists/list-reading.ts';
import { findInListUntil } from '../lists/list-search.ts';
import { idsInAnswer, type PlacedId } from './answer-ids.ts';
import type { NewRecord } from './new-record.ts';
import { rowById } from './row-by-id.ts';
import type { Listed, Sources } from './sources.ts';

/** Looks for the row of a record in its list, and again within KEY_SETTLE_MS: a list may show a new record late. */
export async function findRow(
  session: Session,
  record: NewRecord,
  known: Pick<Sources, 'runTag' | 'earlierRows'>,
): Promise<Listed> {
  const { collection, tag, maker: key, answer, companion } = record;
  await settle(...[companion?.() ?? []].flat());
  const shown = idsInAnswer(record);
  const placeOf = (rows: readonly JsonObject[]): number => {
    const place = placeOfRow(rows, record, shown);
    const row = place === -1 ? rowById(rows, record, { ...known, shown }) : undefined;
    return row === undefined ? place : rows.indexOf(row);
  };
  const looking = { key, reuse: begunAfter(session, answer), placeOf };
  const search = await findInListUntil(
    session,
    { collection, id: undefined, tag },
    ({ row }) => row !== undefined,
    looking,
  );
  const rows = rawRows(search.last, nounOf(collection));
  const place = placeOf(rows);
  const others = rows.filter((_, index) => index !== place);
  return { row: rows[place], others, isWhole: place !== -1 && search.isOnePage };
}

/** The place of the row with the record's words or, where no row has them, with its fingerprint; -1: there is none. */
function placeOfRow(rows: readonly JsonObject[], record: NewRecord, shown: readonly PlacedId[]): number {
  const { tag, fingerprint } = record;
  const worded = rows.findIndex((row) => mentions(row, tag));
  const recognised = rows.filter((row) => isRecognised(row, tag, fingerprint));
  if (worded !== -1 || recognised.length === 0) {
    return worded;
  }
  // Several records of the run may refer to the same record: then the ids of the answer show which row it is.
  const ids = shown.flatMap(({ id, standing }) => (standing === 'nested' ? [] : [id]));
  const named = recognised.find((row) => ids.some((id) => showsId(row, id)));
  const row = named ?? (recognised.length === 1 ? recognised[0] : undefined);
  return row === undefined ? -1 : rows.indexOf(row);
}

/** The rows of all other records, on all pages: what no other row of a page shows, a row of the next page may. */
export async function onAllPages(session: Session, record: NewRecord, { row }: Listed): Promise<Listed> {
  const { collection, maker: key, tag } = record;
  const list = await readList(session, `GET ${collection}`, { key, reuse: () => true });
  const pages: Page[] = [];
  for await (const page of list.pages()) {
    pages.push(page);
  }
  const rows = pages.flatMap(({ answer }) => rawRows(answer, nounOf(collection)));
  // The record's own row may show none of its words.
  const ownText = row && canonical(row);
  const isOwn = (one: JsonObject): boolean => mentions(one, tag) || canonical(one) === ownText;
  return { row, others: rows.filter((one) => !isOwn(one)), isWhole: pages.at(-1)?.complete === true };
}

import { canonical, type JsonObject } from '../../../common/json.ts';
import { settle } from '../../engine/parts.ts';
import { mentions } from '../../reading/own-words.ts';
import { rawRows } from '../../reading/rows.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../collections.ts';
import { begunAfter, readList } from '../list-reading.ts';
import { findInListUntil } from '../list-search.ts';
import type { Page } from '../pages.ts';
import { idsInAnswer } from './answer-ids.ts';
import type { NewRecord } from './new-record.ts';
import { placeOfRow } from './own-row.ts';
import { rowById } from './row-by-id.ts';
import type { Listed, Sources } from './sources.ts';

/**
 * Looks for the row of a record in its list, and again within KEY_SETTLE_MS: a list may show a new record late. A row
 * with the words in addition to something may be that of a copy: it counts only if all pages have no better one.
 */
export async function findRow(
  session: Session,
  record: NewRecord,
  known: Pick<Sources, 'runTag' | 'earlierRows'>,
): Promise<Listed> {
  const { collection, tag, maker: key, answer, companion } = record;
  await settle(...[companion?.() ?? []].flat());
  const shown = idsInAnswer(record);
  const placeIn = (rows: readonly JsonObject[], others: readonly JsonObject[], isAllRead: boolean): number => {
    const place = placeOfRow(rows, record, { shown, earlier: [...known.earlierRows, ...others], isAllRead });
    const row = place === -1 ? rowById(rows, record, { ...known, shown }) : undefined;
    return row === undefined ? place : rows.indexOf(row);
  };
  const search = await findInListUntil(session, { collection, id: undefined, tag }, ({ row }) => row !== undefined, {
    key,
    reuse: begunAfter(session, answer),
    placeOf: (rows, earlierPages) => placeIn(rows, earlierPages, false),
  });
  const isMissing = search.row === undefined && search.isComplete;
  const rows = isMissing ? rowsOf(await allPages(session, record), record) : rawRows(search.last, nounOf(collection));
  const place = isMissing ? placeIn(rows, [], true) : search.place;
  const others = rows.filter((_, index) => index !== place);
  return { row: rows[place], others, isWhole: place !== -1 && search.isOnePage };
}

/** The rows of all other records, on all pages: what no other row of a page shows, a row of the next page may. */
export async function onAllPages(session: Session, record: NewRecord, { row }: Listed): Promise<Listed> {
  const pages = await allPages(session, record);
  // The record's own row may show none of its words.
  const ownText = row && canonical(row);
  const isOwn = (one: JsonObject): boolean => mentions(one, record.tag) || canonical(one) === ownText;
  const others = rowsOf(pages, record).filter((one) => !isOwn(one));
  return { row, others, isWhole: pages.at(-1)?.complete === true };
}

/** The pages of the latest reading of the record's list. */
async function allPages(session: Session, { collection, maker: key }: NewRecord): Promise<readonly Page[]> {
  const list = await readList(session, `GET ${collection}`, { key, reuse: () => true });
  const pages: Page[] = [];
  for await (const page of list.pages()) {
    pages.push(page);
  }
  return pages;
}

const rowsOf = (pages: readonly Page[], { collection }: NewRecord): readonly JsonObject[] =>
  pages.flatMap(({ answer }) => rawRows(answer, nounOf(collection)));

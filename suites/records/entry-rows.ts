import type { JsonObject } from '../../common/json.ts';
import { mentions } from '../reading/own-words.ts';
import { rawRows } from '../reading/rows.ts';
import { isSuccess } from '../session/answer.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import type { Session } from '../session/session.ts';
import { nounOf } from './collections.ts';
import { type ListOptions, readList } from './list-reading.ts';
import { furthestPage } from './list-search.ts';

/** A row of a list that shows the words of an entry. */
export interface EntryRow {
  readonly entry: Entry;
  readonly row: JsonObject;
  /** The other rows of its page. */
  readonly others: readonly JsonObject[];
}

/** New records are at one of the ends of a list: at least this many pages are read. */
const leastPages = 3;

/**
 * Finds the rows of a collection's list that show the words of one of its entries. Reads one page beyond those on which
 * the run has found records, and on as long as pages show any. `isAllRead`: each page was read that may show more.
 */
export async function findEntryRows(
  session: Session,
  entries: readonly Entry[],
  options: ListOptions,
): Promise<{ readonly rows: readonly EntryRow[]; readonly isAllRead: boolean }> {
  const [{ collection }] = entries as [Entry];
  const { page: furthest } = await furthestPage(session, collection);
  const most = furthest === null ? Infinity : Math.max(leastPages, furthest + 1);
  const found: EntryRow[] = [];
  let pages = 0;
  let isAllRead = true;
  const list = await readList(session, `GET ${collection}`, options);
  for await (const { answer, goesOn } of list.pages()) {
    // Where the next page cannot be read, this is the last one.
    isAllRead = isSuccess(answer) && !goesOn;
    const rows = rawRows(answer, nounOf(collection));
    const worded = rows.flatMap((row) => {
      const entry = entries.find(({ tag }) => mentions(row, tag));
      return entry === undefined ? [] : [{ entry, row, others: rows.filter((one) => one !== row) }];
    });
    found.push(...worded);
    pages += 1;
    if (pages >= most && worded.length === 0) {
      isAllRead = isSuccess(answer);
      break;
    }
  }
  return { rows: found, isAllRead };
}

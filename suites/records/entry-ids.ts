import { canonical, type JsonObject } from '../../common/json.ts';
import { Inconclusive } from '../../results/outcome.ts';
import { describeAnswer, whyNoAnswer } from '../engine/expect.ts';
import { isRecognised } from '../reading/recognise.ts';
import { idsOf } from '../reading/record.ts';
import { rawRows } from '../reading/rows.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { type ApiKey, isSuccess } from '../session/call.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import type { Session } from '../session/session.ts';
import { begunAfterAll, nounOf, readingOf, readPages } from './lists.ts';
import { isAsSent, isOfOther } from './others.ts';
import { prove, proveByRow } from './prove.ts';
import { isShownGone } from './shown-gone.ts';

// Which id an entry of the ledger has.

/** The proven id of an entry; null: there is no such record. Throws Inconclusive where it is open. */
export const idOf = async (session: Session, entry: Entry, key: ApiKey): Promise<string | null> =>
  (await knownId(session, entry, key)) ?? idByWords(session, entry, key);

/**
 * The id of an entry that is proven. A counted id of an earlier run may have been given to another record since: then a
 * read has to show the record. A long random one stays the run's, unless a read can show whose it is.
 */
async function knownId(session: Session, entry: Entry, key: ApiKey): Promise<string | undefined> {
  const { collection, id } = entry;
  if (id === undefined || session.writeGuard.allows(collection, id)) {
    return id;
  }
  if (readingOf(session.api.endpoints, collection)?.isView === true) {
    return prove(session, { entry, maker: key });
  }
  return isUnguessable(id) && session.writeGuard.allow(collection, id) ? id : undefined;
}

/**
 * The proven id of the record with the words of an entry; null: there is none. Of a create that was refused only a row
 * counts that shows its words as they were sent. Throws Inconclusive where it is open.
 */
async function idByWords(session: Session, entry: Entry, key: ApiKey): Promise<string | null> {
  const { rows, isWhole } = await rowsOf(session, entry.collection, key, entry.id !== undefined);
  const isRefused = entry.refused === true && entry.accepted !== true;
  const worded = rows.filter((row) => isRecognised(row, entry) && !isOfOther(session, entry.collection, row));
  const exact = worded.filter((row) => isAsSent(session, row, entry));
  const found = exact.length > 0 || isRefused ? exact : worded;
  const [row, ...more] = found.length > 1 ? found.filter((one) => !isShownGone(one)) : found;
  if (row !== undefined && more.length === 0) {
    const others = rows.filter((one) => one !== row);
    const id = await proveByRow(session, { entry, maker: key }, { row, others });
    if (id === undefined) {
      throw open('its id is unknown, and no value in its list row is certain to be it');
    }
    return id;
  }
  if (found.length > 0) {
    throw open(`its id is unknown, and ${found.length} listed records contain "${entry.tag}"`);
  }
  const isGone = isWhole && !entry.accepted && !entry.untraceable && !hidesWords(session, entry.collection, rows);
  if (!isGone && !isRefused) {
    throw open('its id is not certain, and the pages of the list that were read do not show it');
  }
  return null;
}

const open = (message: string): Inconclusive => new Inconclusive({ message });

/** Whether a list shows a record of the run by its id alone: then it cannot prove that a record does not exist. */
function hidesWords({ ledger }: Session, collection: string, rows: readonly JsonObject[]): boolean {
  const entries = ledger.all().filter((entry) => entry.collection === collection && entry.id !== undefined);
  return entries.some((entry) =>
    rows.some((row) => idsOf(row, nounOf(collection)).includes(entry.id ?? '') && !isRecognised(row, entry)),
  );
}

/** The rows of a list, and whether these are all. */
interface ReadRows {
  readonly rows: readonly JsonObject[];
  readonly isWhole: boolean;
}

/**
 * The rows of a collection's list, each once. `mayBeGone`: one that is looked for may have been deleted. Throws
 * Inconclusive where it cannot be read.
 */
export async function rowsOf(session: Session, collection: string, key: ApiKey, mayBeGone = false): Promise<ReadRows> {
  // What was read before the last create, or just after it, may lack it.
  const { clock, evidence, openedAt, settings } = session;
  const [create, deletion] = [`POST ${collection}`, `DELETE ${collection}/:id`];
  const showsAll = begunAfterAll(
    session,
    ({ endpoint }) => endpoint === create || (mayBeGone && endpoint === deletion),
  );
  const lastCreate = evidence.exchanges.findLast(({ endpoint }) => endpoint === create)?.receivedAt ?? openedAt;
  const latest = Math.min(clock.now(), lastCreate + 2 * settings.KEY_SETTLE_MS) - settings.KEY_SETTLE_MS;
  const pages = await readPages(session, `GET ${collection}`, {
    key,
    reuse: (one) => one.at >= latest && showsAll(one),
  });
  const [{ answer: first }] = pages;
  if (!first.accepted) {
    throw open(whyNoAnswer(first) ?? `its id is not certain, and GET ${collection} gets ${describeAnswer(first)}`);
  }
  const rows = pages.flatMap(({ answer }) => rawRows(answer, nounOf(collection)));
  const last = pages.at(-1);
  const isWhole = last !== undefined && isSuccess(last.answer) && !last.goesOn;
  // As many rows as a page may hold leave open whether the list goes on; by now fewer may be left.
  return isWhole || mayBeGone
    ? { rows: [...new Map(rows.map((row) => [canonical(row), row])).values()], isWhole }
    : rowsOf(session, collection, key, true);
}

import { canonical, findLists, type JsonObject } from '../../../common/json.ts';
import { findMainList } from '../../../common/main-list.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { describeAnswer, whyNoAnswer } from '../../engine/describe-answer.ts';
import { isRecognised } from '../../reading/fingerprint.ts';
import { hasSpelled, mentions, mentionsSpelled } from '../../reading/own-words.ts';
import { idsOf } from '../../reading/shown-ids.ts';
import { callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Entry } from '../../session/ledger/ledger.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../collections.ts';
import { hidesWords } from '../hidden-words.ts';
import { type Page, pagesOf } from '../pages.ts';
import { isShownGone } from '../shown-gone.ts';
import { isAsSent } from './as-sent.ts';
import { provenIdsOfRow } from './row-ids.ts';

/**
 * The ids of the record that shows the words of a ledger entry; none: no record shows them. Throws Inconclusive where
 * that cannot be decided.
 */
export async function findByWords(session: Session, entry: Entry, key: ApiKey): Promise<readonly string[]> {
  const call = callOf(endpointOf(`GET ${entry.collection}`), key);
  const first = await session.client.send(call);
  if (!first.accepted) {
    throw unknown(
      whyNoAnswer(first) ?? `its id is not certain, and ${call.method} ${call.path} gets ${describeAnswer(first)}`,
    );
  }
  const others = session.ledger.all().flatMap((one) => (one.collection === entry.collection ? (one.id ?? []) : []));
  const pages: Page[] = [];
  const rows: Rows = { all: [], worded: [], recognised: [] };
  for await (const page of pagesOf(session.client, call, first)) {
    pages.push(page);
    page.answer.unredacted(({ payload }) => addRows(rows, payload, entry, others));
  }
  const last = pages.at(-1);
  const row = rowByWords(rows, entry, { session, goesOn: last?.goesOn === true });
  if (row !== undefined) {
    const isComplete = last?.complete === true;
    const otherRows = rows.all.filter((one) => one !== row);
    assertNotElsewhere(entry, row, otherRows);
    const ids = await provenIdsOfRow(session, { ...entry, row, others: otherRows, isComplete }, key);
    if (ids.length === 0) {
      throw unknown('its id is unknown, and no value in its list row is certain to be it');
    }
    return ids;
  }
  const isOpen =
    last?.goesOn === true ||
    entry.accepted ||
    entry.untraceable ||
    (entry.id !== undefined && last?.complete !== true) ||
    pages.some(({ answer }) => answer.unredacted(({ payload }) => mentions(payload, entry.tag)));
  if (isOpen || hidesWords(session, entry.collection)) {
    throw unknown('its id is not certain, and the pages of the list that were read do not show it');
  }
  return [];
}

/**
 * Throws Inconclusive where another row than the record's has the id of the answer to its create: it is not known then
 * which of the two has the wrong id.
 */
function assertNotElsewhere(
  { collection, answeredIds = [] }: Entry,
  row: JsonObject,
  otherRows: readonly JsonObject[],
): void {
  const has = (one: JsonObject, id: string): boolean => idsOf(one, nounOf(collection)).includes(id);
  const elsewhere = answeredIds.find((id) => !has(row, id) && otherRows.some((other) => has(other, id)));
  if (elsewhere !== undefined) {
    throw unknown(`its id is unknown: its create returned ${elsewhere}, which belongs to another row of the list`);
  }
}

/** The rows of a list: all, those that show the words of an entry, and those that show its fingerprint. */
interface Rows {
  readonly all: JsonObject[];
  readonly worded: JsonObject[];
  readonly recognised: JsonObject[];
}

/** Adds the rows of a page that no page before it has shown. Rows with the id of another entry are not recognised. */
function addRows(
  { all, worded, recognised }: Rows,
  json: unknown,
  { collection, tag, fingerprint }: Entry,
  others: readonly string[],
): void {
  const noun = nounOf(collection);
  const shown = findMainList(json, noun)?.rows ?? findLists(json).flatMap((list) => list.rows);
  const known = new Set(all.map(canonical));
  const rows = shown.filter((row) => !known.has(canonical(row)));
  const isOther = (row: JsonObject): boolean => idsOf(row, noun).some((id) => others.includes(id));
  all.push(...rows);
  worded.push(...rows.filter((row) => mentionsSpelled(row, tag)));
  recognised.push(
    ...rows.filter((row) => fingerprint !== undefined && isRecognised(row, tag, fingerprint) && !isOther(row)),
  );
}

/**
 * The row of a ledger entry: the only one in which a value is the entry's words, or the text that was sent with them; or
 * the only one that shows the words anywhere, in any spelling; or the only one with the entry's fingerprint and without
 * an id of another entry. undefined: there is none. Throws Inconclusive where there are several, or where it may be that
 * of a copy: the list shows the words of the run's records in another form, or goes on after what was read, and this row
 * shows the words with an addition.
 */
function rowByWords(
  { worded, recognised }: Rows,
  { tag, collection }: Entry,
  { session, goesOn }: { readonly session: Session; readonly goesOn: boolean },
): JsonObject | undefined {
  const isSent = (row: JsonObject): boolean => isAsSent(session, row, { collection, tag });
  const exact = worded.filter((row) => hasSpelled(row, tag) || isSent(row));
  const found = [exact, worded].find((rows) => rows.length > 0) ?? recognised;
  const [row, ...more] = found.length > 1 ? found.filter((one) => !isShownGone(one)) : found;
  if (more.length > 0 || (row === undefined && found.length > 0)) {
    throw unknown(
      `its id is unknown, and ${found.length} listed records ${worded.length > 0 ? `contain "${tag}"` : 'refer to the same records as it does'}`,
    );
  }
  if (
    row !== undefined &&
    found !== recognised &&
    hidesWords(session, collection, { inAnySpelling: found === exact })
  ) {
    throw unknown('its id is not certain, and the list changes the words of other records');
  }
  if (row !== undefined && found === worded && goesOn) {
    throw unknown(
      'its id is not certain: one row contains its tag together with other words, and the list has further pages',
    );
  }
  return row;
}

const unknown = (message: string): Inconclusive => new Inconclusive({ message });

import { canonical, type JsonObject } from '../../common/json.ts';
import { isEndpoint } from '../../contract/endpoints.ts';
import { resultOrNull } from '../engine/parts.ts';
import { mentions } from '../reading/own-words.ts';
import { idsOf } from '../reading/shown-ids.ts';
import { type Entry, intentOf } from '../session/ledger/ledger.ts';
import type { Session } from '../session/session.ts';
import {
  type Cleaned,
  claimOf,
  cleanUp,
  deleteById,
  idByWords,
  isOfSession,
  left,
  makerOf,
  orLeft,
  rowsOf,
} from './clean-up.ts';
import { canDelete, nounOf } from './collections.ts';
import { isAsSent, isOfOther, listedRows } from './others.ts';
import { proveByRow } from './prove.ts';
import { isShownGone } from './shown-gone.ts';
import { leftByDeletions } from './still-there.ts';

/**
 * Cleans up at the end of a run, or after a killed one: the ledger backwards, then what lists show of the run besides.
 * What stays is tried once more after a wait. Gives what became of each record.
 */
export async function cleanUpAll(session: Session, entries = session.ledger.toDelete()): Promise<Cleaned[]> {
  session.client.spendReserved();
  const sentBefore = session.client.sent;
  const first = [...(await cleanUp(session, entries)), ...(await sweep(session, { isLast: true }))];
  const toTry = first.filter(({ end, entry }) => end === 'left' && canDelete(entry.collection));
  if (toTry.length === 0 || session.client.sent === sentBefore || isOutOfReach(session)) {
    return [...first, ...(await listedStill(session))];
  }
  // The last requests of a killed run may still be under way, and a list may show the latest records late.
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  const again = await cleanUp(
    session,
    toTry.map(({ entry }) => entry),
  );
  return [...first.filter((one) => !toTry.includes(one)), ...again, ...(await listedStill(session))];
}

const listedStill = async (session: Session): Promise<readonly Cleaned[]> =>
  (await leftByDeletions(session)).map((entry) => left(entry, 'DELETE succeeds, but it is still listed'));

const isOutOfReach = ({ evidence }: Session): boolean =>
  ['refused', 'dns', 'tls', 'plain-http', 'timeout'].includes(evidence.exchanges.at(-1)?.failure?.kind ?? '');

/**
 * Looks into the lists for records with the run's words: what refused creates made all the same, and second records of
 * creates that were carried out twice. `isLast`: what is not found is taken off the ledger then, since it should not
 * exist.
 */
export async function sweep(session: Session, { isLast = false } = {}): Promise<readonly Cleaned[]> {
  const cleaned: Cleaned[] = [];
  // A create that was refused may have been made again with another key: then its words are those of the record.
  const made = new Set(session.ledger.all().flatMap((entry) => (entry.refused ? [] : [entry.tag])));
  for (const entry of session.ledger.all().filter((one) => isRefused(one) && isOfSession(session, one))) {
    const found = made.has(entry.tag) ? null : await orLeft(entry, () => deleteRefused(session, entry));
    if (found?.end === 'left') {
      session.ledger.accept(entry);
    } else if (found !== null || isLast) {
      session.ledger.remove(entry);
    }
    cleaned.push(...(found === null || found.end === 'gone' ? [] : [found]));
  }
  return [...cleaned, ...(isLast ? await cleanDoubles(session) : [])];
}

const isRefused = ({ refused, accepted, gone }: Entry): boolean =>
  refused === true && accepted !== true && gone !== true;

/** Deletes what a refused create made; null: nothing shows that it made anything. */
async function deleteRefused(session: Session, entry: Entry): Promise<Cleaned | null> {
  const { collection, keySetting } = entry;
  const isShown = (row: JsonObject): boolean => isAsSent(session, row, entry) && !isOfOther(session, collection, row);
  if (!canDelete(collection)) {
    const rows = listedRows(session, { collection, label: keySetting });
    return rows.some(isShown) ? left(entry, 'the API cannot delete it') : null;
  }
  const key = makerOf(session, entry);
  const { rows, isWhole } = (key && (await resultOrNull(rowsOf(session, collection, key)))) ?? {
    rows: [],
    isWhole: false,
  };
  // A later clean-up does not know what was sent.
  if (key === undefined || !rows.some((row) => mentions(row, entry.tag) && (session.tag === '' || isShown(row)))) {
    return isWhole ? { entry, end: 'gone', why: 'no record contains its tag' } : null;
  }
  const id = await idByWords(session, entry, key);
  return id === null ? null : deleteById(session, entry, id, key);
}

// A gateway that sends a call again may have one create make two records. So may a limiter that answers 429 once the
// record is made, since the create is sent again then. The last answer names one of them; the others have the same words.

/** Deletes second records of creates, as far as they are proven to be the run's, and names the others. */
async function cleanDoubles(session: Session): Promise<readonly Cleaned[]> {
  const made = session.ledger
    .all()
    .filter((one) => isOfSession(session, one) && one.refused !== true && isEndpoint(`GET ${one.collection}`));
  const groups = Map.groupBy(made, ({ collection, keySetting }) => `${collection} ${keySetting}`);
  const cleaned: Cleaned[] = [];
  for (const entries of groups.values()) {
    cleaned.push(...((await resultOrNull(cleanDoublesOf(session, entries))) ?? []));
  }
  return cleaned;
}

async function cleanDoublesOf(session: Session, entries: readonly Entry[]): Promise<readonly Cleaned[]> {
  const [{ collection, keySetting: label }] = entries as [Entry];
  const key = makerOf(session, entries[0] as Entry);
  const wasUnsure = session.evidence.exchanges.some(
    ({ endpoint, response }) => endpoint === `POST ${collection}` && (response?.status ?? 500) >= 429,
  );
  const listed = listedRows(session, { collection, label });
  if (key === undefined || !(wasUnsure || doublesIn(session, listed, entries).length > 0)) {
    return [];
  }
  const { rows, isWhole } = await rowsOf(session, collection, key);
  const cleaned: Cleaned[] = [];
  for (const { row, entry } of doublesIn(session, rows, entries)) {
    const double = session.ledger.intend(intentOf(entry));
    session.ledger.accept(double);
    const others = rows.filter((one) => canonical(one) !== canonical(row));
    const id = canDelete(collection)
      ? await proveByRow(
          session,
          { ...claimOf(entry, key), entry: { ...entry, number: double.number } },
          { row, others, isWhole },
        )
      : undefined;
    const end =
      id === undefined
        ? left(double, 'a second record of one create, and no value in its list row is certain to be its id')
        : await orLeft(double, () => deleteById(session, double, id, key));
    if (end.end !== 'left') {
      session.ledger.remove(double);
    }
    cleaned.push(end);
  }
  return cleaned;
}

/** The rows that show the words of a create as it was sent, do not say that they are gone, and have no known id. */
function doublesIn(
  session: Session,
  rows: readonly JsonObject[],
  entries: readonly Entry[],
): readonly { readonly row: JsonObject; readonly entry: Entry }[] {
  const known = new Set(session.ledger.all().flatMap(({ id, answeredIds = [] }) => [id ?? [], answeredIds].flat()));
  return rows.flatMap((row) => {
    const entry = entries.find(({ tag }) => mentions(row, tag));
    const isDouble =
      entry?.id !== undefined &&
      isAsSent(session, row, entry) &&
      !isShownGone(row) &&
      !isOfOther(session, entry.collection, row) &&
      !idsOf(row, nounOf(entry.collection)).some((id) => known.has(id));
    return isDouble ? [{ row, entry }] : [];
  });
}

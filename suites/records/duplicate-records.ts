import { hasValue, type JsonObject, walk } from '../../common/json.ts';
import { isEndpoint } from '../../contract/endpoints.ts';
import { resultOrNull } from '../engine/parts.ts';
import { instantOf, isDate } from '../reading/dates.ts';
import { mentions } from '../reading/own-words.ts';
import type { ApiKey } from '../session/key.ts';
import { type Entry, intentOf } from '../session/ledger/ledger.ts';
import type { Session } from '../session/session.ts';
import { isOfSession, makerOf } from './clean-up.ts';
import { type EntryRow, findEntryRows } from './entry-rows.ts';
import { isAsSent } from './ids/as-sent.ts';
import { isOfOther } from './ids/of-others.ts';
import { provenIdsOfRow } from './ids/row-ids.ts';
import { isShownGone } from './shown-gone.ts';

// A gateway that sends a call again may have one create make two records. So may a limiter that answers 429 once the
// record is made, since the create is sent again then. The last answer names one of them; the others have the same words.

/** The entries of one collection whose records one key deletes. */
interface Group {
  readonly entries: readonly Entry[];
  readonly key: ApiKey;
}

/**
 * Puts the second records of creates on the ledger, and gives their entries. Lists are read anew for it only where a
 * create got 429 before, or where a list that the run read anyway shows two records with the same words, and one of them
 * is the run's.
 */
export async function recordDuplicates(session: Session): Promise<readonly Entry[]> {
  const groups = groupsOf(session);
  const rows = await Promise.all(groups.map((group) => entryRows(session, group, true)));
  const isDoubling = rows.some((some) => showsDouble(session, some));
  const duplicates: Entry[] = [];
  for (const group of isDoubling ? groups : limitedOf(session, groups)) {
    duplicates.push(...(await recordDuplicatesOf(session, group)));
  }
  return duplicates;
}

/** The groups in which a create got 429 before. */
function limitedOf({ evidence }: Session, groups: readonly Group[]): readonly Group[] {
  const limited = evidence.exchanges.filter(
    ({ request, response }) => request.method === 'POST' && response?.status === 429,
  );
  const wasLimited = ({ collection, tag }: Entry): boolean =>
    limited.some(({ endpoint, request }) => endpoint === `POST ${collection}` && mentions(request.body, tag));
  return limited.length === 0 ? [] : groups.filter(({ entries }) => entries.some(wasLimited));
}

function groupsOf(session: Session): readonly Group[] {
  const made = session.ledger
    .all()
    .filter((entry) => isOfSession(session, entry) && entry.refused !== true && isEndpoint(`GET ${entry.collection}`));
  const byKey = Map.groupBy(made, ({ collection, keySetting }) => `${collection} ${keySetting}`);
  return [...byKey.values()].flatMap((entries) => {
    const key = makerOf(session, entries[0] as Entry);
    return key === undefined ? [] : [{ entries, key }];
  });
}

/** The rows with words of the entries. A list that cannot be read shows none. */
async function entryRows(session: Session, { entries, key }: Group, reuses: boolean): Promise<readonly EntryRow[]> {
  const found = await resultOrNull(findEntryRows(session, entries, { key, reuse: () => reuses }));
  return found?.rows ?? [];
}

/**
 * Whether a row shows the words of an entry as a create sent them, has none of the known ids, and does not say that its
 * record is gone. Somebody's copy of a record may have its words with an addition.
 */
function isDouble(session: Session, { row, entry }: EntryRow): boolean {
  const { collection, tag } = entry;
  return (
    isAsSent(session, row, { collection, tag }) &&
    !isShownGone(row) &&
    !knownIdsOf(session, collection).some((id) => hasValue(row, id))
  );
}

const knownIdsOf = ({ ledger }: Session, collection: string): readonly string[] =>
  ledger
    .all()
    .filter((entry) => entry.collection === collection)
    .flatMap(({ id, otherIds = [], answeredIds = [] }) => [
      ...(id === undefined ? [] : [id]),
      ...otherIds,
      ...answeredIds,
    ]);

function showsDouble(session: Session, rows: readonly EntryRow[]): boolean {
  return rows.some(({ entry, row }) => {
    const isOwn = entry.id !== undefined && hasValue(row, entry.id);
    return isOwn && rows.some((other) => other.entry === entry && isDouble(session, other));
  });
}

/** Most time between the two records that one create makes, as their rows show it, ms. */
const mostApart = 600_000;

/** Whether two rows show times of creation that one create cannot have made. */
function madeApart(one: JsonObject, other: JsonObject): boolean {
  const times = (row: JsonObject): ReadonlyMap<string, number> =>
    new Map(
      walk(row).flatMap(({ pointer, name, value }): [string, number][] =>
        ofCreation.test(name) && isDate(value) ? [[pointer, instantOf(value)]] : [],
      ),
    );
  const own = times(one);
  return [...times(other)].some(([pointer, at]) => Math.abs(at - (own.get(pointer) ?? at)) > mostApart);
}

const ofCreation = /creat|added|insert|issued|registered/i;

/**
 * The further records of creates: a row each, beside that of the first. Where one was made at another time than the
 * first, or is of another record, the list joins words to the wrong records, and none is the run's.
 */
async function doubleRows(session: Session, group: Group): Promise<readonly EntryRow[]> {
  const rows = await entryRows(session, group, false);
  const duplicates = Map.groupBy(
    rows.filter((one) => isDouble(session, one)),
    ({ entry }) => entry,
  );
  return [...duplicates].flatMap(([entry, ofEntry]) => {
    const own = rows.find((one) => one.entry === entry && entry.id !== undefined && hasValue(one.row, entry.id));
    const isWrong = ({ row }: EntryRow): boolean =>
      (own !== undefined && madeApart(own.row, row)) || isOfOther(session, entry.collection, row);
    return ofEntry.some(isWrong) ? [] : ofEntry;
  });
}

async function recordDuplicatesOf(session: Session, group: Group): Promise<readonly Entry[]> {
  const noted = new Map<string, Entry>();
  for (const { entry, row, others } of await doubleRows(session, group)) {
    const { collection, tag } = entry;
    const [id] = await provenIdsOfRow(session, { collection, row, tag, others, isComplete: false }, group.key);
    if (id !== undefined && !noted.has(id) && session.writeGuard.allow(collection, id)) {
      const double = session.ledger.intend(intentOf(entry));
      session.ledger.identify(double, id);
      noted.set(id, { ...double, id });
    }
  }
  return [...noted.values()];
}

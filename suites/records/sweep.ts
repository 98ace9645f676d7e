import { canonical } from '../../common/json.ts';
import type { Exchange } from '../../results/exchange.ts';
import { resultOrNull } from '../engine/parts.ts';
import type { ApiKey } from '../session/key.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import type { Session } from '../session/session.ts';
import { type Cleaned, cleanUp, deleteById, isOfSession, makerOf, orLeft } from './clean-up.ts';
import { canDelete } from './collections.ts';
import { recordDuplicates } from './duplicate-records.ts';
import { type EntryRow, findEntryRows } from './entry-rows.ts';
import { isAsSent } from './ids/as-sent.ts';
import { listedRows } from './ids/earlier-rows.ts';
import { isOfOther } from './ids/of-others.ts';
import { provenIdsOfRow } from './ids/row-ids.ts';
import { leftByDeletions } from './ineffective.ts';
import { begunAfterAll, type ListOptions } from './list-reading.ts';

/** Cleans up at the end of a run, or after a killed one: deletes what it made, even where the create was refused. */
export async function cleanUpAll(session: Session, entries = session.ledger.toDelete()): Promise<Cleaned[]> {
  session.client.spendReserved();
  const duplicates = await recordDuplicates(session);
  const cleaned = [
    ...(await cleanUp(session, [...duplicates.filter(({ lasting }) => !lasting), ...entries])),
    ...(await sweepRefused(session)),
  ];
  // A list that cannot be read is no trouble: these records should not exist.
  for (const entry of refusedIn(session)) {
    session.ledger.remove(entry);
  }
  return [...cleaned, ...(await leftByDeletions(session))];
}

/** The creates of the session's deployment that were refused, and may have made something all the same. */
const refusedIn = (session: Session): Entry[] =>
  session.ledger.refusedCreates().filter((entry) => isOfSession(session, entry));

/** Deletes what refused creates made. What it does not find stays on the ledger unless all of the list was read. */
export async function sweepRefused(session: Session): Promise<Cleaned[]> {
  // A create that was refused may have been made again with another key: then its words are those of the record.
  const made = new Set(session.ledger.all().flatMap((entry) => (entry.refused ? [] : [entry.tag])));
  noteListed(session, made);
  const sought = refusedIn(session).filter(({ tag }) => !made.has(tag));
  const groups = Map.groupBy(sought, ({ collection, keySetting }) => `${collection} ${keySetting}`);
  const swept = await Promise.all([...groups.values()].map((group) => resultOrNull(sweepAndSettle(session, group))));
  return swept.flatMap((some) => some ?? []);
}

/** Notes the records that the API cannot delete, and that a list has shown although their creates were refused. */
function noteListed(session: Session, made: ReadonlySet<string>): void {
  const isSought = (entry: Entry): boolean =>
    entry.lasting === true && entry.refused === true && !entry.accepted && !made.has(entry.tag);
  for (const entry of session.ledger.all().filter((one) => isSought(one) && isOfSession(session, one))) {
    const { collection, keySetting } = entry;
    const rows = listedRows(session, { collection, label: keySetting });
    if (rows.some((row) => isAsSent(session, row, entry) && !isOfOther(session, collection, row))) {
      session.ledger.accept(entry);
    }
  }
}

async function sweepAndSettle(session: Session, entries: readonly Entry[]): Promise<readonly Cleaned[]> {
  const { cleaned, isAllRead } = await sweep(session, entries);
  const left = new Set(cleaned.flatMap(({ entry, end }) => (end === 'left' ? [entry] : [])));
  const found = new Set(cleaned.map(({ entry }) => entry));
  for (const entry of entries) {
    if (left.has(entry)) {
      session.ledger.accept(entry);
    } else if (found.has(entry) || isAllRead) {
      session.ledger.remove(entry);
    }
  }
  return cleaned;
}

/** What was found of some entries in a list, and whether each of its pages was read that may show more. */
interface Swept {
  readonly cleaned: readonly Cleaned[];
  readonly isAllRead: boolean;
}

/**
 * Deletes, where the API can, the listed records of one collection that show the words of a refused create. Where there
 * are any, the latest may take KEY_SETTLE_MS to show, so the list is read again then.
 */
async function sweep(session: Session, entries: readonly Entry[]): Promise<Swept> {
  const [{ collection }] = entries as [Entry];
  const knownIds = new Set<string>();
  const first = await sweepOnce(session, entries, knownIds);
  const createdAt = session.evidence.exchanges.filter(isCreateIn(collection)).map(({ receivedAt }) => receivedAt);
  const settledAt = Math.max(0, ...createdAt) + session.settings.KEY_SETTLE_MS;
  if (first.cleaned.length === 0 || session.clock.now() >= settledAt) {
    return first;
  }
  await session.clock.sleep(settledAt - session.clock.now());
  const again = await sweepOnce(session, entries, knownIds);
  return { cleaned: [...first.cleaned, ...again.cleaned], isAllRead: again.isAllRead };
}

const isCreateIn =
  (collection: string) =>
  ({ endpoint }: Exchange): boolean =>
    endpoint === `POST ${collection}`;

/** Whether a read of the list with that key got no success. Calls with bad keys are refused for those. */
function isFailedRead(
  collection: string,
  key: ApiKey,
  { endpoint, keyLabel, keyValid, response, failure }: Exchange,
): boolean {
  const isRead = endpoint === `GET ${collection}` && keyValid && keyLabel === key.label;
  return isRead && (response === null || failure !== null || response.status >= 400);
}

/** Reads the list once, and deletes what it shows of the entries. Adds their ids to `knownIds`, which it skips. */
async function sweepOnce(session: Session, entries: readonly Entry[], knownIds: Set<string>): Promise<Swept> {
  const [first] = entries as [Entry];
  const { collection } = first;
  const key = makerOf(session, first);
  if (key === undefined) {
    return { cleaned: [], isAllRead: false };
  }
  // The second time the list has to be read anew, and so it has where a page of it could not be read.
  const isCreate = isCreateIn(collection);
  const spoils = (exchange: Exchange): boolean => isCreate(exchange) || isFailedRead(collection, key, exchange);
  const reuse = knownIds.size === 0 ? { reuse: begunAfterAll(session, spoils) } : {};
  const { found, unclear, isAllRead } = await findRecords(session, entries, knownIds, { key, ...reuse });
  const deletions = found.map(([entry, id]) =>
    canDelete(collection)
      ? orLeft(entry, deleteById(session, entry, id, key))
      : ({ entry, end: 'left', why: 'the API cannot delete it' } as const),
  );
  return { cleaned: [...(await Promise.all(deletions)), ...unclear], isAllRead };
}

/** What a list shows of some entries. */
interface Found {
  /** The id of the only record with the words of an entry. Changes under it are allowed. */
  readonly found: readonly (readonly [Entry, string])[];
  /** The entries whose words are in several records. */
  readonly unclear: readonly Cleaned[];
  readonly isAllRead: boolean;
}

/** Finds the listed records that show the words of an entry. */
async function findRecords(
  session: Session,
  entries: readonly Entry[],
  knownIds: Set<string>,
  options: ListOptions & { readonly key: ApiKey },
): Promise<Found> {
  const [{ collection }] = entries as [Entry];
  const found: (readonly [Entry, string])[] = [];
  const { rows, isAllRead } = await findEntryRows(session, entries, options);
  // A later clean-up does not know what was sent.
  const mayBeMade = ({ entry, row }: EntryRow): boolean =>
    !isOfOther(session, collection, row) && (session.tag === '' || isAsSent(session, row, entry));
  const byEntry = Map.groupBy(distinct(rows.filter(mayBeMade)), ({ entry }) => entry);
  const clear = [...byEntry.values()].flatMap((ofEntry) => (ofEntry.length === 1 ? ofEntry : []));
  const unclear = [...byEntry].flatMap(([entry, { length }]): Cleaned[] =>
    length > 1 ? [{ entry, end: 'left', why: `${length} records contain its tag` }] : [],
  );
  for (const { entry, row, others } of clear) {
    const inList = { collection, row, tag: entry.tag, others, isComplete: false };
    const [id] = await provenIdsOfRow(session, inList, options.key);
    if (id !== undefined && !knownIds.has(id) && session.writeGuard.allow(collection, id)) {
      knownIds.add(id);
      found.push([entry, id]);
    }
  }
  return { found, unclear, isAllRead };
}

/** The rows without those that a page repeats. */
const distinct = (rows: readonly EntryRow[]): readonly EntryRow[] => [
  ...new Map(rows.map((one) => [canonical(one.row), one])).values(),
];

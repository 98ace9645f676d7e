import type { Exchange } from '../../../results/exchange.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Entry } from '../../session/ledger/ledger.ts';
import { mentions } from '../../session/reading/own-words.ts';
import { rawRows } from '../../session/reading/rows.ts';
import type { Session } from '../../session/session.ts';
import { canDelete, nounOf } from '../collections.ts';
import { provenIdsOfRow } from '../ids/row-ids.ts';
import { begunAfterAll, readList } from '../lists/list-reading.ts';
import { furthestPage } from '../lists/list-search.ts';
import { type Cleaned, cleanUp, isOfSession, makerOf, removeById } from './clean-up.ts';
import { leftByDeletions } from './ineffective.ts';

/** At the end of a run, or after one that was cut off: what it made, and what it was refused and that was made all the same. */
export async function cleanUpAll(session: Session, entries = session.ledger.toDelete()): Promise<Cleaned[]> {
  const cleaned = await cleanUp(session, entries);
  const refused = session.ledger.refusedCreates().filter((entry) => isOfSession(session, entry));
  const groups = Map.groupBy(refused, ({ collection, keySetting }) => `${collection} ${keySetting}`);
  // What cannot be looked for is no trouble: it should not be there.
  const swept = await Promise.all([...groups.values()].map((group) => resultOrNull(sweep(session, group))));
  const found = swept.flatMap((some) => some ?? []);
  const left = new Set(found.flatMap(({ entry, end }) => (end === 'left' ? [entry] : [])));
  for (const entry of refused) {
    session.ledger[left.has(entry) ? 'accept' : 'remove'](entry);
  }
  return [...cleaned, ...found, ...(await leftByDeletions(session))];
}

/** What is new stands at one of the ends, most likely; and no further on than what the run made was seen, and a page. */
const leastPages = 3;

/**
 * Deletes, where the API can, the records in which the words of what was refused stand. Where there are any, the latest may take
 * KEY_SETTLE_MS to show: the list is read again then.
 */
async function sweep(session: Session, entries: readonly Entry[]): Promise<Cleaned[]> {
  const [{ collection }] = entries as [Entry];
  const known = new Set<string>();
  const first = await sweepOnce(session, entries, known);
  const isCreate = createOf(collection);
  const createdAt = session.evidence.exchanges.filter(isCreate).map(({ receivedAt }) => receivedAt);
  const settled = Math.max(0, ...createdAt) + session.settings.KEY_SETTLE_MS;
  if (first.length === 0 || session.clock.now() >= settled) {
    return first;
  }
  await session.clock.sleep(settled - session.clock.now());
  return [...first, ...(await sweepOnce(session, entries, known))];
}

const createOf =
  (collection: string) =>
  ({ endpoint }: Exchange): boolean =>
    endpoint === `POST ${collection}`;

/** Reads the list once, and on as long as it shows such records. `known`: the ids that were found before. */
async function sweepOnce(session: Session, entries: readonly Entry[], known: Set<string>): Promise<Cleaned[]> {
  const [first] = entries as [Entry];
  const { collection } = first;
  const key = makerOf(session, first);
  if (key === undefined) {
    return [];
  }
  const found: [Entry, string][] = [];
  const { page } = await furthestPage(session, collection);
  const most = page === null ? Infinity : Math.max(leastPages, page + 1);
  let pages = 0;
  const reuse = known.size === 0 ? { reuse: begunAfterAll(session, createOf(collection)) } : {};
  const look = await readList(session, `GET ${collection}`, { key, ...reuse });
  for await (const { answer } of look.pages()) {
    const rows = rawRows(answer, nounOf(collection));
    const before = found.length;
    for (const row of rows) {
      const entry = entries.find(({ tag }) => mentions(row, tag));
      if (entry === undefined) {
        continue;
      }
      const others = rows.filter((one) => one !== row);
      const [id] = await provenIdsOfRow(session, { collection, row, tag: entry.tag, others, isComplete: false }, key);
      if (id !== undefined && !known.has(id)) {
        known.add(id);
        session.writeGuard.allow(collection, id);
        found.push([entry, id]);
      }
    }
    pages += 1;
    if (pages >= most && found.length === before) {
      break;
    }
  }
  return Promise.all(
    found.map(([entry, id]) =>
      canDelete(collection)
        ? removeById(session, entry, id, key)
        : { entry, end: 'left', why: 'the API cannot delete it' },
    ),
  );
}

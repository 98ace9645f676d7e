import type { JsonObject } from '../../common/json.ts';
import type { ApiName } from '../../contract/clause.ts';
import { isEndpoint } from '../../contract/endpoints.ts';
import { urlSettings } from '../../settings/target.ts';
import { resultOrNull } from '../engine/check.ts';
import { idsOf } from '../reading/record.ts';
import type { Api } from '../session/api.ts';
import type { ApiKey } from '../session/call.ts';
import { type Entry, intentOf } from '../session/ledger/ledger.ts';
import type { OpenLedger } from '../session/ledger/ledger-file.ts';
import { openSession } from '../session/open-session.ts';
import type { Session, SessionParts } from '../session/session.ts';
import { isAsSent, isOfOther } from './candidates.ts';
import {
  type Cleaned,
  cleanEntry,
  cleanUp,
  deleteById,
  isIneffective,
  isOfSession,
  makerOf,
  open,
  rowsOf,
} from './clean-up.ts';
import { isShownGone } from './listed-records.ts';
import { prove } from './prove.ts';
import { canDelete, nounOf, pagesSinceWrite } from './reads.ts';

/**
 * Cleans up at the end of a run, or after a killed one: the ledger backwards, then what lists show of the run besides.
 * What stays is tried once more after a wait. Gives what became of each record.
 */
export async function cleanUpAll(session: Session, some = session.ledger.toDelete()): Promise<Cleaned[]> {
  session.client.spendReserved();
  const { length: sentBefore } = session.evidence.exchanges;
  const first = [...(await cleanUp(session, [...some, ...reopened(session)])), ...(await sweep(session))];
  const toTry = first.filter(({ end, entry }) => end === 'left' && canDelete(entry.collection));
  const outOfReach = ['refused', 'tls', 'plain-http', 'timeout'];
  const isOutOfReach = outOfReach.includes(session.evidence.exchanges.at(-1)?.failure?.kind ?? '');
  if (toTry.length === 0 || session.evidence.exchanges.length === sentBefore || isOutOfReach) {
    return first;
  }
  // The last requests of a killed run may still be under way, and a list may show the latest records late.
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  const again = await cleanUp(
    session,
    toTry.map(({ entry }) => entry),
  );
  return [...first.filter((one) => !toTry.includes(one)), ...again];
}

/** The records that were deleted where a deletion had no effect: theirs may have had none either. */
function reopened(session: Session): readonly Entry[] {
  const all = session.ledger.all().filter(({ collection }) => isIneffective(session, collection));
  const deleted = all.filter(({ gone, id }) => gone === true && id !== undefined);
  for (const entry of deleted) {
    session.ledger.reopen(entry);
  }
  return deleted;
}

/**
 * Looks into the lists for records with the run's words: what refused creates made all the same, and second records of
 * creates that were carried out twice, by a gateway that sends calls again, say. What was refused and is not found is
 * taken off the ledger, since it should not exist.
 */
async function sweep(session: Session): Promise<readonly Cleaned[]> {
  const { ledger } = session;
  const ofSession = ledger.all().filter((one) => isOfSession(session, one) && isEndpoint(`GET ${one.collection}`));
  const cleaned: Cleaned[] = [];
  for (const entries of Map.groupBy(ofSession, (one) => `${one.collection} ${one.keySetting}`).values()) {
    const [first] = entries as [Entry];
    const key = makerOf(session, first);
    const listed = key && (await resultOrNull(rowsOf(session, first.collection, key, pagesSinceWrite)));
    if (key && listed && strayRows(session, listed.rows, entries).length > 0) {
      // Before anything is deleted, the list is read anew.
      const { rows } = await rowsOf(session, first.collection, key);
      cleaned.push(...(await sweepList(session, key, rows, entries)));
    }
    const numbers = entries.map(({ number }) => number);
    for (const entry of ledger.all().filter((one) => numbers.includes(one.number) && wasRefused(one))) {
      ledger.remove(entry);
    }
  }
  return cleaned;
}

const wasRefused = ({ refused, accepted, gone }: Entry): boolean =>
  refused === true && accepted !== true && gone !== true;

/** What a list shows of the run besides the ledger: by entry, the rows with its words. */
function strayRows(session: Session, rows: readonly JsonObject[], entries: readonly Entry[]) {
  const { ledger } = session;
  const { collection = '' } = entries[0] ?? {};
  const known = new Set(ledger.all().flatMap(({ id, answeredIds = [] }) => [id ?? [], answeredIds].flat()));
  // A create that was refused may have been made again with another key: then its words are those of the record.
  const made = new Set(ledger.all().flatMap((entry) => (entry.refused ? [] : [entry.tag])));
  const mayHaveMore = (one: Entry): boolean => one.id !== undefined || (wasRefused(one) && !made.has(one.tag));
  const isDeleted = session.records.deletedIn(collection);
  const unknown = rows.filter(
    (row) =>
      !isShownGone(row) &&
      !isOfOther(session, collection, row) &&
      !idsOf(row, nounOf(collection)).some((id) => known.has(id) || isDeleted(id)),
  );
  return entries
    .filter(mayHaveMore)
    .map((entry) => ({ entry, own: unknown.filter((row) => isAsSent(session, row, entry)) }))
    .filter(({ own }) => own.length > 0);
}

/** Deletes what a list shows of the run besides the ledger, as far as it is proven to be its own; names the rest. */
async function sweepList(
  session: Session,
  key: ApiKey,
  rows: readonly JsonObject[],
  entries: readonly Entry[],
): Promise<readonly Cleaned[]> {
  const { ledger } = session;
  const cleaned: Cleaned[] = [];
  for (const { entry, own } of strayRows(session, rows, entries)) {
    // Of two records that a refused create may have made, one may be somebody's.
    const isClear = entry.id !== undefined || own.length === 1;
    for (const row of isClear ? own : own.slice(0, 1)) {
      const record = entry.id === undefined ? entry : ledger.intend(intentOf(entry));
      ledger.accept(record);
      const claim = { entry: { ...entry, number: record.number }, maker: key };
      const isProvable = isClear && canDelete(entry.collection);
      const id = isProvable ? await prove(session, claim, { row, rows }) : undefined;
      const one = await cleanEntry(session, record, async () => {
        if (id === undefined) {
          throw open('the list shows it besides, and no value in its row is certain to be its id');
        }
        return deleteById(session, record, id, key);
      });
      cleaned.push(one);
    }
  }
  return cleaned;
}

/** What clean-up after earlier runs needs. */
type CleanUpParts = Pick<SessionParts, 'settings' | 'clock' | 'transport'> & {
  readonly apis: Readonly<Record<ApiName, Api<Session>>>;
};

/**
 * Deletes the records in the ledgers that earlier runs left, on the deployments where they were made and only there.
 * What is not deleted stays in its ledger. Gives what became of each, the latest of a run first.
 */
export async function cleanUpLedgers(
  ledgers: readonly OpenLedger[],
  { apis, ...parts }: CleanUpParts,
): Promise<readonly Cleaned[]> {
  const cleaned: Cleaned[] = [];
  for (const { ledger, close } of ledgers) {
    const ofRun: Cleaned[] = [];
    // What no call deletes is named once.
    const lasting = ledger.undeletable();
    lasting.forEach(ledger.remove);
    const toDelete = ledger.toDelete();
    for (const api of new Set(ledger.all().flatMap((entry) => (entry.gone ? [] : [entry.api])))) {
      const origin = parts.settings[urlSettings[api]] ?? '';
      const entries = toDelete.filter((entry) => entry.api === api);
      const session = openSession(apis[api], { ...parts, origin, ledger, seed: 0, tag: '' });
      for (const entry of entries.filter((one) => one.origin !== origin)) {
        const why = `set ${urlSettings[api]} to ${entry.origin}, where it was created`;
        ofRun.push({ entry, end: 'left', why });
      }
      ofRun.push(...(await cleanUpAll(session, entries)));
    }
    close();
    cleaned.push(...ofRun.sort((a, b) => b.entry.number - a.entry.number));
    cleaned.push(...lasting.map((entry): Cleaned => ({ entry, end: 'lasting', why: '' })));
  }
  return cleaned;
}

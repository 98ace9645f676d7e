import type { ApiName } from '../../contract/clause.ts';
import { isEndpoint } from '../../contract/endpoints.ts';
import { urlSettings } from '../../settings/target.ts';
import { resultOrNull } from '../engine/check.ts';
import type { Api } from '../session/api.ts';
import { type Entry, intentOf } from '../session/ledger/ledger.ts';
import type { OpenLedger } from '../session/ledger/ledger-file.ts';
import { openSession } from '../session/open-session.ts';
import type { Session, SessionParts } from '../session/session.ts';
import { type Cleaned, cleanUp, isIneffective, isOfSession, makerOf, rowsOf } from './clean-up.ts';
import { isShownGone } from './listed-records.ts';
import { canDelete, pagesSinceWrite } from './reads.ts';

/**
 * Cleans up at the end of a run, or after a killed one: the ledger backwards, then what lists show of the run besides.
 * What stays is tried once more after a wait. Gives what became of each record.
 */
export async function cleanUpAll(session: Session, some = session.ledger.toDelete()): Promise<Cleaned[]> {
  session.client.spendReserved();
  const { length: sentBefore } = session.evidence.exchanges;
  const known = await cleanUp(session, [...some, ...reopened(session)]);
  const first = [...known, ...(await cleanUp(session, await strays(session)))];
  const toTry = first.filter(({ end, entry }) => end === 'left' && canDelete(entry.collection));
  const outOfReach = ['refused', 'tls', 'no-http1', 'plain-http', 'timeout'];
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
    session.ledger.note(entry, { gone: false });
  }
  return deleted;
}

/**
 * Looks into the lists for records with the run's words: what refused creates made all the same, and second records of
 * creates that were carried out twice, by a gateway that sends calls again, say. Gives an entry for each. What was
 * refused and is not found is taken off the ledger, since it should not exist.
 */
async function strays(session: Session): Promise<Entry[]> {
  const { ledger } = session;
  const found: Entry[] = [];
  for (const entry of ledger.all().filter((one) => isOfSession(session, one) && isEndpoint(`GET ${one.collection}`))) {
    const isRefused = entry.refused === true && entry.accepted !== true && entry.gone !== true;
    const key = isRefused || entry.id !== undefined ? makerOf(session, entry) : undefined;
    // Another record than that of the entry.
    const wanted = isRefused ? entry : { ...entry, number: 0 };
    const listed = key && (await resultOrNull(rowsOf(session, wanted, key, pagesSinceWrite)));
    if (listed?.exact.some((row) => !isShownGone(row))) {
      const stray = isRefused ? entry : ledger.intend(intentOf(entry));
      ledger.note(stray, { accepted: true });
      found.push(stray);
    } else if (isRefused) {
      ledger.note(entry, { gone: true });
    }
  }
  return found;
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
    lasting.forEach((entry) => void ledger.note(entry, { gone: true }));
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

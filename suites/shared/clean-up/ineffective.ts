import { resultOrNull } from '../../engine/parts.ts';
import type { Entry } from '../../session/ledger/ledger.ts';
import { isRecord, rawRows } from '../../session/reading/rows.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { nounOf } from '../collections.ts';
import { readPages } from '../lists/list-reading.ts';
import type { Cleaned } from './clean-up.ts';
import { isShownGone } from './still-there.ts';

/** Collections whose deletions were seen to do nothing. */
const ineffective = step(async () => new Set<string>());

/** A deletion was accepted, and what it was to delete is there as before: the others of its kind may be, too. */
export async function noteIneffective(session: Session, collection: string): Promise<void> {
  (await ineffective(session)).add(collection);
}

/** What the run deleted, and the list goes on showing, of collections whose deletions were seen to do nothing. */
export async function leftByDeletions(session: Session): Promise<Cleaned[]> {
  const { ledger } = session;
  const left: Entry[] = [];
  for (const collection of await ineffective(session)) {
    const noun = nounOf(collection);
    const pages = (await resultOrNull(readPages(session, `GET ${collection}`))) ?? [];
    const rows = pages.flatMap((page) => rawRows(page, noun));
    const deleted = ledger.all().filter((entry) => entry.collection === collection && entry.gone === true);
    left.push(
      ...deleted.filter(({ id, tag }) => {
        const row = id === undefined ? undefined : rows.find((one) => isRecord(one, noun, { id, tag }));
        return row !== undefined && !isShownGone(row);
      }),
    );
  }
  for (const entry of left) {
    ledger.reopen(entry);
  }
  return left.map((entry) => ({ entry, end: 'left', why: 'DELETE succeeds, and it is still listed' }));
}

import { resultOrNull } from '../engine/parts.ts';
import { rawRows, rowPlace } from '../reading/rows.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import type { Session } from '../session/session.ts';
import { step } from '../session/step.ts';
import type { Cleaned } from './clean-up.ts';
import { nounOf } from './collections.ts';
import { readPages } from './list-reading.ts';
import { isShownGone } from './shown-gone.ts';

/** Collections in which a deletion was seen to have no effect. */
const ineffective = step(async () => new Set<string>());

/** Notes that a deletion was accepted and had no effect, so that others of the collection may have had none. */
export async function noteIneffective(session: Session, collection: string): Promise<void> {
  (await ineffective(session)).add(collection);
}

/** The deleted records that are listed still, where a deletion had no effect. Puts them on the ledger again. */
export async function leftByDeletions(session: Session): Promise<Cleaned[]> {
  const left: Entry[] = [];
  for (const collection of await ineffective(session)) {
    left.push(...(await stillListed(session, collection)));
  }
  for (const entry of left) {
    session.ledger.reopen(entry);
  }
  return left.map((entry) => ({ entry, end: 'left', why: 'DELETE succeeds, but it is still listed' }));
}

async function stillListed(session: Session, collection: string): Promise<Entry[]> {
  const noun = nounOf(collection);
  const pages = (await resultOrNull(readPages(session, `GET ${collection}`))) ?? [];
  const rows = pages.flatMap((page) => rawRows(page, noun));
  const deleted = session.ledger.all().filter((entry) => entry.collection === collection && entry.gone === true);
  return deleted.filter(({ id, idNames = [], tag }) => {
    const row = id === undefined ? undefined : rows[rowPlace(rows, noun, { id, idNames, tag })];
    return row !== undefined && !isShownGone(row);
  });
}

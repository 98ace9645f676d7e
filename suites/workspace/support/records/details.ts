import { walk } from '../../../../common/json.ts';
import { findMainList } from '../../../../common/main-list.ts';
import { Skipped } from '../../../../results/stop.ts';
import type { Answer } from '../../../session/answer.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import { rowsIn } from '../../../session/reading/rows.ts';
import { idIn, idsOf } from '../../../session/reading/shown-ids.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { nounOf } from '../../../shared/collections.ts';
import { firstSeen, read } from '../../../shared/reads.ts';
import { listing, type Readable, reading } from '../kinds.ts';
import { assertCreated } from './create.ts';
import { mainRecord } from './main-record.ts';

/** The detail view of a record. */
interface Details {
  readonly id: string;
  /** The words that stand in it; null: it is not the run's. */
  readonly tag: string | null;
  readonly answer: Answer;
}

/** Reads the detail view of the main record. */
export const details = stepFor(
  (kind: Readable) => kind,
  async (session, kind): Promise<Details> => {
    const record = await readable(session, kind);
    return { ...record, answer: await firstSeen(session, reading(kind), record.id) };
  },
);

/** A record to read: the run's own, or, where nothing may be written, the first that is listed. */
async function readable(session: Session, kind: Readable): Promise<Omit<Details, 'answer'>> {
  try {
    const { id, tag } = assertCreated(await mainRecord(session, kind));
    return { id, tag };
  } catch (error) {
    if (!(error instanceof Skipped)) {
      throw error;
    }
    const noun = nounOf(kind);
    const page = await read(session, listing(kind));
    const id = page.unredacted(({ json }) => idIn(rowsIn(json, noun)?.[0], noun));
    if (id === undefined) {
      const message = `${error.message} (and no ${noun} is listed that could be read)`;
      throw new Skipped(message, error.finding.needs);
    }
    return { id, tag: null };
  }
}

/** Whether a view shows the record that was asked for. It may show no id of its own, and those of others. */
export const isViewOf = (answer: Answer, noun: string, { id, tag }: Omit<Details, 'answer'>): boolean =>
  answer.unredacted(({ json }) => idIn(json, noun)) === id || (tag !== null && mentions(answer.json, tag));

/** Whether what should be a record's view is a list: its id and words stand in one of several rows, and nowhere else. */
export function isOneOfMany(json: unknown, noun: string, { id, tag }: Omit<Details, 'answer'>): boolean {
  const { pointer = '', rows = [] } = findMainList(json, noun) ?? {};
  const ids = rows.map((row) => idsOf(row, noun));
  const isMeant = (value: unknown): boolean =>
    String(value) === id || (tag !== null && typeof value === 'string' && mentions(value, tag));
  return (
    ids.length > 1 &&
    ids.every((own) => own.length > 0) &&
    ids.filter((own) => own.includes(id)).length === 1 &&
    walk(json).every(({ value, pointer: place }) => place.startsWith(`${pointer}/`) || !isMeant(value))
  );
}

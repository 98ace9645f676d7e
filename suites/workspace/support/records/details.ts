import { scalarText, walk } from '../../../../common/json.ts';
import { findMainList } from '../../../../common/main-list.ts';
import { Skipped } from '../../../../results/stop.ts';
import type { Answer } from '../../../session/answer.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import { rowsIn } from '../../../session/reading/rows.ts';
import { idIn, idsOf } from '../../../session/reading/shown-ids.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { nounOf } from '../../../shared/collections.ts';
import { firstFoundView, read } from '../../../shared/reads.ts';
import { listing, type Readable, reading } from '../kinds.ts';
import { assertCreated } from './create.ts';
import { mainRecord } from './main-record.ts';

/** The detail view of a record. */
interface DetailView {
  readonly id: string;
  /** Words that stand in the record; null: the run did not make it. */
  readonly tag: string | null;
  readonly answer: Answer;
}

type Identity = Omit<DetailView, 'answer'>;

/** Reads the detail view of the main record. Throws Inconclusive where there is none, or Skipped. */
export const detailView = stepFor(
  (kind: Readable) => kind,
  async (session, kind): Promise<DetailView> => {
    const record = await recordToRead(session, kind);
    return { ...record, answer: await firstFoundView(session, reading(kind), record.id) };
  },
);

/** The main record or, where the run may write nothing, the first that is listed. */
async function recordToRead(session: Session, kind: Readable): Promise<Identity> {
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

/** Whether a view shows the record: by its id or, since a view may show none, or the ids of others, by its words. */
export const showsRecord = (answer: Answer, noun: string, { id, tag }: Identity): boolean =>
  answer.unredacted(({ json }) => idIn(json, noun)) === id || (tag !== null && mentions(answer.json, tag));

/** Whether a view is a list instead: the record's id and words stand in one of several rows, and nowhere else. */
export function isListWithRecord(json: unknown, noun: string, { id, tag }: Identity): boolean {
  const { pointer = '', rows = [] } = findMainList(json, noun) ?? {};
  const idsByRow = rows.map((row) => idsOf(row, noun));
  const isOfRecord = (value: unknown): boolean =>
    scalarText(value) === id || (tag !== null && typeof value === 'string' && mentions(value, tag));
  return (
    idsByRow.length > 1 &&
    idsByRow.every((ids) => ids.length > 0) &&
    idsByRow.filter((ids) => ids.includes(id)).length === 1 &&
    walk(json).every(({ value, pointer: place }) => place.startsWith(`${pointer}/`) || !isOfRecord(value))
  );
}

import { canonical, hasValue, type JsonObject } from '../../../../common/json.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { mentions } from '../../../reading/own-words.ts';
import { recordIn } from '../../../reading/record.ts';
import { isRecord, rowPlace, rowsIn } from '../../../reading/rows.ts';
import { idsOf } from '../../../reading/shown-ids.ts';
import { nounOf } from '../../../records/collections.ts';
import { begunAfter, readList } from '../../../records/list-reading.ts';
import { findCreated } from '../../../records/list-search.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { listing, type Readable, reading } from '../kinds.ts';
import type { Created } from '../records/create.ts';
import { shows } from './change-candidates.ts';
import { type ChangeResult, firstRecordChange } from './changes.ts';

/** A record as an answer shows it. */
interface ShownRecord {
  readonly row: JsonObject;
  readonly answer: Answer;
}

/** A change, and another record that shows the changed values too; undefined: none of those that were read does. */
interface ChangeAndNeighbour extends ChangeResult {
  readonly changedNeighbour: ShownRecord | undefined;
}

/** Changes the first record, and looks for another that changed with it. Throws Inconclusive without a record. */
export const changeAndNeighbours = stepFor(
  (kind: Readable) => kind,
  async (session, kind): Promise<ChangeAndNeighbour> => {
    const change = await firstRecordChange(session, kind);
    const changedNeighbour = isSuccess(change.answer) ? await findChangedNeighbour(session, kind, change) : undefined;
    return { ...change, changedNeighbour };
  },
);

async function findChangedNeighbour(
  session: Session,
  kind: Readable,
  { record, values, answer }: ChangeResult,
): Promise<ShownRecord | undefined> {
  const worded = values.filter((value) => typeof value === 'string' && mentions(value, record.tag));
  const isChanged = ({ row }: ShownRecord): boolean => worded.some((value) => shows(row, value));
  const listed = await readListEnds(session, kind, answer);
  const changed = listed.filter(isChanged);
  // One changed row is the record's, whatever id the list shows. Among several, its id tells which one is, even in a
  // field that is not called an id.
  const withId = changed.filter(({ row }) => hasValue(row, record.id));
  const isOfRecord = (shown: ShownRecord): boolean =>
    withId.length > 0 ? withId.includes(shown) : isRecord(shown.row, nounOf(kind), record);
  const other = changed.length < 2 ? undefined : changed.find((shown) => !isOfRecord(shown));
  const isStillListed = listed.some(({ row }) => isRecord(row, nounOf(kind), record));
  return other ?? (isStillListed ? undefined : (await readNeighbours(session, kind, record)).find(isChanged));
}

/** The rows on the first two pages read after a change, each once. The second is the other end of a long list. */
async function readListEnds(session: Session, kind: Readable, change: Answer): Promise<ShownRecord[]> {
  const look = await readList(session, listing(kind), { reuse: begunAfter(session, change) });
  const rows = new Map<string, ShownRecord>();
  let pages = 0;
  for await (const { answer } of look.pages()) {
    for (const row of rowsIn(answer.json, nounOf(kind)) ?? []) {
      rows.set(canonical(row), { row, answer });
    }
    pages += 1;
    if (pages === 2) {
      break;
    }
  }
  return [...rows.values()];
}

/** The records listed before and after one in the middle of a list, as they are read now. */
async function readNeighbours(session: Session, kind: Readable, record: Created): Promise<ShownRecord[]> {
  const search = await resultOrNull(findCreated(session, record));
  const noun = nounOf(kind);
  const rows = rowsIn(search?.last.json, noun) ?? [];
  const place = rowPlace(rows, noun, record);
  const neighbours = place === -1 ? [] : [rows[place - 1], rows[place + 1]].filter((row) => row !== undefined);
  const ids = neighbours.flatMap((row) => idsOf(row, noun).slice(0, 1));
  const views = await Promise.all(ids.map((id) => send(session, reading(kind), { id })));
  return views.filter(isSuccess).flatMap((answer) => {
    const row = recordIn(answer.json, noun);
    return row === undefined ? [] : [{ row, answer }];
  });
}

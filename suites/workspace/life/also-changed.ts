import { canonical, hasValue, type JsonObject } from '../../../common/json.ts';
import { mentions } from '../../reading/own-words.ts';
import { recordIn } from '../../reading/record.ts';
import { isRecord, rowPlace, rowsIn } from '../../reading/rows.ts';
import { idsOf } from '../../reading/shown-ids.ts';
import { nounOf } from '../../records/collections.ts';
import { begunAfter, readList } from '../../records/list-reading.ts';
import type { ListSearch } from '../../records/list-search.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { listing, type Readable, reading } from '../kinds.ts';
import { shows } from './changed-fields.ts';
import type { Change } from './changes.ts';

/** A record as an answer shows it. */
export interface ShownRecord {
  readonly row: JsonObject;
  readonly answer: Answer;
}

/**
 * Another record that shows the values of an accepted change too; undefined: none of those that are read does. `listed`:
 * where the list showed the record before.
 */
export async function findAlsoChanged(
  session: Session,
  kind: Readable,
  { record, values, answer }: Change,
  listed: ListSearch,
): Promise<ShownRecord | undefined> {
  const noun = nounOf(kind);
  const worded = values.filter((value) => typeof value === 'string' && mentions(value, record.tag));
  const isChanged = ({ row }: ShownRecord): boolean => worded.some((value) => shows(row, value));
  const rows = await listEnds(session, kind, answer);
  const changed = rows.filter(isChanged);
  // One changed row is the record's, whatever id the list shows. Among several, its id tells which one is, even in a
  // field that is not called an id.
  const withId = changed.filter(({ row }) => hasValue(row, record.id));
  const isOwn = (shown: ShownRecord): boolean =>
    withId.length > 0 ? withId.includes(shown) : isRecord(shown.row, noun, record);
  const other = changed.length < 2 ? undefined : changed.find((shown) => !isOwn(shown));
  if (other !== undefined || rows.some(({ row }) => isRecord(row, noun, record))) {
    return other;
  }
  // In the middle of a long list: the records before and after it are read.
  const page = rowsIn(listed.last.json, noun) ?? [];
  const place = rowPlace(page, noun, record);
  const beside = place === -1 ? [] : [page[place - 1], page[place + 1]].filter((row) => row !== undefined);
  const ids = beside.flatMap((row) => idsOf(row, noun).slice(0, 1));
  const views = await Promise.all(ids.map((id) => send(session, reading(kind), { id })));
  return views
    .filter(isSuccess)
    .flatMap((view) => ({ row: recordIn(view.json, noun) ?? {}, answer: view }))
    .find(isChanged);
}

/** The rows on the first two pages read after a change, each once. The second is the other end of a long list. */
async function listEnds(session: Session, kind: Readable, change: Answer): Promise<ShownRecord[]> {
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

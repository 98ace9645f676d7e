import { canonical, hasValue, type JsonObject } from '../../../../common/json.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import { recordIn } from '../../../session/reading/record.ts';
import { isRecord, rowsIn } from '../../../session/reading/rows.ts';
import { idsOf } from '../../../session/reading/shown-ids.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { nounOf } from '../../../shared/collections.ts';
import { whereListed } from '../../../shared/lists/list-search.ts';
import { after, lookInto } from '../../../shared/lists/looks.ts';
import { listing, type Readable, reading } from '../kinds.ts';
import type { Created } from '../records/create.ts';
import { shows } from './change-candidates.ts';
import { type Changed, changed } from './changes.ts';

/** A record, and the answer that shows it. */
interface Sight {
  readonly row: JsonObject;
  readonly answer: Answer;
}

/** A change, and another record that shows the changed values beside the changed one; undefined where none does that is looked at. */
interface ChangedBeside extends Changed {
  readonly beside: Sight | undefined;
}

/** Changes the first record, and looks at those beside it. Throws Inconclusive where there is no record. */
export const changedBeside = stepFor(
  (kind: Readable) => kind,
  async (session, kind): Promise<ChangedBeside> => {
    const change = await changed(session, kind);
    return { ...change, beside: isSuccess(change.answer) ? await besideIn(session, kind, change) : undefined };
  },
);

async function besideIn(session: Session, kind: Readable, change: Changed): Promise<Sight | undefined> {
  const { record, values } = change;
  const own = values.filter((value) => typeof value === 'string' && mentions(value, record.tag));
  const isChanged = ({ row }: Sight): boolean => own.some((value) => shows(row, value));
  const listed = await ends(session, kind, change.answer);
  const showing = listed.filter(isChanged);
  // One row alone is the record's, whatever id the list shows.
  // No field need be called an id.
  const named = showing.filter(({ row }) => hasValue(row, record.id));
  const isIts = (one: Sight) => (named.length > 0 ? named.includes(one) : isRecord(one.row, nounOf(kind), record));
  const other = showing.length < 2 ? undefined : showing.find((one) => !isIts(one));
  const isThere = listed.some(({ row }) => isRecord(row, nounOf(kind), record));
  return other ?? (isThere ? undefined : (await neighbours(session, kind, record)).find(isChanged));
}

/** The rows at both ends of a list after a change, each once. */
async function ends(session: Session, kind: Readable, change: Answer): Promise<Sight[]> {
  const look = await lookInto(session, listing(kind), { reuse: after(session, change) });
  const rows = new Map<string, Sight>();
  let pages = 0;
  for await (const { answer } of look.pages()) {
    for (const row of rowsIn(answer.json, nounOf(kind)) ?? []) {
      rows.set(canonical(row), { row, answer });
    }
    pages += 1;
    // The other end of a long list comes second.
    if (pages === 2) {
      break;
    }
  }
  return [...rows.values()];
}

/** The records before and after one that stands in the middle of a list, as they are now. */
async function neighbours(session: Session, kind: Readable, record: Created): Promise<Sight[]> {
  const search = await resultOrNull(whereListed(session, record));
  const noun = nounOf(kind);
  const rows = rowsIn(search?.last.json, noun) ?? [];
  const place = rows.findIndex((row) => isRecord(row, noun, record));
  const beside = place === -1 ? [] : [rows[place - 1], rows[place + 1]].filter((row) => row !== undefined);
  const views = await Promise.all(
    beside.flatMap((row) => idsOf(row, noun).slice(0, 1)).map((id) => send(session, reading(kind), { id })),
  );
  return views.filter(isSuccess).flatMap((answer) => {
    const row = recordIn(answer.json, noun);
    return row === undefined ? [] : [{ row, answer }];
  });
}

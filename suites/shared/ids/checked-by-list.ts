import { type JsonObject, walk } from '../../../common/json.ts';
import { settle } from '../../engine/parts.ts';
import { isRecognised } from '../../session/reading/fingerprint.ts';
import { idsOf } from '../../session/reading/record.ts';
import { rawRows, rowPlace } from '../../session/reading/rows.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../collections.ts';
import { begunAfter } from '../lists/list-reading.ts';
import { findInListUntil, type ListSearch } from '../lists/list-search.ts';
import { isAlike, isOrEndsWith, onlyIts } from './ids-in-row.ts';
import { aroundId } from './readable-id.ts';
import { safeIds, strangersIn } from './safe-ids.ts';
import type { Unidentified } from './tried-ids.ts';

/**
 * The ids of a record that no read takes, once its list is seen. Where the list shows what the run has made under another id of the form of
 * that which the answer to the create names, the list is right: who deletes under the other one may delete another's. Else it is the one
 * named, and what else the answer or the list calls an id and is nobody else's may be what paths take. None where it is somebody else's, too.
 */
export async function checkedByList(session: Session, made: Unidentified, own: string): Promise<readonly string[]> {
  const { collection, tag, maker: key, fingerprint, answer, beside } = made;
  await settle(...[beside?.() ?? []].flat());
  const noun = nounOf(collection);
  const record = { id: undefined, tag };
  const rowIn = ({ last }: ListSearch): [JsonObject | undefined, readonly JsonObject[]] => {
    const rows = rawRows(last, noun);
    // Several of the run's may refer to the same record.
    const recognised = rows.filter((one) => isRecognised(one, tag, fingerprint));
    const [only, ...more] = recognised;
    const named = recognised.find((one) => names(one, own)) ?? (more.length === 0 ? only : undefined);
    return [rows[rowPlace(rows, noun, record)] ?? named, rows];
  };
  // A list may show it late, under another id than the one told.
  const search = await findInListUntil(session, { collection, ...record }, (one) => rowIn(one)[0] !== undefined, {
    key,
    reuse: begunAfter(session, answer),
  });
  const [row, rows] = rowIn(search);
  const isTold = (id: string): boolean => answer.unredacted(({ json }) => names(json, id));
  const others = rows.filter((one) => one !== row);
  const isAnothers = others.some((one) => idsOf(one, noun).includes(own));
  const untold = (row === undefined ? [] : idsOf(row, noun)).filter((id) => !isTold(id));
  const [listed, ...more] = untold.filter((id) => isAnothers || isAlike(id, own));
  if (listed !== undefined && more.length === 0 && !names(row, own)) {
    return [listed];
  }
  const isAll = row !== undefined && search.isOnePage;
  const safe = await safeIds(session, made, own, { shown: aroundId(answer, own), others, isComplete: isAll });
  return [...safe, ...onlyIts(untold, strangersIn(session, others), isAll)];
}

/** Whether an id stands there, or a path that ends with it. */
const names = (root: unknown, id: string): boolean => walk(root).some(({ value }) => isOrEndsWith(String(value), id));

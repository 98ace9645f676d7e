import { at, walk } from '../../common/json.ts';
import { settle } from '../engine/parts.ts';
import { isRecognised } from '../session/fingerprint.ts';
import { idsOf } from '../session/record.ts';
import { rowPlace, rowsIn } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { nounOf } from './collections.ts';
import { isAlike, isOrEndsWith, withFurther } from './ids-in-row.ts';
import { lookFor } from './list-search.ts';
import { after } from './looks.ts';
import type { Unidentified } from './tried-ids.ts';

/**
 * The ids of a record that no read takes, once its list is seen. Where the list shows what the run has made under another id of the form of
 * that which the answer to the create names, the list is right: who deletes under the other one may delete another's. Else it is the one
 * named, and what else the answer calls an id and is nobody else's may be what paths take. None where it is somebody else's, too.
 */
export async function checkedByList(
  session: Session,
  { collection, tag, maker: key, fingerprint, answer, beside }: Unidentified,
  own: string,
): Promise<readonly string[]> {
  await settle(...[beside?.() ?? []].flat());
  const noun = nounOf(collection);
  const record = { id: undefined, tag };
  const { last, isComplete, pages } = await lookFor(session, collection, record, {
    key,
    reuse: after(session, answer),
  });
  const isTold = (id: string): boolean => answer.unredacted(({ json }) => names(json, id));
  const told = answer.unredacted(({ json }) => at(json, session.api.payload));
  return last.unredacted(({ json }) => {
    const rows = rowsIn(at(json, session.api.payload), noun) ?? [];
    const made = rows[rowPlace(rows, noun, record)] ?? rows.find((one) => isRecognised(one, tag, fingerprint));
    const [listed, ...more] = (made === undefined ? [] : idsOf(made, noun)).filter(
      (id) => !isTold(id) && isAlike(id, own),
    );
    if (listed !== undefined && more.length === 0 && !names(made, own)) {
      return [listed];
    }
    const others = rows.filter((one) => one !== made);
    // Rows of other pages are not compared.
    const areAll = made !== undefined && isComplete && pages === 1;
    return withFurther(told, noun, own, { others, isComplete: areAll });
  });
}

/** Whether an id stands there, or a path that ends with it. */
const names = (root: unknown, id: string): boolean => walk(root).some(({ value }) => isOrEndsWith(String(value), id));

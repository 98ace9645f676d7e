import { at, walk } from '../../common/json.ts';
import { isRecognised } from '../session/fingerprint.ts';
import { idsOf } from '../session/record.ts';
import { rowPlace, rowsIn } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { nounOf } from './collections.ts';
import { furtherIds, isOrEndsWith } from './ids-in-row.ts';
import { lookFor } from './list-search.ts';
import { after } from './looks.ts';
import type { Unidentified } from './tried-ids.ts';

/**
 * The ids of a record that no read takes, once its list is seen. Where the list shows what the run has made under another id, and what the
 * answer to the create names is somebody else's or of the same form, the list is right: who deletes under the other one would delete
 * another's. Else the one that the answer names is nobody else's, and so is what nobody can guess and is called an id
 * there (in the answer, where the list shows no record of the run's yet): paths may take either.
 */
export async function checkedByList(
  session: Session,
  { collection, tag, maker: key, fingerprint, answer }: Unidentified,
  own: string,
): Promise<readonly string[]> {
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
    const isAnothers = (id: string): boolean => rows.some((one) => one !== made && names(one, id));
    if (made !== undefined) {
      const [listed, ...more] = idsOf(made, noun).filter((id) => !isTold(id) && (isAnothers(own) || isAlike(id, own)));
      if (listed !== undefined && more.length === 0 && !names(made, own)) {
        return [listed];
      }
    }
    const others = rows.filter((one) => one !== made);
    // Rows of other pages are not compared.
    const areAll = made !== undefined && isComplete && pages === 1;
    return [own, ...furtherIds(made ?? told, noun, own, others, areAll)];
  });
}

/** Whether an id stands there, or a path that ends with it. */
const names = (root: unknown, id: string): boolean => walk(root).some(({ value }) => isOrEndsWith(String(value), id));

const prefixOf = (id: string): string => /^[a-z]+[_-]/i.exec(id)?.[0] ?? '';

/** Whether two ids are of one form. */
const isAlike = (one: string, other: string): boolean =>
  [one, other].every((id) => /^\d+$/.test(id)) || (one.length === other.length && prefixOf(one) === prefixOf(other));

import { at, walk } from '../../common/json.ts';
import { isRecognised } from '../session/fingerprint.ts';
import { ownIds } from '../session/own-ids.ts';
import { idsOf, recordIn } from '../session/record.ts';
import { rowPlace, rowsIn } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { isUnguessable } from '../session/unguessable.ts';
import { nounOf } from './collections.ts';
import { lookFor } from './list-search.ts';
import { after } from './looks.ts';
import type { Unidentified } from './tried-ids.ts';

/**
 * The ids of a record that no read takes, once its list is seen. Where the list shows what the run has made under another id of the form of
 * that which the answer to the create names, the list is right: who deletes under the other one may delete another's. Else it is the one
 * named, and what else the answer calls an id and is nobody else's may be what paths take.
 */
export async function checkedByList(
  session: Session,
  { collection, tag, maker: key, fingerprint, answer }: Unidentified,
  own: string,
): Promise<readonly string[]> {
  const noun = nounOf(collection);
  const record = { id: undefined, tag };
  const { last } = await lookFor(session, collection, record, { key, reuse: after(session, answer) });
  const isTold = (id: string): boolean => answer.unredacted(({ json }) => names(json, id));
  return last.unredacted(({ json }) => {
    const rows = rowsIn(at(json, session.api.payload), noun) ?? [];
    const made = rows[rowPlace(rows, noun, record)] ?? rows.find((one) => isRecognised(one, tag, fingerprint));
    if (made === undefined) {
      return [own];
    }
    const isAnothers = (id: string): boolean => rows.some((one) => one !== made && names(one, id));
    const [listed, ...more] = idsOf(made, noun).filter((id) => !isTold(id) && isAlike(id, own));
    if (listed !== undefined && more.length === 0 && !names(made, own)) {
      return [listed];
    }
    const others = ownIds(recordIn(made, noun) ?? made, noun).map(({ id }) => id);
    return [own, ...others.filter((id) => id !== own && isTold(id) && isUnguessable(id) && !isAnothers(id))];
  });
}

/** Whether an id stands there, or a path that ends with it. */
const names = (root: unknown, id: string): boolean =>
  walk(root).some(({ value }) => [String(value), String(value).split('/').at(-1)].includes(id));

const prefixOf = (id: string): string => /^[a-z]+[_-]/i.exec(id)?.[0] ?? '';

/** Whether two ids are of one form. */
const isAlike = (one: string, other: string): boolean =>
  [one, other].every((id) => /^\d+$/.test(id)) || (one.length === other.length && prefixOf(one) === prefixOf(other));

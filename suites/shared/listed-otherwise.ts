import { at, type JsonObject, walk } from '../../common/json.ts';
import { isRecognised } from '../session/fingerprint.ts';
import { idsOf } from '../session/record.ts';
import { rowPlace, rowsIn } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { nounOf } from './collections.ts';
import { lookFor } from './list-search.ts';
import { after } from './looks.ts';
import type { Unidentified } from './tried-ids.ts';

/**
 * The id of the row in which the list shows what the run has made, where that is another than the answer to the create names, and the list
 * is right: what the create names is somebody else's, or of the same form. undefined otherwise. No read takes such ids: who deletes
 * under what the create names would delete another's.
 */
export async function listedOtherwise(
  session: Session,
  { collection, tag, maker: key, fingerprint, answer }: Unidentified,
  [own = '']: readonly string[],
): Promise<readonly string[] | undefined> {
  const noun = nounOf(collection);
  const record = { id: undefined, tag };
  const { last } = await lookFor(session, collection, record, { key, reuse: after(session, answer) });
  const rowsOf = (json: unknown): readonly JsonObject[] => rowsIn(at(json, session.api.payload), noun) ?? [];
  const ids = last.unredacted(({ json }) => {
    const rows = rowsOf(json);
    const made = rows[rowPlace(rows, noun, record)] ?? rows.find((one) => isRecognised(one, tag, fingerprint));
    const isRight = (id: string): boolean => rows.some((one) => names(one, own)) || isAlike(id, own);
    return made === undefined || names(made, own) ? [] : idsOf(made, noun).filter(isRight);
  });
  const others = ids.filter((id) => !answer.unredacted(({ json }) => names(json, id)));
  return others.length === 1 ? others : undefined;
}

/** Whether an id stands there, or a path that ends with it. */
const names = (root: unknown, id: string): boolean =>
  walk(root).some(({ value }) => [String(value), String(value).split('/').at(-1)].includes(id));

const prefixOf = (id: string): string => /^[a-z]+[_-]/i.exec(id)?.[0] ?? '';

/** Whether two ids are of one form. */
const isAlike = (one: string, other: string): boolean =>
  [one, other].every((id) => /^\d+$/.test(id)) || (one.length === other.length && prefixOf(one) === prefixOf(other));

import { walk } from '../../../common/json.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { ApiKey } from '../../session/key.ts';
import type { ShownId } from '../../session/reading/record.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { nounOf, readingOf } from '../collections.ts';
import { firstView } from '../reads.ts';
import { isOrEndsWith } from './ids-in-row.ts';
import { placeOf } from './readable-id.ts';
import type { Known, Unidentified } from './tried-ids.ts';

// What a record of another kind, whose id a read has told, says of the ids of one that no call reads.

/** A record, with an answer that shows its id in a field: that to its create, or else the read that took it. */
export async function shownInField(session: Session, record: Known, key: ApiKey): Promise<Known> {
  const { id, collection, answer } = record;
  const reading = readingOf(session.api.endpoints, collection);
  if (id === undefined || placeOf(answer, id) || reading?.isView !== true) {
    return record;
  }
  // The first read of a record may have come before it could be read.
  const first = await resultOrNull(firstView(session, reading.id, id, key));
  const view = first?.accepted ? first : await resultOrNull(send(session, reading.id, { id, key }));
  return view?.accepted ? { ...record, answer: view } : record;
}

/** That record; null: there is none, or its id is not known either. */
async function knownOther({ like }: Unidentified): Promise<(Known & { readonly id: string }) | null> {
  const other = await resultOrNull(like?.() ?? Promise.resolve(null));
  return other?.id === undefined ? null : { ...other, id: other.id };
}

/** An id that stands in the field in which the other record has its own. */
interface LikeAnother {
  readonly id: string;
  /** That record has the fields of the others, too, so its read has told which of them is the id. */
  readonly isClear: boolean;
}

const isNumber = (id: string): boolean => /^\d+$/.test(id);
/** Counters do not differ by so many digits: a row's number may stand beside a number of another kind. */
const muchLonger = 6;

/** Whether two ids may be of one kind: words both, or numbers about as long. */
const areAkin = (one: string, other: string): boolean =>
  isNumber(one) === isNumber(other) && (!isNumber(one) || Math.abs(one.length - other.length) < muchLonger);

/**
 * The only one of several ids that stands in the field in which the other record has its own; where that one is not of the other's
 * kind, the only one that is: the field holds the number of a row.
 */
export async function idAsOf(made: Unidentified, ids: readonly string[]): Promise<LikeAnother | undefined> {
  const other = await knownOther(made);
  if (other === null) {
    return undefined;
  }
  const [own, all] = [fieldsOf(other, other.id), fieldsOf(other, null)];
  const standsIn = (id: string, fields: readonly string[]) => fieldsOf(made, id).some((name) => fields.includes(name));
  const [id, ...more] = ids.filter((one) => standsIn(one, own));
  if (id !== undefined && !areAkin(id, other.id)) {
    const [only, ...others] = ids.filter((one) => areAkin(one, other.id));
    return only === undefined || others.length > 0 ? undefined : { id: only, isClear: true };
  }
  const isClear = ids.every((one) => one === id || standsIn(one, all));
  return id === undefined || more.length > 0 ? undefined : { id, isClear };
}

/** Those of some ids in whose fields the other record does not show something else. */
export async function withoutReferences(made: Unidentified, ids: readonly string[]): Promise<readonly string[]> {
  const other = ids.length === 0 ? null : await knownOther(made);
  const own = other === null ? [] : fieldsOf(other, other.id);
  // Where that one's id stands in no field, as in Location alone, its fields tell nothing.
  if (other === null || own.length === 0) {
    return ids;
  }
  const further = fieldsOf(other, null).filter((name) => !own.includes(name));
  const isReference = (id: string): boolean => {
    const fields = fieldsOf(made, id);
    return fields.length > 0 && fields.every((name) => further.includes(name));
  };
  return ids.filter((id) => !isReference(id));
}

/** The only id within a record that stands where the other record has its own. */
export async function idPlacedAs(made: Unidentified, shown: readonly ShownId[]): Promise<string | undefined> {
  const within = shown.filter(({ isOwn }) => !isOwn);
  const other = within.length === 0 ? null : await knownOther(made);
  const place = other === null ? undefined : placeOf(other.answer, other.id);
  if (other === null || place === undefined) {
    return undefined;
  }
  const bare = (pointer: string, noun: string): string =>
    pointer
      .split('/')
      .flatMap((name) => (name === noun ? [] : name.replace(/^\d+$/, '*')))
      .join('/');
  const sought = bare(place, nounOf(other.collection));
  const [only, ...more] = within.filter((one) => bare(one.place, nounOf(made.collection)) === sought);
  return more.length === 0 ? only?.id : undefined;
}

/** The fields in which an id, or a path that ends with it, stands in the answer to a create, whatever the record is called; null: all. */
const fieldsOf = ({ answer, collection }: Known, id: string | null): string[] =>
  answer.unredacted(({ payload }) =>
    walk(payload).flatMap(({ name, value }) =>
      id === null || isOrEndsWith(String(value), id) ? [name.toLowerCase().replace(nounOf(collection), '')] : [],
    ),
  );

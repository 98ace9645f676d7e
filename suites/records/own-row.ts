import { at, isScalar, type JsonObject, walk } from '../../common/json.ts';
import { resultOrNull } from '../engine/parts.ts';
import { isRecognised } from '../reading/fingerprint.ts';
import { holdsId, showsId } from '../reading/id-places.ts';
import { mentionsSpelled } from '../reading/own-words.ts';
import { rawRows } from '../reading/rows.ts';
import { idsOf, namedIdIn, namedIdsOf } from '../reading/shown-ids.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { isSuccess } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import type { Claim } from './candidates.ts';
import { nounOf } from './collections.ts';
import { begunAfter, readList } from './list-reading.ts';
import { findInListUntil } from './list-search.ts';

/** A row with the words of a claim, and the other rows of its list, as far as they were read. */
export interface OwnRow {
  readonly row: JsonObject;
  readonly others: readonly JsonObject[];
  /** The list has no rows but these. */
  readonly isWhole: boolean;
}

/**
 * Looks for the row of a new record in its list, and again within KEY_SETTLE_MS: the only one with its words. A list
 * that shows them in several rows may join them to records of others.
 */
export async function ownRow(session: Session, claim: Claim): Promise<OwnRow | undefined> {
  const { collection, tag, fingerprint, maker: key, answer } = claim;
  const noun = nounOf(collection);
  const placeOf = (rows: readonly JsonObject[]): number => {
    const [row, ...more] = rows.filter((one) => isRecognised(one, tag, fingerprint) || mentionsSpelled(one, tag));
    return row === undefined || more.length > 0 ? -1 : rows.indexOf(row);
  };
  const reuse = answer === undefined ? {} : { reuse: begunAfter(session, answer) };
  const search = await resultOrNull(
    findInListUntil(session, { collection, id: undefined, tag }, ({ place }) => place !== -1, {
      key,
      placeOf,
      ...reuse,
    }),
  );
  const rows = search === null ? [] : rawRows(search.last, noun);
  const row = rows[search?.place ?? -1];
  const others = rows.filter((one) => one !== row);
  return row === undefined ? undefined : { row, others, isWhole: search?.isComplete === true && search.pages === 1 };
}

/** The other rows of the whole list; undefined: not all of it can be read. */
export async function otherRows(
  session: Session,
  { collection, maker: key }: Claim,
  { row }: OwnRow,
): Promise<readonly JsonObject[] | undefined> {
  const text = JSON.stringify(row);
  const list = await readList(session, `GET ${collection}`, { key, reuse: () => true });
  const rows: JsonObject[] = [];
  let goesOn = false;
  for await (const page of list.pages()) {
    rows.push(...rawRows(page.answer, nounOf(collection)));
    goesOn = page.goesOn || !isSuccess(page.answer);
  }
  return goesOn ? undefined : rows.filter((one) => JSON.stringify(one) !== text);
}

/** Whether another row has an id for its own, or wherever the record's row has it. */
export function isElsewhere(id: string, other: JsonObject, row: JsonObject, noun: string): boolean {
  const places = walk(row).flatMap(({ pointer, value }) => (isScalar(value) && holdsId(value, id) ? [pointer] : []));
  return (
    idsOf(other, noun).includes(id) || (places.length > 0 && places.every((place) => holdsId(at(other, place), id)))
  );
}

/**
 * The id that the record's row in the list has instead of the one in the answer to its create: one of the two is wrong.
 * The number of a row is none. undefined: there is none.
 */
export async function listedId(session: Session, claim: Claim): Promise<string | undefined> {
  const noun = nounOf(claim.collection);
  const answered = claim.answer?.unredacted(({ payload }) => namedIdIn(payload, noun));
  const found = answered === undefined ? undefined : await ownRow(session, claim);
  const listed = found === undefined || showsId(found.row, answered ?? '') ? undefined : namedIdsOf(found.row, noun)[0];
  const isId = listed !== undefined && (isUnguessable(listed) || haveOneForm(listed, answered ?? ''));
  return isId ? listed : undefined;
}

const isNumber = (id: string): boolean => /^\d+$/.test(id);
const prefixOf = (id: string): string => /^[a-z]+[_-]/i.exec(id)?.[0] ?? '';

/** Whether two ids have one form: both are numbers, or they are equally long and have the same prefix. */
const haveOneForm = (one: string, other: string): boolean =>
  [one, other].every(isNumber) || (one.length === other.length && prefixOf(one) === prefixOf(other));

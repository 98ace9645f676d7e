import type { JsonObject } from '../../../common/json.ts';
import { type Leaf, leavesOf, showsId } from '../../session/reading/id-places.ts';
import { mentions } from '../../session/reading/own-words.ts';
import { idsOf } from '../../session/reading/shown-ids.ts';
import { isUnguessable } from '../../session/reading/unguessable.ts';
import { nounOf } from '../collections.ts';
import { isClear, type PlacedId } from './answer-ids.ts';
import { isNamed } from './evidence.ts';
import type { NewRecord } from './new-record.ts';
import type { Sources } from './sources.ts';

/**
 * The row of a new record in a list that shows no words of the run: the only row that has an id of the answer to the
 * create for its own. No list may have shown this id before the create. If the answer shows the words beside the id,
 * the row does not contradict it; otherwise the row shows what the body gave. undefined: there is none. `shown`: the
 * ids in the answer.
 */
export function rowById(
  rows: readonly JsonObject[],
  record: NewRecord,
  { shown, runTag, earlierRows }: { readonly shown: readonly PlacedId[] } & Pick<Sources, 'runTag' | 'earlierRows'>,
): JsonObject | undefined {
  const { answer, tag, collection } = record;
  if (rows.some((row) => mentions(row, runTag)) || !isClear(record)) {
    return undefined;
  }
  // A short number may stand in any row for something else.
  const isItsOwn = (row: JsonObject, id: string): boolean =>
    isUnguessable(id) || idsOf(row, nounOf(collection)).includes(id);
  const named = shown.filter(({ standing }) => isNamed(standing));
  const found = named.flatMap(({ id }) => {
    const withId = rows.filter((row) => showsId(row, id));
    const isEarlier = earlierRows.some((row) => showsId(row, id));
    return withId.length === 1 && !isEarlier ? withId.filter((row) => isItsOwn(row, id)) : [];
  });
  const showsWords = answer.unredacted(({ payload }) => mentions(payload, tag));
  return found.find((row) => (showsWords ? agrees(row, record) : showsBody(row, rows, record)));
}

/** A value that a row and a document show in the same place, and whether it is equal. */
interface Comparison extends Leaf {
  readonly isEqual: boolean;
}

function comparisons(row: JsonObject, document: unknown, noun: string): readonly Comparison[] {
  const byPlace = Map.groupBy(leavesOf(document, noun), ({ place }) => place);
  return leavesOf(row, noun).flatMap((leaf) => {
    const there = byPlace.get(leaf.place);
    return there === undefined ? [] : [{ ...leaf, isEqual: there.some(({ text }) => areEqual(text, leaf.text)) }];
  });
}

/** Whether two values are one text, or one moment in any spelling. */
const areEqual = (one: string, other: string): boolean =>
  one === other || ([one, other].every((text) => /^\d{4}-\d\d-/.test(text)) && Date.parse(one) === Date.parse(other));

/** Whether at least half of the values that a row and the answer show in the same places are equal. */
function agrees(row: JsonObject, { answer, collection }: NewRecord): boolean {
  const all = answer.unredacted(({ payload }) => comparisons(row, payload, nounOf(collection)));
  return all.filter(({ isEqual }) => isEqual).length * 2 >= all.length;
}

/** Whether a row shows what the body gave, in the same places, nothing else there, and some of it alone of all rows. */
function showsBody(row: JsonObject, rows: readonly JsonObject[], { body, collection }: NewRecord): boolean {
  const noun = nounOf(collection);
  const all = comparisons(row, body, noun);
  const isShownIn = (other: JsonObject, { place, text }: Leaf): boolean =>
    leavesOf(other, noun).some((leaf) => leaf.place === place && areEqual(leaf.text, text));
  const isItsAlone = (leaf: Leaf): boolean => rows.every((other) => other === row || !isShownIn(other, leaf));
  return all.every(({ isEqual }) => isEqual) && all.some(isItsAlone);
}

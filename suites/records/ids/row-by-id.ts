import type { JsonObject } from '../../../common/json.ts';
import { isMasked } from '../../../common/masked.ts';
import { type Leaf, leavesOf, showsId } from '../../reading/id-places.ts';
import { mentions } from '../../reading/own-words.ts';
import { idsOf } from '../../reading/shown-ids.ts';
import { isUnguessable } from '../../reading/unguessable.ts';
import { nounOf } from '../collections.ts';
import { isClear, type PlacedId } from './answer-ids.ts';
import { isNamed } from './evidence.ts';
import type { NewRecord } from './new-record.ts';
import type { Sources } from './sources.ts';

/**
 * The row of a new record in a list that shows no words of it: the only row that has an id of the answer to the create
 * for its own. Where rows show the words that all records of the run share, this one does too. No list may have shown
 * this id before the create. undefined: there is none. `shown`: the ids in the answer.
 */
export function rowById(
  rows: readonly JsonObject[],
  record: NewRecord,
  { shown, runTag, earlierRows }: { readonly shown: readonly PlacedId[] } & Pick<Sources, 'runTag' | 'earlierRows'>,
): JsonObject | undefined {
  if (!isClear(record)) {
    return undefined;
  }
  const ofRun = rows.filter((row) => mentions(row, runTag));
  const ownIds = (row: JsonObject): readonly string[] => idsOf(row, nounOf(record.collection));
  // A short number may stand in any row for something else.
  const isItsOwn = (row: JsonObject, id: string): boolean => isUnguessable(id) || ownIds(row).includes(id);
  const telling = shown.filter(
    ({ id, standing }) => isNamed(standing) || (standing === 'possible' && isUnguessable(id)),
  );
  const found = telling.flatMap(({ id }) => {
    const withId = rows.filter((row) => showsId(row, id));
    const isEarlier = earlierRows.some((row) => showsId(row, id));
    return withId.length === 1 && !isEarlier ? withId.filter((row) => isItsOwn(row, id)) : [];
  });
  const earlierIds = new Set(earlierRows.flatMap(ownIds));
  // Rows next to this one were listed before the create, and this one was not.
  const isPageKnown = rows.some((row) => ownIds(row).some((id) => earlierIds.has(id)));
  return found.find(
    (row) => (ofRun.length === 0 || ofRun.includes(row)) && isOfRecord(row, rows, { record, isPageKnown }),
  );
}

/**
 * Whether a row with the id may be the record's. If the answer shows the words beside the id, the row does not
 * contradict it. Otherwise the row shows nothing else than the body where the body gave something, and it shows some of
 * that alone of all rows, or came into a known page of the list after the create.
 */
function isOfRecord(
  row: JsonObject,
  rows: readonly JsonObject[],
  { record, isPageKnown }: { readonly record: NewRecord; readonly isPageKnown: boolean },
): boolean {
  const { answer, tag, body, collection } = record;
  const noun = nounOf(collection);
  const answered = answer.unredacted(({ payload }) =>
    mentions(payload, tag) ? comparisons(row, payload, noun) : undefined,
  );
  if (answered !== undefined) {
    return answered.filter(({ isEqual }) => isEqual).length * 2 >= answered.length;
  }
  const isShownIn = (other: JsonObject, { place, text }: Leaf): boolean =>
    leavesOf(other, noun).some((leaf) => leaf.place === place && areEqual(leaf.text, text));
  const isItsAlone = (leaf: Leaf): boolean => rows.every((other) => other === row || !isShownIn(other, leaf));
  const given = comparisons(row, body, noun);
  return given.every(({ isEqual }) => isEqual) && (isPageKnown || given.some(isItsAlone));
}

/** A value that a row and a document show in the same place, and whether it is equal. */
interface Comparison extends Leaf {
  readonly isEqual: boolean;
}

function comparisons(row: JsonObject, document: unknown, noun: string): readonly Comparison[] {
  const byPlace = Map.groupBy(leavesOf(document, noun), ({ place }) => place);
  // A text that hides its end says no more than that there is one.
  const told = leavesOf(row, noun).filter(({ text }) => !isMasked(text));
  return told.flatMap((leaf) => {
    const there = byPlace.get(leaf.place);
    return there === undefined ? [] : [{ ...leaf, isEqual: there.some(({ text }) => areEqual(text, leaf.text)) }];
  });
}

/** Whether two values are one text, or one moment in any spelling. */
const areEqual = (one: string, other: string): boolean =>
  one === other || ([one, other].every((text) => /^\d{4}-\d\d-/.test(text)) && Date.parse(one) === Date.parse(other));

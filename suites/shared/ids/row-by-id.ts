import type { JsonObject } from '../../../common/json.ts';
import { leavesOf, showsId } from '../../session/reading/id-places.ts';
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
 * create for its own. No list may have shown this id before the create. The answer shows the words beside the id, and
 * the row does not contradict it; or, if the body has no words, the row shows what the body gave. undefined: there is
 * none. `shown`: the ids in the answer.
 */
export function rowById(
  rows: readonly JsonObject[],
  record: NewRecord,
  { shown, runTag, earlierRows }: { readonly shown: readonly PlacedId[] } & Pick<Sources, 'runTag' | 'earlierRows'>,
): JsonObject | undefined {
  const { answer, tag, body, fingerprint, collection } = record;
  // A body of the user's may have neither words nor a fingerprint.
  const isUntraceable = !mentions(body, tag) && fingerprint.references.length === 0;
  const isAnswered = isUntraceable || answer.unredacted(({ payload }) => mentions(payload, tag));
  if (!isAnswered || rows.some((row) => mentions(row, runTag))) {
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
  const isOfRecord = isUntraceable ? showsBody : agrees;
  return found.length > 0 && isClear(record) ? found.find((row) => isOfRecord(row, record)) : undefined;
}

/** Whether each value that a row and a document show in the same places is equal there. */
function comparisons(row: JsonObject, document: unknown, noun: string): readonly boolean[] {
  const byPlace = Map.groupBy(leavesOf(document, noun), ({ place }) => place);
  return leavesOf(row, noun).flatMap(({ place, text }) => {
    const there = byPlace.get(place);
    return there === undefined ? [] : [there.some((leaf) => leaf.text === text)];
  });
}

/** Whether at least half of the values that a row and the answer show in the same places are equal. */
function agrees(row: JsonObject, { answer, collection }: NewRecord): boolean {
  const equal = answer.unredacted(({ payload }) => comparisons(row, payload, nounOf(collection)));
  return equal.filter(Boolean).length * 2 >= equal.length;
}

/** Whether a row shows some of what the body gave, in the same places, and nothing else there. */
function showsBody(row: JsonObject, { body, collection }: NewRecord): boolean {
  const equal = comparisons(row, body, nounOf(collection));
  return equal.length > 0 && equal.every(Boolean);
}

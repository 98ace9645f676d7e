import type { JsonObject } from '../../../common/json.ts';
import { leavesOf, showsId } from '../../session/reading/id-places.ts';
import { mentions } from '../../session/reading/own-words.ts';
import { nounOf } from '../collections.ts';
import { isClear, type PlacedId } from './answer-ids.ts';
import { isNamed } from './evidence.ts';
import type { NewRecord } from './new-record.ts';
import type { Sources } from './sources.ts';

/**
 * The row of a new record in a list that shows no words of the run: the only row with an id that the answer to the
 * create names beside the words, if the body has any. No list may have shown this id before the create, and the row may
 * not contradict the answer. undefined: there is none. `shown`: the ids in the answer.
 */
export function rowById(
  rows: readonly JsonObject[],
  record: NewRecord,
  { shown, runTag, earlierRows }: { readonly shown: readonly PlacedId[] } & Pick<Sources, 'runTag' | 'earlierRows'>,
): JsonObject | undefined {
  const { answer, tag, body, fingerprint } = record;
  // A body of the user's may have neither words nor a fingerprint.
  const isUntraceable = !mentions(body, tag) && fingerprint.references.length === 0;
  const isAnswered = isUntraceable || answer.unredacted(({ payload }) => mentions(payload, tag));
  if (!isAnswered || rows.some((row) => mentions(row, runTag))) {
    return undefined;
  }
  const named = shown.filter(({ standing }) => isNamed(standing));
  const found = named.flatMap(({ id }) => {
    const withId = rows.filter((row) => showsId(row, id));
    const isEarlier = earlierRows.some((row) => showsId(row, id));
    return withId.length === 1 && !isEarlier ? withId : [];
  });
  return found.length > 0 && isClear(record) ? found.find((row) => agrees(row, record)) : undefined;
}

/** Whether at least half of the values that a row and the answer show in the same places are equal. */
function agrees(row: JsonObject, { answer, collection }: NewRecord): boolean {
  const noun = nounOf(collection);
  const answered = Map.groupBy(
    answer.unredacted(({ payload }) => leavesOf(payload, noun)),
    ({ place }) => place,
  );
  const comparable = leavesOf(row, noun).flatMap(({ place, text }) => {
    const there = answered.get(place);
    return there === undefined ? [] : [there.some((leaf) => leaf.text === text)];
  });
  return comparable.filter(Boolean).length * 2 >= comparable.length;
}

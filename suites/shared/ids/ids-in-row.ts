import { at, isObject, isScalar, type JsonObject, walk } from '../../../common/json.ts';
import { ownIds } from '../../session/reading/own-ids.ts';
import { recordIn, type ShownId } from '../../session/reading/record.ts';
import { isUnguessable } from '../../session/reading/unguessable.ts';

/** What is known of a record beside its row in a list. */
interface Around {
  /** Ids that the answer to its create shows at the record. */
  readonly own: readonly string[];
  /** Ids that the row shows of itself, likeliest first. */
  readonly inRow: readonly string[];
  /** All ids that the answer to its create shows. */
  readonly shown: readonly ShownId[];
  /** The other rows of the list. */
  readonly others: readonly JsonObject[];
  /** The body of its create. */
  readonly body: unknown;
}

/**
 * Of the ids that a row shows, those that the answer to the create shows too, where there are any: at the record or, where nothing there
 * is one, inside it. What the body gave, or other rows show as well, is the id of something else. What nobody can guess is tried
 * first: a small number may be that of the row.
 */
export function idsIn(row: JsonObject, { own, inRow, shown, others, body }: Around): readonly string[] {
  const stands = (root: unknown, id: string): boolean => namesOf(root, id).length > 0;
  const isItsOwn = (id: string): boolean => ![body, ...others].some((other) => standsAlike(row, other, id));
  const both = own.filter((id) => inRow.includes(id) || stands(row, id));
  const inside = shown.flatMap(({ isOwn, id }) => (!isOwn && stands(row, id) ? [id] : []));
  const [around, within] = [[both, inRow].map((ids) => ids.filter(isItsOwn)), inside.filter(isItsOwn)];
  const found = around.find(({ length }) => length > 0) ?? (within.length === 1 ? within : []);
  return [...found].sort((one, other) => Number(isUnguessable(other)) - Number(isUnguessable(one)));
}

const namesOf = (root: unknown, id: string): string[] =>
  walk(root).flatMap(({ name, value }) => (isOrEndsWith(String(value), id) ? [name] : []));

/** Whether the other shows an id, too, in each field in which the row does. */
function standsAlike(row: unknown, other: unknown, id: string): boolean {
  const names = namesOf(other, id);
  return names.length > 0 && namesOf(row, id).every((name) => names.includes(name));
}

/** Whether a text is the id, or a path that ends with it. */
export const isOrEndsWith = (text: string, id: string): boolean => text === id || text.endsWith(`/${id}`);

const isWord = (text: string): boolean => /^[^\s/]{1,128}$/.test(text);

/** What a row shows where every row of its list shows something else: its id is among that, whatever the field is called. */
export const wordsOfItsOwn = (row: JsonObject, others: readonly JsonObject[]): readonly string[] =>
  walk(row).flatMap(({ pointer, value }) => {
    const texts = [row, ...others]
      .map((one) => at(one, pointer))
      .filter(isScalar)
      .map(String);
    const isTelling = others.length > 0 && texts.length > others.length && new Set(texts).size === texts.length;
    return isTelling && isWord(String(value)) ? [String(value)] : [];
  });

/**
 * Of several ids of a record that no call reads, those that are nobody else's: no other row of its list shows them, and the list is
 * complete or nobody can guess them. One of several may be the number of a row, and another record's id.
 */
export const onlyIts = (
  ids: readonly string[],
  others: readonly JsonObject[],
  isComplete: boolean,
): readonly string[] =>
  ids.filter(
    (id) =>
      (isComplete || isUnguessable(id)) && !others.some((row) => walk(row).some(({ value }) => String(value) === id)),
  );

/** What else a record calls an id. */
const idsBeside = (shown: unknown, noun: string, id: string): readonly string[] => {
  const record = recordIn(shown, noun) ?? shown;
  return isObject(record) ? ownIds(record, noun).flatMap((one) => (one.id === id ? [] : [one.id])) : [];
};

const prefixOf = (id: string): string => /^[a-z]+[_-]/i.exec(id)?.[0] ?? '';

/** Whether two ids are of one form. */
export const isAlike = (one: string, other: string): boolean =>
  [one, other].every((id) => /^\d+$/.test(id)) || (one.length === other.length && prefixOf(one) === prefixOf(other));

/** The rows that a record's row stands among. */
export interface Among {
  readonly others: readonly JsonObject[];
  /** They are all there are. */
  readonly isComplete: boolean;
}

/** What else a record calls an id, where that cannot be the id of something around it and others: each has its own. */
export const ownOnesBeside = (
  shown: unknown,
  noun: string,
  id: string,
  others: readonly JsonObject[],
): readonly string[] => (others.length === 0 ? [] : notAlike(shown, noun, id, others));

const notAlike = (shown: unknown, noun: string, id: string, others: readonly JsonObject[]): readonly string[] =>
  idsBeside(shown, noun, id).filter(
    (one) => !others.some((other) => standsAlike(recordIn(shown, noun) ?? shown, other, one)),
  );

/**
 * What else a record calls an id, has the form of this one, and may be what paths take: this one may be the number of a row then, and
 * another record's id. What another record shows in the same field is the id of something around both: their account.
 */
export const rivalsOf = (shown: unknown, noun: string, id: string, others: readonly JsonObject[]): readonly string[] =>
  notAlike(shown, noun, id, others).filter((one) => isAlike(one, id));

/**
 * The id of a record that no call reads, and what else `shown` calls an id of it, as far as they are nobody else's: paths may take
 * either. `isTold`: nothing else of it may be what they take.
 */
export function withFurther(
  shown: unknown,
  noun: string,
  id: string,
  { others, isComplete }: Among,
  isTold = rivalsOf(shown, noun, id, others).length === 0,
): readonly string[] {
  const isSafe = isTold || onlyIts([id], others, isComplete).length > 0;
  return [...(isSafe ? [id] : []), ...onlyIts(idsBeside(shown, noun, id), others, isComplete)];
}

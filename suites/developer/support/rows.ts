import { at, canonical, type FoundList, isObject, type JsonObject } from '../../../common/json.ts';
import type { Answer } from '../../session/answer.ts';
import { groupedRows, listsIn } from './lists.ts';

/** Names under which answers carry their records when they do not name the list after them. */
export const genericName = /^(data|items|results|rows|records|entries|list|export|values|content|hits|value|member)$/;

/**
 * The list of records in an answer's data, whatever its form: a list, a map by id, groups by day. One named after the
 * records comes first, then one with a generic name, then one whose rows have ids. undefined where there is none, or several
 * that nothing tells apart.
 */
export const listIn = (answer: Answer, ...nouns: readonly string[]): FoundList | undefined =>
  listOf(at(answer.json, '/data'), nouns);

/** The same in the data itself. */
export function listOf(data: unknown, nouns: readonly string[]): FoundList | undefined {
  const lists = listsIn(data, nouns);
  const nameOf = ({ pointer }: FoundList): string => (pointer.split('/').at(-1) ?? '').toLowerCase();
  const chosen: readonly ((list: FoundList) => boolean)[] = [
    (list) => nouns.some((noun) => [noun, `${noun}s`].includes(nameOf(list))),
    (list) => nouns.some((noun) => nameOf(list).includes(noun)),
    (list) => genericName.test(nameOf(list)),
    ({ rows }) => rows.length > 0 && rows.every((row) => ownIdOf(row) !== undefined),
  ];
  for (const isChosen of chosen) {
    const list = lists.find(isChosen);
    if (list !== undefined) {
      return list;
    }
  }
  return lists.length === 1 ? lists[0] : undefined;
}

/** The list that stands where another answer of the same endpoint has it: an empty one has no look of its own. */
export function listLike(data: unknown, pointer: string | undefined, noun: string): FoundList | undefined {
  const rows = pointer === undefined ? undefined : groupedRows(at(data, pointer), [noun]);
  return pointer !== undefined && rows !== undefined ? { pointer, rows } : listOf(data, [noun]);
}

const ownIdOf = (row: JsonObject, noun = ''): string | number | undefined =>
  ['id', '_id', 'uuid', 'uid', ...(noun === '' ? [] : [`${noun}_id`, `${noun}Id`])]
    .map((name) => row[name])
    .find((value): value is string | number => typeof value === 'string' || typeof value === 'number');

/** A record's own id where it has one at its top, otherwise the whole record. */
export function identity(row: JsonObject, noun?: string): string {
  const id = ownIdOf(row, noun);
  return id === undefined ? canonical(row) : `id ${String(id)}`;
}

/** What only one record has: an address, a moment, or a long text with digits in it. */
const isTelling = (value: unknown): boolean =>
  typeof value === 'string' && (/@|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) || /^(?=.*\d).{16,}$/.test(value));

/**
 * Rows that stand in both lists, as whole records. Rows of one or two fields show too little, and so do rows without an id
 * in which nothing stands that one record alone has: pseudonymous ones may be alike.
 */
export function sharedRows(a: readonly JsonObject[], b: readonly JsonObject[]): JsonObject[] {
  const rich = (row: JsonObject): boolean =>
    isObject(row) &&
    Object.keys(row).length >= 3 &&
    (identity(row).startsWith('id ') || Object.values(row).some(isTelling));
  const known = new Set(b.map(canonical));
  return a.filter((row) => rich(row) && known.has(canonical(row)));
}

import { at, canonical, type FoundList, findMainList, isObject, type JsonObject } from '../../../common/json.ts';
import type { Answer } from '../../session/answer.ts';

/** The list of records in an answer's data, and what sets its records apart. */
export const listIn = (answer: Answer, ...nouns: readonly string[]): FoundList | undefined =>
  findMainList(at(answer.json, '/data'), ...nouns);

/** A record's own id where it has one at its top, otherwise the whole record. */
export function identity(row: JsonObject): string {
  const id = ['id', '_id', 'uuid', 'uid']
    .map((name) => row[name])
    .find((value) => typeof value === 'string' || typeof value === 'number');
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

import { at, canonical, type FoundList, isObject, type JsonObject } from '../../../common/json.ts';
import { findMainList } from '../../../common/main-list.ts';
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

/** Rows that stand in both lists, as whole records; rows of one or two fields show too little. */
export function sharedRows(a: readonly JsonObject[], b: readonly JsonObject[]): JsonObject[] {
  const rich = (row: JsonObject): boolean => isObject(row) && Object.keys(row).length >= 3;
  const known = new Set(b.map(canonical));
  return a.filter((row) => rich(row) && known.has(canonical(row)));
}

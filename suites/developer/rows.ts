import { canonical, type FoundList, type JsonObject } from '../../common/json.ts';
import { idFields } from '../reading/id-fields.ts';
import { findMainList } from '../reading/main-list.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import type { Answer } from '../session/call.ts';

/** The list of records in an answer's data, whatever its form; undefined: there is none, or several may be it. */
export const listIn = (answer: Answer, ...nouns: readonly string[]): FoundList | undefined =>
  findMainList(answer.payload, ...nouns);

/** The records of a list; none where the call was not accepted, or no list is found. */
export const rowsIfAccepted = (answer: Answer | undefined, noun: string): readonly JsonObject[] =>
  answer?.accepted === true ? (listIn(answer, noun)?.rows ?? []) : [];

/** The id of a record, in a field that is surely one; undefined: it has no such field. */
export const sureId = (row: JsonObject, noun = ''): string | undefined => idFields(row, noun)[0]?.id;

/** Whether a value is likely to be in one record alone: an email address, a moment, or a long text with digits. */
const isDistinctive = (value: unknown): boolean =>
  typeof value === 'string' && (/@|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) || /^(?=.*\d).{16,}$/.test(value));

/**
 * Rows that are in both lists, compared as whole records without their nulls. Rows of few fields do not count, nor do
 * rows without an id or another distinctive value: different records may look the same, the more so where each
 * environment counts its ids from 1.
 */
export function sharedRows(a: readonly JsonObject[], b: readonly JsonObject[]): JsonObject[] {
  const isDistinct = (row: JsonObject): boolean => {
    const id = sureId(row);
    const fields = Object.keys(row).length;
    const isUnique = isUnguessable(id ?? '') || Object.values(row).some(isDistinctive);
    return isUnique ? fields >= 3 : id !== undefined && fields >= 4;
  };
  const known = new Set(b.map(withoutNulls).map(canonical));
  return a.map(withoutNulls).filter((row) => isDistinct(row) && known.has(canonical(row)));
}

const withoutNulls = (row: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

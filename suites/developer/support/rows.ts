import { canonical, type FoundList, isObject, type JsonObject, walk } from '../../../common/json.ts';
import { findMainList } from '../../../common/main-list.ts';
import type { Answer } from '../../session/answer.ts';
import { idFields } from '../../session/reading/id-fields.ts';

/** The list of records in an answer's data, whatever its form. undefined where there is none, or several that nothing tells apart. */
export const listIn = (answer: Answer, ...nouns: readonly string[]): FoundList | undefined =>
  findMainList(answer.payload, ...nouns);

/** Fewer values of a line tell no record. */
const fewestValues = 3;

/** The lines of an export that is a text of such lines, or a list of lists of values, each as a record of numbered fields. */
export const linesIn = ({ payload }: Answer): JsonObject[] =>
  walk(payload)
    .flatMap(({ value }) => {
      const lines = typeof value === 'string' ? value.split(/\r?\n/).map((line) => line.split(/[,;\t|]/)) : [];
      return Array.isArray(value) && !value.every(isObject) ? [value] : lines;
    })
    .filter((values) => values.length >= fewestValues)
    .map((values) => ({ ...values }));

/** A record's own id where it has one, otherwise the whole record. */
export function identity(row: JsonObject, noun = ''): string {
  const own = idFields(row, noun).find(({ isNamed }) => isNamed);
  return own === undefined ? canonical(row) : `id ${own.id}`;
}

/** What only one record has: an address, a moment, or a long text with digits in it. */
const isTelling = (value: unknown): boolean =>
  typeof value === 'string' && (/@|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) || /^(?=.*\d).{16,}$/.test(value));

/**
 * Rows that stand in both lists, as whole records, whether their nulls are shown or left out. Rows of one or two fields show
 * too little, and so do rows without an id in which nothing stands that one record alone has: pseudonymous ones may be alike.
 */
export function sharedRows(a: readonly JsonObject[], b: readonly JsonObject[]): JsonObject[] {
  const rich = (row: JsonObject): boolean =>
    Object.keys(row).length >= 3 && (identity(row).startsWith('id ') || Object.values(row).some(isTelling));
  const known = new Set(b.map(withoutNulls).map(canonical));
  return a.map(withoutNulls).filter((row) => rich(row) && known.has(canonical(row)));
}

const withoutNulls = (row: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

import { at, isObject, isRows, walk } from '../../../../common/json.ts';
import { findMainList, genericName, isDescriptive, listLike } from '../../../../common/main-list.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { readAs } from '../data/environments.ts';
import { vocabularies } from './filter-lists.ts';

export const keywords = 'GET /api/v1/ads/keywords';

/** A list in data that may hold the keywords: of objects, or of plain values, since keywords may be mere words. */
export interface KeywordList {
  /** Where it is in data, as a JSON pointer. */
  readonly pointer: string;
  readonly rows: readonly unknown[];
}

/**
 * The lists of an answer that may be its keywords: those named `keywords`; if there are none, those with a general name
 * for lists; otherwise all. A map by id and groups count as one list. None if one of several without such a name is
 * empty: that one may hold the keywords, and the others something else.
 */
export function keywordListsIn(answer: Answer): KeywordList[] {
  const data = answer.payload;
  if (Object.entries(isObject(data) ? data : {}).some(([name, value]) => isEmptyMap(name, value))) {
    return [];
  }
  const arrays = walk(data).flatMap(({ value, pointer, isInList }) =>
    Array.isArray(value) && !isInList && !isDescriptive(pointer, value, 'keyword')
      ? [{ pointer, rows: value as readonly unknown[] }]
      : [],
  );
  const named = [/^keywords?$/i, genericName]
    .map((name) => arrays.filter(({ pointer }) => name.test(pointer.split('/').at(-1) ?? '')))
    .find((some) => some.length > 0);
  const candidates = named ?? arrays;
  const main = findMainList(data, 'keyword');
  const same = candidates.find(({ pointer }) => pointer === main?.pointer);
  // The main list is a map or groups: the arrays are parts of it.
  const isMapOrGroups =
    main !== undefined && (same === undefined ? named === undefined : same.rows.length !== main.rows.length);
  if (isMapOrGroups) {
    return [main];
  }
  return named === undefined && candidates.some(({ rows }) => rows.length === 0) ? [] : candidates;
}

/** Whether a field is a map of keywords that is empty: then lists beside it hold something else. */
const isEmptyMap = (name: string, value: unknown): boolean =>
  /^keywords?$/i.test(name) && isObject(value) && Object.keys(value).length === 0;

/** The rows that an answer has where the list is in another answer. */
export const rowsAt = (answer: Answer, { pointer }: KeywordList): readonly unknown[] =>
  answer.unredacted(({ payload }) => {
    const value = at(payload, pointer);
    const isOfPlainValues = Array.isArray(value) && !isRows(value);
    return isOfPlainValues ? value : (listLike(payload, pointer, 'keyword')?.rows ?? []);
  });

/** A min_spend, and the answer to it. */
interface MinSpend {
  readonly number: number;
  readonly answer: Answer;
}

/** Sends numbers as min_spend until one does not get 400, since any may be refused. Otherwise gives the first. */
export async function readWithMinSpend(
  session: Session,
  key: ApiKey,
  numbers: readonly [number, ...number[]],
): Promise<MinSpend> {
  let first: MinSpend | undefined;
  for (const number of numbers) {
    const answer = await readAs(session, keywords, { key, query: { min_spend: number } });
    if (answer.status !== 400) {
      return { number, answer };
    }
    first ??= { number, answer };
  }
  return first as MinSpend;
}

/** Values of min_spend that many keywords reach. */
export const smallSpends = [1, 10, 100] as const;

/** Values of min_spend above every number in the keywords: powers of ten from a million on, larger ones first. */
export function spendsBeyond({ payload }: Answer): readonly [number, ...number[]] {
  const numbers = walk(payload).flatMap(({ value }) => (typeof value === 'number' && value < 1e11 ? [value] : []));
  const least = 10 ** Math.max(6, Math.ceil(Math.log10(Math.max(1, ...numbers))) + 1);
  return [least * 1000, least];
}

/** The ids of campaigns, those first that most keywords name. */
export async function campaignIds(session: Session, key: ApiKey): Promise<readonly string[]> {
  const { endpoint, noun } = vocabularies.campaigns;
  const [plain, campaigns] = await Promise.all([
    readAs(session, keywords, { key }),
    readAs(session, endpoint, { key }),
  ]);
  const rows = campaigns.unredacted(({ payload }) => findMainList(payload, noun)?.rows ?? []);
  const ids = rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  const times = plain.unredacted(({ payload }) => Map.groupBy(walk(payload), ({ value }) => value));
  const keywordsOf = (id: string): number => times.get(id)?.length ?? 0;
  return ids.toSorted((one, other) => keywordsOf(other) - keywordsOf(one));
}

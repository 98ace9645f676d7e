import { at, isObject, isRows, walk } from '../../../../common/json.ts';
import { findMainList, genericName, listLike, standsBeside } from '../../../../common/main-list.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { readAs } from '../data/environments.ts';
import { vocabularies } from './filter-lists.ts';

export const keywords = 'GET /api/v1/ads/keywords';

/** An array in data, of objects or of plain values: keywords may be mere words. */
export interface Words {
  readonly pointer: string;
  readonly rows: readonly unknown[];
}

/**
 * The arrays of an answer that may be its keywords: the one named so, or as lists are named, else all of them; or a map by id, or
 * groups.
 */
export function wordsIn(answer: Answer): Words[] {
  const data = answer.payload;
  const arrays = walk(data).flatMap(({ value, pointer, isInList }) =>
    Array.isArray(value) && !isInList && !standsBeside(pointer, value, 'keyword')
      ? [{ pointer, rows: value as readonly unknown[] }]
      : [],
  );
  if (Object.entries(isObject(data) ? data : {}).some(([name, held]) => isEmptyMap(name, held))) {
    return [];
  }
  const named = [/^keywords?$/i, genericName]
    .map((name) => arrays.filter(({ pointer }) => name.test(pointer.split('/').at(-1) ?? '')))
    .find((some) => some.length > 0);
  const main = findMainList(data, 'keyword');
  const same = (named ?? arrays).find(({ pointer }) => pointer === main?.pointer);
  const isCut =
    main !== undefined && (same === undefined ? named === undefined : same.rows.length !== main.rows.length);
  return isCut ? [main] : (named ?? arrays);
}

/** A map of keywords that holds none: what stands beside it is something else. */
const isEmptyMap = (name: string, held: unknown): boolean =>
  /^keywords?$/i.test(name) && isObject(held) && Object.keys(held).length === 0;

/** What stands where another answer has its keywords. */
export const rowsLike = (answer: Answer, { pointer }: Words): readonly unknown[] =>
  answer.unredacted(({ payload }) => {
    const value = at(payload, pointer);
    const isPlain = Array.isArray(value) && !isRows(value);
    return isPlain ? value : (listLike(payload, pointer, 'keyword')?.rows ?? []);
  });

/** A min_spend, and what it yields. */
interface Spent {
  readonly number: number;
  readonly answer: Answer;
}

/** Sends unfiltered numbers as min_spend in turn until one is taken: which are is not shown. Gives the first refusal where none is. */
export async function spentAtLeast(
  session: Session,
  key: ApiKey,
  numbers: readonly [number, ...number[]],
): Promise<Spent> {
  let first: Spent | undefined;
  for (const number of numbers) {
    const answer = await readAs(session, keywords, { key, query: { min_spend: number } });
    if (answer.status !== 400) {
      return { number, answer };
    }
    first ??= { number, answer };
  }
  return first as Spent;
}

/** Numbers that many keywords cost at least. */
export const small = [1, 10, 100] as const;

/** The ids of campaigns, those that keywords name first. */
export async function campaignIds(session: Session, key: ApiKey): Promise<readonly string[]> {
  const { endpoint, noun } = vocabularies.campaigns;
  const [plain, campaigns] = await Promise.all([
    readAs(session, keywords, { key }),
    readAs(session, endpoint, { key }),
  ]);
  const rows = campaigns.unredacted(({ payload }) => findMainList(payload, noun)?.rows ?? []);
  const ids = rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  const named = plain.unredacted(({ payload }) => new Set(walk(payload).map(({ value }) => value)));
  return [...ids.filter((id) => named.has(id)), ...ids.filter((id) => !named.has(id))];
}

/** Powers of ten above every number that keywords show: a million at least, larger ones first. */
export function beyond({ payload }: Answer): readonly [number, ...number[]] {
  const numbers = walk(payload).flatMap(({ value }) => (typeof value === 'number' && value < 1e11 ? [value] : []));
  const least = 10 ** Math.max(6, Math.ceil(Math.log10(Math.max(1, ...numbers))) + 1);
  return [least * 1000, least];
}

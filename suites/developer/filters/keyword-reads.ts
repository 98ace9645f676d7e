import { canonical, isObject, walk } from '../../../common/json.ts';
import { findMainList, genericName, listLike } from '../../../common/main-list.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { readAs } from '../environments.ts';
import { rowIdentity } from '../rows.ts';
import { vocabularies } from './filter.ts';

/** The list of keywords. */
export const keywordList = 'GET /api/v1/ads/keywords';

type Query = Readonly<Record<string, string | number>>;

/** The keywords that a query yields. */
export interface Keywords {
  readonly query: Query;
  readonly answer: Answer;
  /** Objects or, since keywords may be mere words, texts. Empty where no list is found. */
  readonly rows: readonly unknown[];
}

/** The keywords as a key sees them: alone, by each parameter, and by several at once. */
export interface KeywordReads {
  readonly plain: Keywords;
  /** Where the list is, as a JSON pointer in data; undefined: none is found. */
  readonly pointer: string | undefined;
  readonly limited: Keywords;
  /** By a small min_spend, which many reach. */
  readonly small: Keywords;
  /** By a min_spend beyond all spending. */
  readonly beyond: Keywords;
  /** By each of two campaigns; none: no campaign is known. */
  readonly campaigns: readonly (Keywords & { readonly id: string })[];
  /** Two or three parameters at once, each of which narrows the list alone. */
  readonly together: readonly Keywords[];
}

/** Reads keywords with a key: in this order, since each read is chosen by what came before. */
export const keywordReads = stepFor(
  (key: ApiKey) => key.label,
  async (session, key): Promise<KeywordReads> => {
    const plainAnswer = await readAs(session, keywordList, { key });
    const pointer = plainAnswer.accepted ? placeOfKeywords(plainAnswer.payload) : undefined;
    const readBy = async (query: Query): Promise<Keywords> => {
      const answer = await readAs(session, keywordList, { key, query });
      return { query, answer, rows: rowsAt(answer, pointer) };
    };
    const plain = { query: {}, answer: plainAnswer, rows: rowsAt(plainAnswer, pointer) };
    const limited = await readBy({ limit: 1 });
    const small = await firstPossible(readBy, [1, 10, 100]);
    const beyond = await firstPossible(readBy, spendsBeyond(plainAnswer));
    const ids = (await campaignIds(session, key, plainAnswer)).slice(0, 2);
    const campaigns = await Promise.all(ids.map(async (id) => ({ id, ...(await readBy({ campaign_id: id })) })));

    const first = identityOf(plain.rows[0]);
    const isNarrow = ({ rows }: Keywords): boolean => rows.length > 1 && rows.length < plain.rows.length;
    // limit=1 yields the first keyword: a campaign without it shows whether campaign_id holds as well.
    const campaign = campaigns.findLast((one) => isNarrow(one) && !one.rows.map(identityOf).includes(first));
    const several = [...(campaign === undefined ? [] : [campaign]), ...(small.rows.length > 1 ? [small] : [])];
    const isEmptied = beyond.answer.accepted && plain.rows.length > 0 && beyond.rows.length === 0;
    const pairs = [
      ...several.map(({ query }) => ({ ...query, limit: 1 })),
      ...(isEmptied ? [{ ...beyond.query, limit: 1 }] : []),
      ...(isEmptied && campaign !== undefined ? [{ ...campaign.query, ...beyond.query }] : []),
      ...(several.length > 1 && key.environment !== 'live' ? [{ ...campaign?.query, ...small.query, limit: 1 }] : []),
    ];
    return { plain, pointer, limited, small, beyond, campaigns, together: await Promise.all(pairs.map(readBy)) };
  },
);

/** Sends numbers as min_spend until one does not get 400, since any may be refused. Otherwise gives the first. */
async function firstPossible(
  readBy: (query: Query) => Promise<Keywords>,
  numbers: readonly [number, ...number[]],
): Promise<Keywords> {
  const [first, ...others] = numbers;
  const read = await readBy({ min_spend: first });
  for (const min_spend of read.answer.status === 400 ? others : []) {
    const next = await readBy({ min_spend });
    if (next.answer.status !== 400) {
      return next;
    }
  }
  return read;
}

/** Values of min_spend above every number in the keywords: powers of ten from a million on, larger ones first. */
function spendsBeyond({ payload }: Answer): readonly [number, ...number[]] {
  const numbers = walk(payload).flatMap(({ value }) => (typeof value === 'number' && value < 1e11 ? [value] : []));
  const least = 10 ** Math.max(6, Math.ceil(Math.log10(Math.max(1, ...numbers))) + 1);
  return [least * 1000, least];
}

/** The ids of campaigns, those first that most keywords name. */
async function campaignIds(session: Session, key: ApiKey, plain: Answer): Promise<readonly string[]> {
  const { list } = vocabularies.campaigns;
  const campaigns = await readAs(session, list.endpoint, { key });
  const rows = campaigns.unredacted(({ payload }) => findMainList(payload, list.noun)?.rows ?? []);
  const ids = rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  const times = plain.unredacted(({ payload }) => Map.groupBy(walk(payload), ({ value }) => value));
  const keywordsOf = (id: string): number => times.get(id)?.length ?? 0;
  return ids.toSorted((one, other) => keywordsOf(other) - keywordsOf(one));
}

/** Where an answer lists its keywords: as records, or as mere words in a list that is named so or has a general name. */
function placeOfKeywords(data: unknown): string | undefined {
  const words = walk(data).filter(
    ({ value, isInList }) => Array.isArray(value) && !isInList && value.every((one) => typeof one === 'string'),
  );
  const named = words.filter(({ pointer }) => /(^|\/)keywords?(\/|$)/i.test(pointer));
  const general = words.filter(({ name }) => genericName.test(name));
  const records = findMainList(data, 'keyword');
  return records !== undefined && records.rows.length > 0
    ? records.pointer
    : (named[0] ?? general[0] ?? records)?.pointer;
}

/** The rows that an answer has where the list is in another answer. */
const rowsAt = (answer: Answer, pointer: string | undefined): readonly unknown[] =>
  answer.unredacted(({ payload }) => {
    const value = pointer === undefined ? undefined : walk(payload).find((one) => one.pointer === pointer)?.value;
    const isOfWords = Array.isArray(value) && value.some((one) => !isObject(one));
    return isOfWords ? value : pointer === undefined ? [] : (listLike(payload, pointer, 'keyword')?.rows ?? []);
  });

/** What identifies a keyword: its id where it shows one, since its figures may change with each read. */
export const identityOf = (row: unknown): string => (isObject(row) ? rowIdentity(row, 'keyword') : canonical(row));

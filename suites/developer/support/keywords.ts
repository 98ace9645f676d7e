import { at, canonical, isObject, isRows, type JsonObject, walk } from '../../../common/json.ts';
import { findMainList, genericName, listLike, standsBeside } from '../../../common/main-list.ts';
import type { Tally } from '../../../results/outcome.ts';
import { describeAnswer, findingOn } from '../../engine/expect.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { readAs } from './environments.ts';
import { vocabularies } from './filtered.ts';

export const keywords = 'GET /api/v1/ads/keywords';
const itself = 'developer.ads.keywords';

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
  const data = at(answer.json, '/data');
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
  answer.unredacted(({ json }) => {
    const value = at(json, `/data${pointer}`);
    const isPlain = Array.isArray(value) && !isRows(value);
    return isPlain ? value : (listLike(at(json, '/data'), pointer, 'keyword')?.rows ?? []);
  });

/** A min_spend, and what it yields. */
interface Spent {
  readonly number: number;
  readonly answer: Answer;
}

/** Sends whole numbers as min_spend in turn until one is taken: which are is not shown. Gives the first refusal where none is. */
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
  const rows = campaigns.unredacted(({ json }) => findMainList(at(json, '/data'), noun)?.rows ?? []);
  const ids = rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  const named = plain.unredacted(({ json }) => new Set(walk(at(json, '/data')).map(({ value }) => value)));
  return [...ids.filter((id) => named.has(id)), ...ids.filter((id) => !named.has(id))];
}

/** A min_spend beyond all spending yields none. */
export async function judgeMinSpend(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const plain = await readAs(session, keywords, { key });
  const words = wordsIn(plain).filter(({ rows }) => rows.length > 0);
  if (words.length === 0) {
    tally.leaveOpen(noKeywords(plain));
    return;
  }
  const { answer } = await spentAtLeast(session, key, beyond(plain));
  if (!answer.accepted) {
    tally.leaveOpen(notTaken(answer));
    return;
  }
  // Which list holds the keywords is not shown: the filter is kept where any that had rows has none.
  const left = words.map((one) => ({ one, rows: rowsLike(answer, one) }));
  const [first] = left;
  tally.judge(
    left.some(({ rows }) => rows.length === 0)
      ? null
      : findingOn(answer, {
          message: `min_spend beyond all spending yields ${first?.rows.length ?? 0} of ${first?.one.rows.length ?? 0} keywords`,
          expected: 'no keyword',
          actual: `${first?.rows.length ?? 0} entries`,
          place: `/data${first?.one.pointer ?? ''}`,
          cause: 'min_spend is ignored',
        }),
  );
}

/** Powers of ten above every number that keywords show: a million at least, larger ones first. */
export function beyond({ json }: Answer): readonly [number, ...number[]] {
  const numbers = walk(at(json, '/data')).flatMap(({ value }) =>
    typeof value === 'number' && value < 1e11 ? [value] : [],
  );
  const least = 10 ** Math.max(6, Math.ceil(Math.log10(Math.max(1, ...numbers))) + 1);
  return [least * 1000, least];
}

/** Two campaigns do not yield one list. */
export async function judgeCampaigns(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const [one, other] = await campaignIds(session, key);
  if (one === undefined || other === undefined) {
    const plain = await readAs(session, vocabularies.campaigns.endpoint, { key });
    tally.leaveOpen(findingOn(plain, { message: 'campaign_id cannot be judged: no two campaigns are known' }));
    return;
  }
  const byCampaign = (id: string): Promise<Answer> => readAs(session, keywords, { key, query: { campaign_id: id } });
  const [plain, first, second] = await Promise.all([
    readAs(session, keywords, { key }),
    byCampaign(one),
    byCampaign(other),
  ]);
  const refused = [plain, first, second].find(({ accepted }) => !accepted);
  if (refused !== undefined) {
    tally.leaveOpen(notTaken(refused));
    return;
  }
  const words = wordsIn(plain).filter(({ rows }) => rows.length > 0);
  const same = words.filter((list) => isOneList(rowsLike(plain, list), rowsLike(first, list), rowsLike(second, list)));
  if (words.every((list) => rowsLike(first, list).length + rowsLike(second, list).length === 0)) {
    tally.leaveOpen(noKeywords(plain));
    return;
  }
  const names = (row: unknown, id: string): boolean => walk(row).some(({ value }) => value === id);
  const strays = words.flatMap((list) =>
    [[first, one, other] as const, [second, other, one] as const].flatMap(([answer, asked, unasked]) =>
      rowsLike(answer, list).some((row) => isObject(row) && names(row, unasked) && !names(row, asked)) ? [answer] : [],
    ),
  );
  if (same.length < words.length && strays[0] !== undefined) {
    tally.judge(
      findingOn(strays[0], {
        message: 'Keywords of one campaign are those of another too',
        expected: "the campaign's own keywords",
        actual: 'keywords that name another campaign',
        cause: 'campaign_id is ignored',
      }),
    );
    return;
  }
  tally.judge(
    same.length < words.length
      ? null
      : findingOn(second, {
          message: `Two campaigns yield one list: the same ${same[0] ? rowsLike(first, same[0]).length : 0} keywords for both`,
          expected: "each campaign's own keywords",
          actual: 'the same list',
          place: `/data${same[0]?.pointer ?? ''}`,
          cause: 'campaign_id is ignored',
        }),
  );
}

/** Mere words may be two campaigns' alike: those are one list only where they are all that there are. */
function isOneList(whole: readonly unknown[], first: readonly unknown[], second: readonly unknown[]): boolean {
  const text = canonical(first);
  const haveIds = first.every((row) => isObject(row) && hasId(row));
  return first.length > 0 && text === canonical(second) && (haveIds || text === canonical(whole));
}

const hasId = (row: JsonObject): boolean =>
  Object.keys(row).some((name) => /^_?(id|uid|uuid)$|keyword_?id$/i.test(name));

const noKeywords = (answer: Answer): ReturnType<typeof findingOn> =>
  findingOn(answer, {
    message: `${keywords} shows no keywords that a filter could be seen in`,
    cause: 'Keywords of two campaigns would decide it',
    ...(answer.accepted ? {} : { blames: itself }),
  });

const notTaken = (answer: Answer): ReturnType<typeof findingOn> =>
  findingOn(answer, { message: `Filter of ${keywords} is not accepted: ${describeAnswer(answer)}`, blames: itself });

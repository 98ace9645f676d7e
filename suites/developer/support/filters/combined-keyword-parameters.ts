import { canonical, isObject } from '../../../../common/json.ts';
import type { Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { expectAccepted, findingOn } from '../../../engine/expect.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { readAs } from '../data/environments.ts';
import { rowIdentity } from '../data/rows.ts';
import { mainEnvironment } from '../keys/key-makers.ts';
import {
  campaignIds,
  type KeywordList,
  keywordListsIn,
  keywords,
  readWithMinSpend,
  rowsAt,
  smallSpends,
  spendsBeyond,
} from './keywords.ts';

// Parameters that hold alone hold at once, too. A parameter that does not hold alone is judged elsewhere.

type Query = Readonly<Record<string, string | number>>;

/** The keywords that one parameter leaves. */
interface Narrowed {
  readonly query: Query;
  /** The rows that it yields alone. */
  readonly rows: readonly unknown[];
  /** Where the keywords are. */
  readonly list: KeywordList;
}

/** limit, campaign_id and min_spend are accepted in pairs and, in the main environment, all three at once. */
export async function judgeCombinedAccepted(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const queries = (await narrowings(session, key)).map(({ query }) => query);
  const isMain = key.environment === mainEnvironment(session);
  const all = isMain && queries.length > 1 ? [Object.assign({}, ...queries) as Query] : [];
  for (const query of [...queries, ...all]) {
    const answer = await readAs(session, keywords, { key, query: { ...query, limit: 1 } });
    const names = Object.keys(query).join(', ');
    tally.judge(expectAccepted(answer, `${keywords} failed with ${names} and limit`));
  }
  const [campaign, beyond] = await Promise.all([byCampaign(session, key), bySpendBeyond(session, key)]);
  if (campaign !== null && beyond !== null) {
    const answer = await readAs(session, keywords, { key, query: { ...campaign.query, ...beyond.query } });
    tally.judge(expectAccepted(answer, `${keywords} failed with campaign_id and min_spend`));
  }
}

/** limit=1 yields at most one keyword with campaign_id and with min_spend, where alone it does and these yield more. */
export async function judgeCombinedLimit(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const limited = await readAs(session, keywords, { key, query: { limit: 1 } });
  const isLimitedAlone = (list: KeywordList): boolean => rowsAt(limited, list).length <= 1;
  for (const { query, rows, list } of await narrowings(session, key, isLimitedAlone)) {
    const answer = await readAs(session, keywords, { key, query: { ...query, limit: 1 } });
    const count = rowsAt(answer, list).length;
    if (rows.length > 1 && isAccepted(tally, answer)) {
      tally.judge(count <= 1 ? null : ignored(answer, 'limit=1', { query, count, expected: 'at most one keyword' }));
    }
  }
}

/** campaign_id holds with limit; min_spend holds with limit, and with campaign_id. */
export async function judgeCombinedFilters(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const campaign = await byCampaign(session, key);
  if (campaign !== null) {
    await judgeCampaignWithLimit(session, tally, key, campaign);
  }
  const beyond = await bySpendBeyond(session, key);
  if (beyond === null) {
    return;
  }
  for (const query of [{ limit: 1 }, ...(campaign === null ? [] : [campaign.query])]) {
    const answer = await readAs(session, keywords, { key, query: { ...query, ...beyond.query } });
    const count = rowsAt(answer, beyond.list).length;
    if (isAccepted(tally, answer)) {
      const what = 'min_spend beyond all spending';
      tally.judge(count === 0 ? null : ignored(answer, what, { query, count, expected: 'no keyword' }));
    }
  }
}

async function judgeCampaignWithLimit(session: Session, tally: Tally, key: ApiKey, campaign: Narrowed): Promise<void> {
  const plain = await readAs(session, keywords, { key });
  const query = { limit: 1 };
  const answer = await readAs(session, keywords, { key, query: { ...campaign.query, ...query } });
  if (!isAccepted(tally, answer)) {
    return;
  }
  const ofCampaign = new Set(campaign.rows.map(identityOf));
  const known = new Set(rowsAt(plain, campaign.list).map(identityOf));
  const isOfOther = (row: string): boolean => known.has(row) && !ofCampaign.has(row);
  const count = rowsAt(answer, campaign.list).map(identityOf).filter(isOfOther).length;
  const expected = 'keywords of the campaign';
  tally.judge(count === 0 ? null : ignored(answer, 'campaign_id', { query, count, expected }));
}

/** What identifies a keyword: its id where it shows one, since its figures may change with each read. */
const identityOf = (row: unknown): string => (isObject(row) ? rowIdentity(row, 'keyword') : canonical(row));

/** Says of a list that may hold the keywords whether it counts. */
type ListFilter = (list: KeywordList) => boolean;

/** The keywords of a campaign, and those of a small min_spend, where there are several. */
const narrowings = async (session: Session, key: ApiKey, isConsidered?: ListFilter): Promise<readonly Narrowed[]> =>
  (await Promise.all([byCampaign(session, key, isConsidered), bySmallSpend(session, key, isConsidered)])).filter(
    (one) => one !== null,
  );

/** Several keywords of one campaign, without the first of the plain list, which limit=1 yields; null: none. */
async function byCampaign(
  session: Session,
  key: ApiKey,
  isConsidered: ListFilter = () => true,
): Promise<Narrowed | null> {
  const [plain, ids] = await Promise.all([readAs(session, keywords, { key }), campaignIds(session, key)]);
  // Other parts read these two in any case. The first probably has the first keyword, so the second is tried first.
  for (const campaign_id of ids.slice(0, 2).toReversed()) {
    const alone = await readAs(session, keywords, { key, query: { campaign_id } });
    for (const list of keywordListsIn(plain).filter(isConsidered)) {
      const rows = rowsAt(alone, list);
      const first = list.rows.slice(0, 1).map(identityOf);
      if (alone.accepted && rows.length > 1 && !rows.some((row) => first.includes(identityOf(row)))) {
        return { query: { campaign_id }, rows, list };
      }
    }
  }
  return null;
}

/** Several keywords that reach a small min_spend; null: there are none, or no number is accepted. */
async function bySmallSpend(
  session: Session,
  key: ApiKey,
  isConsidered: ListFilter = () => true,
): Promise<Narrowed | null> {
  const plain = await readAs(session, keywords, { key });
  const { number, answer: alone } = await readWithMinSpend(session, key, smallSpends);
  const list = keywordListsIn(plain).find((one) => isConsidered(one) && rowsAt(alone, one).length > 1);
  return narrowedBy(number, alone, list);
}

/** The list that a min_spend beyond all spending empties; null: there is none, or no number is accepted. */
async function bySpendBeyond(session: Session, key: ApiKey): Promise<Narrowed | null> {
  const plain = await readAs(session, keywords, { key });
  const { number, answer: alone } = await readWithMinSpend(session, key, spendsBeyond(plain));
  const list = keywordListsIn(plain).find((one) => one.rows.length > 0 && rowsAt(alone, one).length === 0);
  return narrowedBy(number, alone, list);
}

const narrowedBy = (min_spend: number, alone: Answer, list: KeywordList | undefined): Narrowed | null =>
  alone.accepted && list !== undefined ? { query: { min_spend }, rows: rowsAt(alone, list), list } : null;

/** Whether two parameters at once are accepted; where not, leaves the part open. */
function isAccepted(tally: Tally, answer: Answer): boolean {
  if (!answer.accepted) {
    const message = `${keywords} with two parameters at once was not judged: ${describeAnswer(answer)}`;
    tally.leaveOpen(findingOn(answer, { message, blames: 'developer.ads.keywords' }));
  }
  return answer.accepted;
}

function ignored(
  answer: Answer,
  what: string,
  { query, count, expected }: { readonly query: Query; readonly count: number; readonly expected: string },
): Finding {
  const [name = ''] = Object.keys(query);
  return findingOn(answer, {
    message: `${what} is ignored when ${name} is given: ${count} keywords should not be listed`,
    expected,
    actual: `${count} entries`,
    place: '/data',
    cause: `A query with ${name} drops the other condition`,
  });
}

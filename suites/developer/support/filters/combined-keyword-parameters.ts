import { canonical } from '../../../../common/json.ts';
import type { Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer, expectAccepted, findingOn } from '../../../engine/expect.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { readAs } from '../data/environments.ts';
import { mainEnvironment } from '../keys/key-makers.ts';
import { beyond, campaignIds, keywords, rowsLike, small, spentAtLeast, type Words, wordsIn } from './keywords.ts';

// Parameters of the keywords that hold each alone hold beside one another too. What is wrong alone belongs to those who judge that.

type Query = Readonly<Record<string, string | number>>;

/** Keywords by one condition. */
interface Narrowed {
  readonly query: Query;
  /** What it yields alone. */
  readonly rows: readonly unknown[];
  /** Where another answer keeps them. */
  readonly of: (answer: Answer) => readonly unknown[];
}

/** limit is taken beside a campaign, beside a least spending and, where the minute has room for it, beside both; so are these beside each other. */
export async function judgeTakenBesides(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const queries = (await conditions(session, key)).map(({ query }) => query);
  const isOwn = key.environment === mainEnvironment(session);
  const both = isOwn && queries.length > 1 ? [Object.assign({}, ...queries) as Query] : [];
  for (const query of [...queries, ...both]) {
    const answer = await readAs(session, keywords, { key, query: { ...query, limit: 1 } });
    const names = Object.keys(query).join(', ');
    tally.judge(expectAccepted(answer, `${keywords} does not succeed with ${names} and limit`));
  }
  const [campaign, most] = await Promise.all([byCampaign(session, key), beyondAll(session, key)]);
  if (campaign !== null && most !== null) {
    const answer = await readAs(session, keywords, { key, query: { ...campaign.query, ...most.query } });
    tally.judge(expectAccepted(answer, `${keywords} does not succeed with campaign_id and min_spend`));
  }
}

/** limit=1 yields at most one keyword beside a campaign and beside a least spending, where each yields more alone and it is kept alone. */
export async function judgeLimitBesides(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const limited = await readAs(session, keywords, { key, query: { limit: 1 } });
  for (const { query, rows, of } of await conditions(session, key, (list) => rowsLike(limited, list).length <= 1)) {
    const answer = await readAs(session, keywords, { key, query: { ...query, limit: 1 } });
    const came = of(answer).length;
    if (rows.length > 1 && isTaken(tally, answer)) {
      tally.judge(came <= 1 ? null : ignored(answer, 'limit=1', { query, came, expected: 'at most one keyword' }));
    }
  }
}

/** campaign_id holds beside limit; min_spend holds beside limit, and beside campaign_id. */
export async function judgeFiltersBesides(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const [plain, campaign] = await Promise.all([readAs(session, keywords, { key }), byCampaign(session, key)]);
  if (campaign !== null) {
    const query = { limit: 1 };
    const answer = await readAs(session, keywords, { key, query: { ...campaign.query, ...query } });
    const known = new Set(campaign.rows.map(canonical));
    const others = new Set(
      campaign
        .of(plain)
        .map(canonical)
        .filter((row) => !known.has(row)),
    );
    if (isTaken(tally, answer)) {
      const stray = campaign.of(answer).filter((row) => others.has(canonical(row))).length;
      const expected = 'keywords of the campaign';
      tally.judge(stray === 0 ? null : ignored(answer, 'campaign_id', { query, came: stray, expected }));
    }
  }
  const most = await beyondAll(session, key);
  if (most === null) {
    return;
  }
  for (const query of [{ limit: 1 }, ...(campaign === null ? [] : [campaign.query])]) {
    const answer = await readAs(session, keywords, { key, query: { ...query, ...most.query } });
    const came = most.of(answer).length;
    if (isTaken(tally, answer)) {
      const expected = 'no keyword';
      tally.judge(came === 0 ? null : ignored(answer, 'min_spend beyond all spending', { query, came, expected }));
    }
  }
}

/** Which of several lists holds the keywords is not shown: `isMeant` tells what is known of it. */
type Meant = (list: Words) => boolean;
const any: Meant = () => true;

const conditions = async (session: Session, key: ApiKey, isMeant = any): Promise<readonly Narrowed[]> =>
  (await Promise.all([byCampaign(session, key, isMeant), bySpending(session, key, isMeant)])).filter(
    (one) => one !== null,
  );

/** Several keywords of one campaign, without the first of the unfiltered list; null: there are none. */
async function byCampaign(session: Session, key: ApiKey, isMeant = any): Promise<Narrowed | null> {
  const [plain, ids] = await Promise.all([readAs(session, keywords, { key }), campaignIds(session, key)]);
  // The two that are read anyway: the first list of the two holds the first keyword, most likely.
  for (const campaign_id of ids.slice(0, 2).toReversed()) {
    const alone = await readAs(session, keywords, { key, query: { campaign_id } });
    for (const list of wordsIn(plain).filter(isMeant)) {
      const rows = rowsLike(alone, list);
      const first = list.rows.slice(0, 1).map(canonical);
      if (alone.accepted && rows.length > 1 && !rows.some((row) => first.includes(canonical(row)))) {
        return { query: { campaign_id }, rows, of: (answer) => rowsLike(answer, list) };
      }
    }
  }
  return null;
}

/** Keywords of a least spending that is taken; null: there are not several. */
async function bySpending(session: Session, key: ApiKey, isMeant: Meant): Promise<Narrowed | null> {
  const plain = await readAs(session, keywords, { key });
  const { number, answer: alone } = await spentAtLeast(session, key, small);
  const list = wordsIn(plain).find((one) => isMeant(one) && rowsLike(alone, one).length > 1);
  return alone.accepted && list !== undefined ? narrowedBy(number, alone, list) : null;
}

/** The list that a min_spend beyond all spending empties; null: there is none. */
async function beyondAll(session: Session, key: ApiKey): Promise<Narrowed | null> {
  const plain = await readAs(session, keywords, { key });
  const { number, answer: alone } = await spentAtLeast(session, key, beyond(plain));
  const list = wordsIn(plain).find((one) => one.rows.length > 0 && rowsLike(alone, one).length === 0);
  return alone.accepted && list !== undefined ? narrowedBy(number, alone, list) : null;
}

const narrowedBy = (min_spend: number, alone: Answer, list: Words): Narrowed => ({
  query: { min_spend },
  rows: rowsLike(alone, list),
  of: (answer) => rowsLike(answer, list),
});

/** Whether two parameters at once are accepted; what keeps them from being judged is noted. */
function isTaken(tally: Tally, answer: Answer): boolean {
  if (!answer.accepted) {
    const message = `Two parameters of ${keywords} at once are not judged: ${describeAnswer(answer)}`;
    tally.leaveOpen(findingOn(answer, { message, blames: 'developer.ads.keywords' }));
  }
  return answer.accepted;
}

function ignored(
  answer: Answer,
  what: string,
  { query, came, expected }: { readonly query: Query; readonly came: number; readonly expected: string },
): Finding {
  const [beside = ''] = Object.keys(query);
  return findingOn(answer, {
    message: `${what} is kept alone, and not beside ${beside}: ${came} keywords that it should leave out`,
    expected,
    actual: `${came} entries`,
    place: '/data',
    cause: `A query with ${beside} drops the other condition`,
  });
}

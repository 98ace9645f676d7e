import { canonical, isObject, type JsonObject, walk } from '../../../../common/json.ts';
import type { Tally } from '../../../../results/outcome.ts';
import type { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { findingOn, judgeThat, undecided } from '../../../engine/expect.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { readAs } from '../data/environments.ts';
import { vocabularies } from './filter-lists.ts';
import {
  campaignIds,
  type KeywordList,
  keywordListsIn,
  keywords,
  readWithMinSpend,
  rowsAt,
  spendsBeyond,
} from './keywords.ts';

const keywordsClause = 'developer.ads.keywords';

/** A min_spend beyond all spending yields no keyword. */
export async function judgeMinSpend(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const plain = await readAs(session, keywords, { key });
  const lists = keywordListsIn(plain).filter(({ rows }) => rows.length > 0);
  const [first] = lists;
  if (first === undefined) {
    throw noKeywords(plain);
  }
  const { answer } = await readWithMinSpend(session, key, spendsBeyond(plain));
  if (!answer.accepted) {
    throw filterRefused(answer);
  }
  // The document does not show which list holds the keywords: the filter holds where any of them is empty now.
  const isEmptied = lists.some((list) => rowsAt(answer, list).length === 0);
  const left = rowsAt(answer, first).length;
  judgeThat(tally, isEmptied, answer, {
    message: `A min_spend beyond all spending returned ${left} of ${first.rows.length} keywords`,
    expected: 'no keyword',
    actual: `${left} entries`,
    place: `/data${first.pointer}`,
    cause: 'min_spend is ignored',
  });
}

/** The keywords of one campaign. */
interface CampaignKeywords {
  readonly id: string;
  readonly answer: Answer;
}

/** Two campaigns do not return one list, and neither returns keywords that name the other. */
export async function judgeCampaigns(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const [firstId, secondId] = await campaignIds(session, key);
  if (firstId === undefined || secondId === undefined) {
    const campaigns = await readAs(session, vocabularies.campaigns.endpoint, { key });
    throw undecided(campaigns, 'Cannot judge campaign_id: fewer than two campaigns are known');
  }
  const readBy = async (id: string): Promise<CampaignKeywords> => ({
    id,
    answer: await readAs(session, keywords, { key, query: { campaign_id: id } }),
  });
  const [plain, first, second] = await Promise.all([
    readAs(session, keywords, { key }),
    readBy(firstId),
    readBy(secondId),
  ]);
  const refused = [plain, first.answer, second.answer].find(({ accepted }) => !accepted);
  if (refused !== undefined) {
    throw filterRefused(refused);
  }
  const lists = keywordListsIn(plain).filter(({ rows }) => rows.length > 0);
  if (lists.every((list) => rowsAt(first.answer, list).length + rowsAt(second.answer, list).length === 0)) {
    throw noKeywords(plain);
  }
  const [list] = lists;
  if (list !== undefined && lists.every((one) => isOneList(plain, first, second, one))) {
    tally.judge(
      findingOn(second.answer, {
        message: `Two campaigns returned the same list of ${rowsAt(first.answer, list).length} keywords`,
        expected: "each campaign's own keywords",
        actual: 'the same list',
        place: `/data${list.pointer}`,
        cause: 'campaign_id is ignored',
      }),
    );
    return;
  }
  const stray = lists.flatMap((one) => [
    ...(showsKeywordsOf(second, one, first) ? [first] : []),
    ...(showsKeywordsOf(first, one, second) ? [second] : []),
  ])[0];
  judgeThat(tally, stray === undefined, (stray ?? second).answer, {
    message: 'The keywords of one campaign include those of another',
    expected: "the campaign's own keywords",
    actual: 'keywords that name another campaign',
    cause: 'campaign_id is ignored',
  });
}

/** Whether both campaigns return one list. Mere words may be in both: they count only where they are the whole list. */
function isOneList(plain: Answer, first: CampaignKeywords, second: CampaignKeywords, list: KeywordList): boolean {
  const rows = rowsAt(first.answer, list);
  const text = canonical(rows);
  const haveIds = rows.every((row) => isObject(row) && hasId(row));
  const isSame = text === canonical(rowsAt(second.answer, list));
  return rows.length > 0 && isSame && (haveIds || text === canonical(rowsAt(plain, list)));
}

/**
 * Whether a campaign's list has a record that names the other campaign and not this one. The other campaign itself is
 * no keyword: an answer may show all campaigns beside the keywords.
 */
function showsKeywordsOf(other: CampaignKeywords, list: KeywordList, { id, answer }: CampaignKeywords): boolean {
  const names = (row: unknown, campaign: string): boolean => walk(row).some(({ value }) => value === campaign);
  const isOther = (row: JsonObject): boolean => row.id === other.id && !Object.values(row).some(Array.isArray);
  return rowsAt(answer, list).some((row) => isObject(row) && names(row, other.id) && !names(row, id) && !isOther(row));
}

const hasId = (row: JsonObject): boolean =>
  Object.keys(row).some((name) => /^_?(id|uid|uuid)$|keyword_?id$/i.test(name));

const noKeywords = (answer: Answer): Inconclusive =>
  undecided(
    answer,
    `${keywords} has no keywords in which a filter would show`,
    answer.accepted ? undefined : keywordsClause,
  );

const filterRefused = (answer: Answer): Inconclusive =>
  undecided(answer, `A filter of ${keywords} was rejected: ${describeAnswer(answer)}`, keywordsClause);

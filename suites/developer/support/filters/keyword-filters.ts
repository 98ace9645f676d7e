import { canonical, isObject, type JsonObject, walk } from '../../../../common/json.ts';
import type { Tally } from '../../../../results/outcome.ts';
import type { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer, findingOn, judgeThat, undecided } from '../../../engine/expect.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { readAs } from '../data/environments.ts';
import { vocabularies } from './filter-lists.ts';
import { beyond, campaignIds, keywords, rowsLike, spentAtLeast, wordsIn } from './keywords.ts';

const itself = 'developer.ads.keywords';

/** A min_spend beyond all spending yields none. */
export async function judgeMinSpend(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const plain = await readAs(session, keywords, { key });
  const words = wordsIn(plain).filter(({ rows }) => rows.length > 0);
  if (words.length === 0) {
    throw noKeywords(plain);
  }
  const { answer } = await spentAtLeast(session, key, beyond(plain));
  if (!answer.accepted) {
    throw notTaken(answer);
  }
  // Which list holds the keywords is not shown: the filter is kept where any that had rows has none.
  const left = words.map((one) => ({ one, rows: rowsLike(answer, one) }));
  const [first] = left;
  const isKept = left.some(({ rows }) => rows.length === 0);
  judgeThat(tally, isKept, answer, {
    message: `min_spend beyond all spending yields ${first?.rows.length ?? 0} of ${first?.one.rows.length ?? 0} keywords`,
    expected: 'no keyword',
    actual: `${first?.rows.length ?? 0} entries`,
    place: `/data${first?.one.pointer ?? ''}`,
    cause: 'min_spend is ignored',
  });
}

/** Two campaigns do not yield one list. */
export async function judgeCampaigns(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const [one, other] = await campaignIds(session, key);
  if (one === undefined || other === undefined) {
    const plain = await readAs(session, vocabularies.campaigns.endpoint, { key });
    throw undecided(plain, 'campaign_id cannot be judged: no two campaigns are known');
  }
  const byCampaign = (id: string): Promise<Answer> => readAs(session, keywords, { key, query: { campaign_id: id } });
  const [plain, first, second] = await Promise.all([
    readAs(session, keywords, { key }),
    byCampaign(one),
    byCampaign(other),
  ]);
  const refused = [plain, first, second].find(({ accepted }) => !accepted);
  if (refused !== undefined) {
    throw notTaken(refused);
  }
  const words = wordsIn(plain).filter(({ rows }) => rows.length > 0);
  const same = words.filter((list) => isOneList(rowsLike(plain, list), rowsLike(first, list), rowsLike(second, list)));
  if (words.every((list) => rowsLike(first, list).length + rowsLike(second, list).length === 0)) {
    throw noKeywords(plain);
  }
  const names = (row: unknown, id: string): boolean => walk(row).some(({ value }) => value === id);
  const [stray] = words.flatMap((list) =>
    [[first, one, other] as const, [second, other, one] as const].flatMap(([answer, asked, unasked]) =>
      rowsLike(answer, list).some((row) => isObject(row) && names(row, unasked) && !names(row, asked)) ? [answer] : [],
    ),
  );
  if (same.length === words.length) {
    const [list] = same;
    tally.judge(
      findingOn(second, {
        message: `Two campaigns yield one list: the same ${list ? rowsLike(first, list).length : 0} keywords for both`,
        expected: "each campaign's own keywords",
        actual: 'the same list',
        place: `/data${list?.pointer ?? ''}`,
        cause: 'campaign_id is ignored',
      }),
    );
    return;
  }
  judgeThat(tally, stray === undefined, stray ?? second, {
    message: 'Keywords of one campaign are those of another too',
    expected: "the campaign's own keywords",
    actual: 'keywords that name another campaign',
    cause: 'campaign_id is ignored',
  });
}

/** Mere words may be two campaigns' alike: those are one list only where they are all that there are. */
function isOneList(unfiltered: readonly unknown[], first: readonly unknown[], second: readonly unknown[]): boolean {
  const text = canonical(first);
  const haveIds = first.every((row) => isObject(row) && hasId(row));
  return first.length > 0 && text === canonical(second) && (haveIds || text === canonical(unfiltered));
}

const hasId = (row: JsonObject): boolean =>
  Object.keys(row).some((name) => /^_?(id|uid|uuid)$|keyword_?id$/i.test(name));

const noKeywords = (answer: Answer): Inconclusive =>
  undecided(
    answer,
    `${keywords} shows no keywords that a filter could be seen in: those of two campaigns would decide it`,
    answer.accepted ? undefined : itself,
  );

const notTaken = (answer: Answer): Inconclusive =>
  undecided(answer, `Filter of ${keywords} is not accepted: ${describeAnswer(answer)}`, itself);

import { canonical, type JsonObject, walk } from '../../../common/json.ts';
import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import type { Check } from '../../engine/check.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { expectAccepted, findingOn, judgeThat, undecided } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import { keysOfBothEnvironments } from '../environments.ts';
import {
  keywordList as endpoint,
  identityOf,
  type KeywordReads,
  type Keywords,
  keywordReads,
} from './keyword-reads.ts';

const clause = 'developer.ads.keywords';

/** Judges a clause with a key of each environment; with a given live one only where the sandbox decides nothing. */
const inBothEnvironments =
  (...parts: readonly ((tally: Tally, reads: KeywordReads) => void)[]): Check =>
  async (session): Promise<Outcome> => {
    const tally = createTally();
    for (const key of await keysOfBothEnvironments(session, endpoint)) {
      if (key.origin === 'own' || tally.outcome().compared === 0) {
        const reads = await keywordReads(session, key);
        for (const part of parts) {
          await judgePart(tally, () => part(tally, reads));
        }
      }
    }
    return tally.outcome();
  };

/** The list succeeds alone, with each parameter, and with several. Which numbers min_spend accepts is open. */
export const judgeKeywordsAccepted = inBothEnvironments((tally, { plain, limited, small, campaigns, together }) => {
  tally.judge(expectAccepted(plain.answer), expectAccepted(limited.answer, `${endpoint} failed with limit=1`));
  if (small.answer.status === 400) {
    const message = `${endpoint} accepts none of the min_spend values tried: ${describeAnswer(small.answer)}`;
    tally.leaveOpen(findingOn(small.answer, { message }));
  } else {
    tally.judge(expectAccepted(small.answer, `${endpoint} failed with min_spend`));
  }
  const [campaign] = campaigns;
  if (campaign === undefined) {
    tally.leaveOpen({ message: `${endpoint} was not tried with campaign_id: no campaign is known` });
  } else {
    tally.judge(expectAccepted(campaign.answer, `${endpoint} failed with campaign_id`));
  }
  for (const { query, answer } of together) {
    tally.judge(expectAccepted(answer, `${endpoint} failed with ${Object.keys(query).join(', ')} at once`));
  }
});

/** limit=1 yields at most one keyword, alone and with each parameter that yields more. */
export const judgeKeywordLimit = inBothEnvironments(
  (tally, { plain, pointer, limited }) => {
    if (plain.rows.length < 2 || !limited.answer.accepted) {
      const message = `${endpoint} lists fewer than two keywords, so limit=1 cannot be judged`;
      throw undecided(limited.answer.accepted ? plain.answer : limited.answer, message, clause);
    }
    judgeCount(tally, limited, pointer, 1);
  },
  (tally, { limited, together }) => {
    for (const read of limited.rows.length > 1 ? [] : together.filter(({ query }) => 'limit' in query)) {
      judgeCount(tally, read, undefined, 1);
    }
  },
);

/** Judges that a query yields no more keywords than `most`. */
function judgeCount(tally: Tally, { query, answer, rows }: Keywords, pointer: string | undefined, most: number): void {
  if (!answer.accepted) {
    leaveTogetherOpen(tally, answer);
    return;
  }
  const asked = Object.entries(query)
    .map((pair) => pair.join('='))
    .join(' and ');
  judgeThat(tally, rows.length <= most, answer, {
    message: `${asked} returned ${rows.length} keywords`,
    expected: most === 0 ? 'no keyword' : 'at most one keyword',
    actual: `${rows.length} entries`,
    place: `/data${pointer ?? ''}`,
    cause:
      Object.keys(query).length > 1 ? 'One of the parameters is ignored beside another' : 'The parameter is ignored',
  });
}

function leaveTogetherOpen(tally: Tally, answer: Answer): void {
  const message = `${endpoint} with several parameters at once was not judged: ${describeAnswer(answer)}`;
  tally.leaveOpen(findingOn(answer, { message, blames: clause }));
}

/** A min_spend beyond all spending yields no keyword, campaigns yield their own ones, and both hold beside others. */
export const judgeKeywordFilters = inBothEnvironments((tally, { plain, pointer, beyond, together }) => {
  if (plain.rows.length === 0) {
    throw noKeywords(plain);
  }
  if (!beyond.answer.accepted) {
    throw filterRefused(beyond.answer);
  }
  judgeCount(tally, beyond, pointer, 0);
  for (const read of together.filter(({ query }) => query.min_spend === beyond.query.min_spend)) {
    judgeCount(tally, read, pointer, 0);
  }
}, judgeCampaigns);

/** Two campaigns do not return one list, and neither returns keywords that name the other. */
function judgeCampaigns(tally: Tally, { plain, pointer, campaigns, together }: KeywordReads): void {
  const [first, second] = campaigns;
  if (first === undefined || second === undefined) {
    throw undecided(plain.answer, 'Cannot judge campaign_id: fewer than two campaigns are known');
  }
  const refused = [plain, first, second].find(({ answer }) => !answer.accepted);
  if (refused !== undefined) {
    throw filterRefused(refused.answer);
  }
  if (first.rows.length + second.rows.length === 0) {
    throw noKeywords(plain);
  }
  const cause = 'campaign_id is ignored';
  judgeThat(tally, !isOneList(plain.rows, first.rows, second.rows), second.answer, {
    message: `Two campaigns returned the same list of ${second.rows.length} keywords`,
    expected: "each campaign's own keywords",
    actual: 'the same list',
    place: `/data${pointer}`,
    cause,
  });
  const stray = [first, second].find(({ id, rows }) => rows.some((row) => namesOther(row, id, campaigns)));
  judgeThat(tally, stray === undefined, (stray ?? second).answer, {
    message: 'The keywords of one campaign include those of another',
    expected: "the campaign's own keywords",
    actual: 'keywords that name another campaign',
    cause,
  });
  judgeCampaignBesideLimit(tally, { plain, campaigns, together });
}

/** A limit does not end what campaign_id says: the keyword is none of the others. */
function judgeCampaignBesideLimit(
  tally: Tally,
  { plain, campaigns, together }: Pick<KeywordReads, 'plain' | 'campaigns' | 'together'>,
): void {
  for (const { query, answer, rows } of together.filter((one) => 'campaign_id' in one.query && 'limit' in one.query)) {
    if (!answer.accepted) {
      leaveTogetherOpen(tally, answer);
      continue;
    }
    const own = new Set(campaigns.find(({ id }) => id === query.campaign_id)?.rows.map(identityOf));
    const known = new Set(plain.rows.map(identityOf));
    const others = rows.map(identityOf).filter((row) => known.has(row) && !own.has(row));
    judgeThat(tally, others.length === 0, answer, {
      message: `campaign_id is ignored when limit is given: ${others.length} keywords should not be listed`,
      expected: 'keywords of the campaign',
      actual: `${rows.length} entries`,
      place: '/data',
      cause: 'A query with limit drops the other condition',
    });
  }
}

/** Whether both campaigns return one list. Mere words may be in both: they count only where they are the whole list. */
function isOneList(plain: readonly unknown[], first: readonly unknown[], second: readonly unknown[]): boolean {
  const text = canonical(first);
  const haveIds = first.every((row) => identityOf(row).startsWith('id '));
  return first.length > 0 && text === canonical(second) && (haveIds || text === canonical(plain));
}

/** Whether a keyword names the other campaign and not its own. */
function namesOther(row: unknown, own: string, campaigns: KeywordReads['campaigns']): boolean {
  const names = walk(row as JsonObject).map(({ value }) => value);
  return !names.includes(own) && campaigns.some(({ id }) => id !== own && names.includes(id));
}

const noKeywords = ({ answer }: Keywords): Error =>
  undecided(answer, `${endpoint} has no keywords in which a filter would show`, answer.accepted ? undefined : clause);

const filterRefused = (answer: Answer): Error =>
  undecided(answer, `A filter of ${endpoint} was rejected: ${describeAnswer(answer)}`, clause);

import { canonical, walk } from '../../common/json.ts';
import { createTally, type Outcome, type Tally } from '../../results/outcome.ts';
import type { Check } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectAccepted, findingOn, judgeThat, undecided } from '../engine/expect.ts';
import { judgePart } from '../engine/parts.ts';
import type { Answer } from '../session/answer.ts';
import { stepFor } from '../session/step.ts';
import { type Reading, readingsOf } from './environments.ts';
import { vocabularies } from './filters/documented.ts';
import { type Entry, type RecordList, type RecordSet, readSet } from './filters/lists.ts';

const endpoint = 'GET /api/v1/ads/keywords';
const clause = 'developer.ads.keywords';
const list: RecordList = { endpoint, noun: 'keyword' };

type Query = Readonly<Record<string, string | number>>;

/** The keywords that a query yields. */
interface Keywords extends RecordSet {
  readonly query: Query;
}

/** The keywords, read in one way: alone, by each parameter, and by several at once. */
interface KeywordReads {
  readonly plain: Keywords;
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

/** Reads keywords: in this order, since each read is chosen by what came before. */
const keywordReads = stepFor(
  ({ key, mode }: Reading) => `${key.label} ${mode}`,
  async (session, reading): Promise<KeywordReads> => {
    const plain = { query: {}, ...(await readSet(session, list, reading)) };
    const readBy = async (query: Query): Promise<Keywords> => ({
      query,
      ...(await readSet(session, list, { ...reading, query }, plain.pointer)),
    });
    const limited = await readBy({ limit: 1 });
    const small = await firstPossible(readBy, [1, 10, 100]);
    const beyond = await firstPossible(readBy, spendsBeyond(plain.answer));
    // Those campaigns first that most keywords name.
    const times = plain.answer.unredacted(({ payload }) => Map.groupBy(walk(payload), ({ value }) => value));
    const known = (await readSet(session, vocabularies.campaigns.list, reading)).entries.filter(({ hasId }) => hasId);
    const ids = known.map(({ id }) => id).toSorted((a, b) => (times.get(b)?.length ?? 0) - (times.get(a)?.length ?? 0));
    const campaigns = await Promise.all(
      ids.slice(0, 2).map(async (id) => ({ ...(await readBy({ campaign_id: id })), id })),
    );

    // limit=1 yields the first keyword: a campaign without it shows whether campaign_id holds as well.
    const [first] = plain.entries;
    const campaign = campaigns.findLast(
      ({ entries }) =>
        entries.length > 1 && entries.length < plain.entries.length && !entries.some(({ id }) => id === first?.id),
    );
    const several = [...(campaign === undefined ? [] : [campaign]), ...(small.entries.length > 1 ? [small] : [])];
    const isEmptied = beyond.answer.accepted && plain.entries.length > 0 && beyond.entries.length === 0;
    const queries = [
      ...several.map(({ query }) => ({ ...query, limit: 1 })),
      ...(isEmptied ? [{ ...beyond.query, limit: 1 }] : []),
      ...(isEmptied && campaign !== undefined ? [{ ...campaign.query, ...beyond.query }] : []),
      ...(several.length > 1 ? [{ ...campaign?.query, ...small.query, limit: 1 }] : []),
    ];
    return { plain, limited, small, beyond, campaigns, together: await Promise.all(queries.map(readBy)) };
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

/** Judges a clause in each way of reading. */
const inEachWay =
  (...parts: readonly ((tally: Tally, reads: KeywordReads) => void)[]): Check =>
  async (session): Promise<Outcome> => {
    const tally = createTally();
    for (const reading of await readingsOf(session, endpoint)) {
      const reads = await keywordReads(session, reading);
      for (const part of parts) {
        await judgePart(tally, () => part(tally, reads));
      }
    }
    return tally.outcome();
  };

/** The list succeeds alone, with each parameter, and with several. Which numbers min_spend accepts is open. */
export const judgeKeywordsAccepted = inEachWay((tally, { plain, limited, small, campaigns, together }) => {
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
export const judgeKeywordLimit = inEachWay(
  (tally, { plain, limited }) => {
    if (plain.length < 2 || !limited.answer.accepted) {
      const message = `${endpoint} lists fewer than two keywords, so limit=1 cannot be judged`;
      throw undecided(limited.answer.accepted ? plain.answer : limited.answer, message, clause);
    }
    judgeCount(tally, limited, 1);
  },
  (tally, { limited, together }) => {
    for (const read of limited.length > 1 ? [] : together.filter(({ query }) => 'limit' in query)) {
      judgeCount(tally, read, 1);
    }
  },
);

/** Judges that a query yields no more keywords than `most`. */
function judgeCount(tally: Tally, { query, answer, length, pointer }: Keywords, most: number): void {
  if (!answer.accepted) {
    leaveTogetherOpen(tally, answer);
    return;
  }
  const asked = Object.entries(query).map((pair) => pair.join('='));
  judgeThat(tally, length <= most, answer, {
    message: `${asked.join(' and ')} returned ${length} keywords`,
    expected: most === 0 ? 'no keyword' : 'at most one keyword',
    actual: `${length} entries`,
    place: `/data${pointer ?? ''}`,
    cause: asked.length > 1 ? 'One of the parameters is ignored beside another' : 'The parameter is ignored',
  });
}

function leaveTogetherOpen(tally: Tally, answer: Answer): void {
  const message = `${endpoint} with several parameters at once was not judged: ${describeAnswer(answer)}`;
  tally.leaveOpen(findingOn(answer, { message, blames: clause }));
}

/** A min_spend beyond all spending yields no keyword, campaigns yield their own ones, and both hold beside others. */
export const judgeKeywordFilters = inEachWay((tally, { plain, beyond, together }) => {
  if (plain.length === 0) {
    throw noKeywords(plain);
  }
  if (!beyond.answer.accepted) {
    throw filterRefused(beyond.answer);
  }
  judgeCount(tally, beyond, 0);
  for (const read of together.filter(({ query }) => query.min_spend === beyond.query.min_spend)) {
    judgeCount(tally, read, 0);
  }
}, judgeCampaigns);

/** Two campaigns do not return one list, neither returns keywords that name the other, and a limit changes no campaign. */
function judgeCampaigns(tally: Tally, { plain, campaigns, together }: KeywordReads): void {
  const [first, second] = campaigns;
  if (first === undefined || second === undefined) {
    throw undecided(plain.answer, 'Cannot judge campaign_id: fewer than two campaigns are known');
  }
  const refused = [plain, first, second].find(({ answer }) => !answer.accepted);
  if (refused !== undefined) {
    throw filterRefused(refused.answer);
  }
  if (first.length + second.length === 0) {
    throw noKeywords(plain);
  }
  const cause = 'campaign_id is ignored';
  const rowsOf = ({ entries }: RecordSet): string => canonical(entries.map(({ row }) => row));
  // Keywords without ids may be in both: they count only where they are the whole list.
  const isTelling = first.length > 0 && (first.entries.every(({ hasId }) => hasId) || rowsOf(first) === rowsOf(plain));
  judgeThat(tally, !isTelling || rowsOf(first) !== rowsOf(second), second.answer, {
    message: `Two campaigns returned the same list of ${second.length} keywords`,
    expected: "each campaign's own keywords",
    actual: 'the same list',
    place: `/data${second.pointer}`,
    cause,
  });
  const stray = [first, second].find(({ id, entries }) => entries.some((entry) => namesOther(entry, id, campaigns)));
  judgeThat(tally, stray === undefined, (stray ?? second).answer, {
    message: 'The keywords of one campaign include those of another',
    expected: "the campaign's own keywords",
    actual: 'keywords that name another campaign',
    cause,
  });
  for (const { query, answer, entries } of together.filter(
    (one) => 'campaign_id' in one.query && 'limit' in one.query,
  )) {
    if (!answer.accepted) {
      leaveTogetherOpen(tally, answer);
      continue;
    }
    const own = campaigns.find(({ id }) => id === query.campaign_id)?.entries ?? [];
    const isAmong = (some: readonly Entry[], { id }: Entry): boolean => some.some((one) => one.id === id);
    const others = entries.filter((entry) => isAmong(plain.entries, entry) && !isAmong(own, entry));
    judgeThat(tally, others.length === 0, answer, {
      message: `campaign_id is ignored when limit is given: ${others.length} keywords should not be listed`,
      expected: 'keywords of the campaign',
      actual: `${entries.length} entries`,
      place: '/data',
      cause: 'A query with limit drops the other condition',
    });
  }
}

/** Whether a keyword names the other campaign and not its own. */
function namesOther({ row }: Entry, own: string, campaigns: KeywordReads['campaigns']): boolean {
  const names = walk(row).map(({ value }) => value);
  return !names.includes(own) && campaigns.some(({ id }) => id !== own && names.includes(id));
}

const noKeywords = ({ answer }: Keywords): Error =>
  undecided(answer, `${endpoint} has no keywords in which a filter would show`, answer.accepted ? undefined : clause);

const filterRefused = (answer: Answer): Error =>
  undecided(answer, `A filter of ${endpoint} was rejected: ${describeAnswer(answer)}`, clause);

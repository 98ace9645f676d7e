import { canonical, walk } from '../../common/json.ts';
import { createTally, type Tally } from '../../results/outcome.ts';
import type { Check } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectAccepted, findingOn, judgeThat, undecided } from '../engine/expect.ts';
import { judgePart } from '../engine/parts.ts';
import type { Answer } from '../session/answer.ts';
import { stepFor } from '../session/step.ts';
import { keysOfBothEnvironments, type Reading } from './environments.ts';
import { vocabularies } from './filters/documented.ts';
import { troublesOf } from './filters/judge.ts';
import { type Condition, has, type Part, type RecordList, type RecordSet, readPart, readSet } from './filters/lists.ts';

const endpoint = 'GET /api/v1/ads/keywords';
const clause = 'developer.ads.keywords';
const list: RecordList = { endpoint, noun: 'keyword' };

/** The keywords of one environment: alone, by each parameter, and by several at once. */
interface KeywordSets {
  readonly whole: RecordSet;
  readonly limited: Part;
  /** By a small min_spend, which many reach. */
  readonly small: Part;
  /** By a min_spend beyond all spending. */
  readonly beyond: Part;
  /** By each of two campaigns; none: no campaign is known. */
  readonly campaigns: readonly Part[];
  /** Two parameters at once, each of which narrows the list alone. */
  readonly together: readonly Part[];
}

const condition = (
  query: Condition['query'],
  matches: Condition['matches'] = () => 'unknown',
  expected = 'at most one keyword',
): Condition => {
  const pairs = Object.entries(query).map((pair) => pair.join('='));
  const cause = pairs.length > 1 ? 'One of the parameters is ignored beside another' : 'The parameter is ignored';
  return { query, label: pairs.join(' and '), matches, expected, cause };
};

const limit = { limit: '1' };
const byNone = (query: Condition['query']): Condition => condition(query, () => false, 'no keyword');

/** Reads keywords: in this order, since each read is chosen by what came before. */
const keywordSets = stepFor(
  ({ key }: Reading) => key.label,
  async (session, reading): Promise<KeywordSets> => {
    const whole = await readSet(session, list, reading);
    const read = (by: Condition): Promise<Part> => readPart(session, list, by, reading, whole.pointer);
    /** The part by the first number that does not get 400, since any may be refused; else that by the last. */
    const bySpend = async (numbers: readonly number[], by: typeof byNone): Promise<Part> => {
      const [first, ...others] = numbers;
      const part = await read(by({ min_spend: String(first) }));
      return part.answer.status === 400 && others.length > 0 ? bySpend(others, by) : part;
    };
    const limited = await read(condition(limit));
    const small = await bySpend([1, 10, 100], condition);
    const beyond = await bySpend(spendsBeyond(whole.answer), byNone);
    // Those campaigns that most keywords name.
    const times = whole.answer.unredacted(({ payload }) => Map.groupBy(walk(payload), ({ value }) => value));
    const known = (await readSet(session, vocabularies.campaigns.list, reading)).entries.filter(({ hasId }) => hasId);
    const ids = known
      .map(({ id }) => id)
      .toSorted((one, other) => (times.get(other)?.length ?? 0) - (times.get(one)?.length ?? 0))
      .slice(0, 2);
    const campaigns = await Promise.all(ids.map((id) => read(ofCampaign(id, ids))));

    // limit=1 yields the first keyword: a campaign without it shows whether campaign_id holds as well.
    const [first] = whole.entries;
    const campaign = campaigns.findLast(
      (one) => one.entries.length > 1 && one.length < whole.length && first !== undefined && !has(one, first),
    );
    const isEmptied = beyond.answer.accepted && whole.length > 0 && beyond.length === 0;
    const queries: Condition[] = [];
    if (campaign !== undefined) {
      const isOther: Condition['matches'] = (entry) => (has(whole, entry) && !has(campaign, entry) ? false : 'unknown');
      queries.push(condition({ ...campaign.condition.query, ...limit }, isOther, 'a keyword of the campaign'));
      queries.push(...(isEmptied ? [byNone({ ...campaign.condition.query, ...beyond.condition.query })] : []));
    }
    queries.push(...(small.length > 1 ? [condition({ ...small.condition.query, ...limit })] : []));
    queries.push(...(isEmptied ? [byNone({ ...beyond.condition.query, ...limit })] : []));
    return {
      whole,
      limited,
      small,
      beyond,
      campaigns,
      together: await Promise.all(queries.map((by) => read({ ...by, mode: 'query' }))),
    };
  },
);

/** The keywords of a campaign: none that names the other of two campaigns, and not this one. */
const ofCampaign = (id: string, both: readonly string[]): Condition =>
  condition(
    { campaign_id: id },
    ({ row }) => {
      const names = walk(row).map(({ value }) => value);
      return !names.includes(id) && both.some((one) => names.includes(one)) ? false : 'unknown';
    },
    "the campaign's own keywords",
  );

/** Values of min_spend above every number in the keywords: powers of ten from a million on, larger ones first. */
function spendsBeyond({ payload }: Answer): readonly number[] {
  const numbers = walk(payload).flatMap(({ value }) => (typeof value === 'number' && value < 1e11 ? [value] : []));
  const least = 10 ** Math.max(6, Math.ceil(Math.log10(Math.max(1, ...numbers))) + 1);
  return [least * 1000, least];
}

/** Judges a clause in both environments. */
const inBoth =
  (...parts: readonly ((tally: Tally, sets: KeywordSets) => void)[]): Check =>
  async (session) => {
    const tally = createTally();
    for (const key of await keysOfBothEnvironments(session, endpoint)) {
      const sets = await keywordSets(session, { key });
      for (const part of parts) {
        await judgePart(tally, () => part(tally, sets));
      }
    }
    return tally.outcome();
  };

/** The list succeeds alone, with each parameter, and with several. Which numbers min_spend accepts is open. */
export const judgeKeywordsAccepted = inBoth((tally, { whole, limited, small, campaigns, together }) => {
  tally.judge(expectAccepted(whole.answer));
  for (const { condition, answer } of [limited, small, ...campaigns.slice(0, 1), ...together]) {
    if (condition === small.condition && answer.status === 400) {
      const message = `${endpoint} accepts none of the min_spend values tried: ${describeAnswer(answer)}`;
      tally.leaveOpen(findingOn(answer, { message }));
    } else {
      tally.judge(expectAccepted(answer, `${endpoint} failed with ${Object.keys(condition.query).join(', ')}`));
    }
  }
  if (campaigns.length === 0) {
    tally.leaveOpen({ message: `${endpoint} was not tried with campaign_id: no campaign is known` });
  }
});

/** limit=1 yields at most one keyword, alone and with each parameter that yields more. */
export const judgeKeywordLimit = inBoth((tally, { whole, limited, together }) => {
  if (whole.length < 2 || !limited.answer.accepted) {
    const message = `${endpoint} lists fewer than two keywords, so limit=1 cannot be judged`;
    throw undecided(limited.answer.accepted ? whole.answer : limited.answer, message, clause);
  }
  const beside = together.filter(({ condition: { query } }) => 'limit' in query);
  for (const { answer, length, pointer, condition } of [limited, ...(limited.length > 1 ? [] : beside)]) {
    if (!answer.accepted) {
      throw filterRefused(answer);
    }
    judgeThat(tally, length <= 1, answer, {
      message: `${condition.label} returned ${length} keywords`,
      expected: 'at most one keyword',
      actual: `${length} entries`,
      place: `/data${pointer ?? ''}`,
      ...(condition.cause === undefined ? {} : { cause: condition.cause }),
    });
  }
});

/** A min_spend beyond all spending yields no keyword, campaigns yield their own ones, and both hold beside others. */
export const judgeKeywordFilters = inBoth(
  (tally, { whole, beyond, together }) => {
    const beside = together.filter(({ condition: { query } }) => query.min_spend === beyond.condition.query.min_spend);
    judgeParts(tally, whole, [beyond, ...beside]);
  },
  (tally, { whole, campaigns, together }) => {
    const [first, second] = campaigns;
    if (first === undefined || second === undefined) {
      throw undecided(whole.answer, 'Cannot judge campaign_id: fewer than two campaigns are known');
    }
    const beside = together.filter(({ condition: { query } }) => 'campaign_id' in query && !('min_spend' in query));
    judgeParts(tally, whole, [first, second, ...beside]);
    if (first.length + second.length === 0) {
      throw undecided(first.answer, `Cannot judge campaign_id: ${endpoint} lists no keyword of the campaigns`);
    }
    const rowsOf = ({ entries }: RecordSet): string => canonical(entries.map(({ row }) => row));
    // Keywords without ids may be in both: they count only where they are the whole list.
    const areSame = first.length > 0 && rowsOf(first) === rowsOf(second);
    const isTelling = first.entries.every(({ hasId }) => hasId) || rowsOf(first) === rowsOf(whole);
    judgeThat(tally, !areSame || !isTelling, second.answer, {
      message: `Two campaigns returned the same list of ${second.length} keywords`,
      expected: "each campaign's own keywords",
      actual: 'the same list',
      place: `/data${second.pointer}`,
      cause: 'campaign_id is ignored',
    });
  },
);

/** Judges that parts have no keyword that does not match. Throws Inconclusive where a filter was refused, or would not show. */
function judgeParts(tally: Tally, whole: RecordSet, parts: readonly Part[]): void {
  const refused = [whole, ...parts].find(({ answer }) => !answer.accepted);
  if (refused !== undefined) {
    throw filterRefused(refused.answer);
  }
  if (whole.length === 0) {
    throw undecided(whole.answer, `${endpoint} has no keywords in which a filter would show`);
  }
  const troubles = troublesOf({ list, whole, parts }, false);
  tally.judge(...parts.map(({ condition }) => troubles.find((one) => one.condition === condition)?.finding ?? null));
}

const filterRefused = (answer: Answer): Error =>
  undecided(answer, `A filter of ${endpoint} was rejected: ${describeAnswer(answer)}`, clause);

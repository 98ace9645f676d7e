import { canonical, walk } from '../../../common/json.ts';
import type { Tally } from '../../../results/outcome.ts';
import type { Checks } from '../../engine/check.ts';
import { describeAnswer, expectAccepted, judgeThat, needAccepted, undecided } from '../../engine/expect.ts';
import type { Answer, ApiKey } from '../../session/call.ts';
import { type Session, step } from '../../session/session.ts';
import { inBothEnvironments } from '../environments.ts';
import { type Condition, findingOf, has, type ListSets, type Part, readPart, wrongIn } from './lists.ts';

const endpoint = 'GET /api/v1/ads/keywords';
const clause = 'developer.ads.keywords';

/** Several parameters come in query mode. */
const by = (query: Condition['query'], matches: Condition['matches'] = () => 'unknown'): Condition => {
  const pairs = Object.entries(query).map((pair) => pair.join('='));
  return { query, label: pairs.join(' and '), matches, ...(pairs.length === 1 ? {} : { mode: 'query' }) };
};

const limit = { limit: '1' };
const none = (): boolean => false;

/** The keywords of a campaign, by more parameters: none that names the other of two campaigns, and not this one. */
const ofCampaign = (id: string, both: readonly string[], more: Condition['query']): Condition =>
  by({ campaign_id: id, ...more }, ({ row }) => {
    const values = walk(row).map(({ value }) => value);
    return !values.includes(id) && both.some((one) => values.includes(one)) ? false : 'unknown';
  });

/**
 * Reads the keywords of one environment: the whole list, by each parameter, and by several at once, as far as each is
 * accepted alone.
 */
const keywordSets = step(async (session, key: ApiKey): Promise<ListSets> => {
  const whole = await readPart(session, endpoint, { key });
  const { pointer } = whole;
  const read = (condition: Condition): Promise<Part> => readPart(session, endpoint, { key, pointer }, condition);
  /** The part by the first number that does not get 400, since any may be refused; else that by the last. */
  const bySpend = async ([first, ...others]: readonly number[], matches?: Condition['matches']): Promise<Part> => {
    const part = await read(by({ min_spend: String(first) }, matches));
    return part.answer.status === 400 && others.length > 0 ? bySpend(others, matches) : part;
  };
  const limited = await read(by(limit));
  const small = await bySpend([1, 10, 100]);
  const beyond = await bySpend(spendsBeyond(whole.answer), none);
  // Those campaigns that most keywords name.
  const named = whole.answer.unredacted(({ payload }) => walk(payload).map(({ value }) => value));
  const timesNamed = (id: string): number => named.filter((value) => value === id).length;
  const ids = (await readPart(session, 'GET /api/v1/ads/campaigns', { key })).entries
    .flatMap(({ id, hasId }) => (hasId ? [id] : []))
    .toSorted((one, other) => timesNamed(other) - timesNamed(one))
    .slice(0, 2);
  const queryOf = ({ answer, condition }: Part) => (answer.accepted ? [condition.query] : []);
  const [narrow] = queryOf(small);
  const conditions = [
    ...[{}, { ...narrow, ...limit }].flatMap((more) => ids.map((id) => ofCampaign(id, ids, more))),
    ...queryOf(beyond).flatMap((query) => [
      by({ ...query, ...limit }, none),
      ...ids.slice(0, 1).map((id) => by({ campaign_id: id, ...query }, none)),
    ]),
  ];
  return { list: endpoint, whole, parts: [limited, small, beyond, ...(await Promise.all(conditions.map(read)))] };
});

/** Values of min_spend above every number in the keywords: powers of ten from a million on, larger ones first. */
function spendsBeyond({ payload }: Answer): readonly number[] {
  const numbers = walk(payload).flatMap(({ value }) => (typeof value === 'number' && value < 1e11 ? [value] : []));
  const least = 10 ** Math.max(6, Math.ceil(Math.log10(Math.max(1, ...numbers))) + 1);
  return [least * 1000, least];
}

/** A judge of the keywords that a key reads. */
const bySets =
  (judge: (tally: Tally, sets: ListSets) => void) =>
  async (session: Session, tally: Tally, key: ApiKey): Promise<void> =>
    judge(tally, await keywordSets(session, key));

export const keywords: Checks = {
  // The list succeeds alone, with each parameter, and with several. That is open where no min_spend is taken.
  'developer.ads.keywords': async (session, tally) => {
    const refused: Answer[] = [];
    const judge = bySets((_, { whole, parts }) => {
      tally.judge(expectAccepted(whole.answer));
      const ofSpendAlone = parts.filter(({ condition }) => Object.keys(condition.query).join() === 'min_spend');
      const open = ofSpendAlone.filter(({ answer }) => answer.status === 400);
      refused.push(...(open.length === ofSpendAlone.length ? open : []).map(({ answer }) => answer));
      for (const { condition, answer } of parts.filter((part) => !open.includes(part))) {
        const names = Object.keys(condition.query).join(', ');
        tally.judge(expectAccepted(answer, `${endpoint} failed with ${names}`));
      }
      if (partsWith(parts, 'campaign_id').length === 0) {
        tally.leaveOpen({ message: `${endpoint} was not tried with campaign_id: no campaign is known` });
      }
    });
    await inBothEnvironments(endpoint, judge)(session, tally);
    const [first] = refused;
    if (first !== undefined) {
      throw undecided(first, `${endpoint} accepts none of the min_spend values tried: ${describeAnswer(first)}`);
    }
  },

  // limit=1 yields one keyword, alone and beside each parameter, and none only where none matches.
  'developer.ads.keywords-limit': inBothEnvironments(
    endpoint,
    bySets((tally, { whole, parts }) => {
      const [limited, ...beside] = partsWith(parts, 'limit') as [Part, ...Part[]];
      if (whole.entries.length < 2) {
        throw undecided(whole.answer, `${endpoint} lists fewer than two keywords, so limit=1 cannot be judged`, clause);
      }
      const isKept = (limited.pages[0]?.length ?? 0) <= 1;
      for (const part of [limited, ...(isKept ? beside : [])]) {
        const { answer, pages, pointer, condition } = part;
        assertAccepted(answer);
        const length = pages[0]?.length ?? 0;
        const least = hasMatch(whole, parts, condition) ? 1 : 0;
        judgeThat(tally, length <= 1 && length >= least, answer, {
          message: `${condition.label} returned ${length} keywords`,
          expected: least === 1 ? 'one keyword' : 'at most one keyword',
          actual: `${length} entries`,
          place: `/data${pointer ?? ''}`,
        });
      }
    }),
  ),

  // A min_spend beyond all spending yields no keyword, campaigns yield their own ones, and both hold beside others.
  'developer.ads.keywords-filters': inBothEnvironments(
    endpoint,
    bySets((tally, { whole, parts }) => judgeParts(tally, whole, parts.filter(isOfNone))),
    bySets((tally, { whole, parts }) => {
      const ofCampaigns = partsWith(parts, 'campaign_id').filter((part) => !isOfNone(part));
      const known = new Set(ofCampaigns.map(({ condition }) => condition.query.campaign_id));
      if (known.size < 2 || ofCampaigns.every(({ entries }) => entries.length === 0)) {
        throw undecided(whole.answer, 'Cannot judge campaign_id: no two campaigns with keywords are known');
      }
      // Beside the same parameter, no keyword is that of two campaigns.
      for (const alike of Map.groupBy(ofCampaigns, ({ condition }) => Object.keys(condition.query).join()).values()) {
        judgeParts(tally, whole, alike, true);
      }
    }),
  ),
};

/** The parts whose query has a parameter. */
const partsWith = (parts: readonly Part[], name: string): readonly Part[] =>
  parts.filter(({ condition }) => name in condition.query);

/** Whether a keyword is known that a query should yield: each of its parameters but the limit yields it alone. */
function hasMatch(whole: Part, parts: readonly Part[], { query }: Condition): boolean {
  const { limit: _, ...others } = query;
  const alone = Object.entries(others).map(([name, value]) =>
    parts.find((part) => canonical(part.condition.query) === canonical({ [name]: value })),
  );
  return whole.entries.some((entry) => alone.every((part) => part !== undefined && has(part, entry)));
}

const isOfNone = ({ condition }: Part): boolean => condition.matches === none;

/** Judges that some parts have no keyword that does not match. `areApart`: nor one that another of them has. */
function judgeParts(tally: Tally, whole: Part, parts: readonly Part[], areApart = false): void {
  [whole, ...parts].map(({ answer }) => answer).forEach(assertAccepted);
  if (whole.entries.length === 0) {
    throw undecided(whole.answer, `${endpoint} has no keywords in which a filter would show`);
  }
  tally.judge(...wrongIn({ list: endpoint, whole, parts }, areApart).map(findingOf));
}

const assertAccepted = (answer: Answer): void => needAccepted(answer, `A filter of ${endpoint} was rejected`, clause);

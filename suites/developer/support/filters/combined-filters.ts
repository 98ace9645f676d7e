import type { JsonObject } from '../../../../common/json.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import type { Tally } from '../../../../results/outcome.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { findingOn } from '../../../engine/expect.ts';
import type { Session } from '../../../session/session.ts';
import { instantsIn, startsOf, timestamp } from './booking-times.ts';
import { bothRefused, findingByShownValues } from './combined-by-shown-values.ts';
import { commonRows, type FilterPair, findingOnPair, type SingleFilter } from './combined-difference.ts';
import {
  type FetchedList,
  type FilterLists,
  type Reader,
  readFilterLists,
  readList,
  vocabularies,
} from './filter-lists.ts';
import { troublesOf } from './filter-troubles.ts';

const windowClause = 'developer.scheduling.bookings-window';

/** How many pairs of values are tried. */
const mostPairs = 2;

/** Leads by status and source at once: pairs of values whose lists overlap, neither within the other. */
export async function judgeLeads(session: Session, tally: Tally, reader: Reader): Promise<void> {
  const [status, source] = await Promise.all([
    readFilterLists(session, vocabularies.leads, reader),
    readFilterLists(session, vocabularies.sources, reader),
  ]);
  const { filter, unfiltered } = status;
  const sources = singleFilters(source);
  const pairs = singleFilters(status).flatMap((one) =>
    sources.map((other): FilterPair => ({ filter, unfiltered, one, other })),
  );
  const usable = pairs.filter(showsDefects);
  // Two pairs without a common value, if possible.
  const [first] = usable;
  const second = usable.find(({ one, other }) => one !== first?.one && other !== first?.other);
  const open = nothingToJudge(unfiltered, clauseToBlame(status) ?? clauseToBlame(source));
  if (first === undefined && open.blames === undefined) {
    const finding = await findingByShownValues(session, reader, [status, source]);
    if (finding !== undefined) {
      tally.judge(finding);
      return;
    }
  }
  const chosen = [first, second].filter((pair) => pair !== undefined);
  await judgePairs(session, tally, { reader, pairs: chosen, open });
}

/** Bookings by status and from, and by status and to: the instant lies in the middle of the bookings of that status. */
export async function judgeBookings(session: Session, tally: Tally, reader: Reader): Promise<void> {
  const filter = vocabularies.bookings;
  const lists = await readFilterLists(session, filter, reader);
  const { unfiltered } = lists;
  const [one] = singleFilters(lists).sort((a, b) => b.list.length - a.list.length);
  const middle = middleInstant((one?.list ?? unfiltered).entries.map(({ row }) => row));
  if (one === undefined || middle === undefined) {
    throw new Inconclusive(nothingToJudge(unfiltered, clauseToBlame(lists)));
  }
  const pairs = await Promise.all(
    ['from', 'to'].map(async (name): Promise<FilterPair> => {
      const query = { [name]: timestamp(middle) };
      const list = await readList(session, filter, { ...reader, query, pointer: unfiltered.pointer });
      return { filter, unfiltered, one, other: { query, list, clause: windowClause } };
    }),
  );
  const refused = pairs.find(({ other }) => !other.list.answer.accepted);
  const open = refused === undefined ? nothingToJudge(unfiltered, windowClause) : oneRefused(refused.other);
  await judgePairs(session, tally, { reader, pairs: pairs.filter(showsDefects), open });
}

/** The median of the instants at which bookings begin or, where none is shown to, of all that they show. */
function middleInstant(rows: readonly JsonObject[]): number | undefined {
  const starts = startsOf(rows).flatMap((start) => start ?? []);
  const all = rows.flatMap(instantsIn).map(({ instant }) => instant);
  const sorted = (starts.length > 0 ? starts : all).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The values of a filter whose lists are complete and without fault, each as a filter by itself. */
function singleFilters(lists: FilterLists): SingleFilter[] {
  const { name, clause } = lists.filter;
  const wrongValues = troublesOf(lists).map(({ value }) => value);
  const usable = lists.filtered.filter(
    ({ answer, isComplete, value }) => answer.accepted && isComplete && !wrongValues.includes(value),
  );
  return usable.map((list) => ({ query: { [name]: list.value }, list, clause }));
}

/** Whether a deployment that drops one of the filters, or joins them with or, would yield another list. */
function showsDefects(pair: FilterPair): boolean {
  const common = commonRows(pair).size;
  const narrows = ({ list }: SingleFilter): boolean =>
    list.isComplete && list.length < pair.unfiltered.length && list.entries.length > common;
  return common > 0 && narrows(pair.one) && narrows(pair.other);
}

interface PairsToJudge {
  readonly reader: Reader;
  readonly pairs: readonly FilterPair[];
  /** What is left open where there are no pairs. */
  readonly open: Finding;
}

async function judgePairs(session: Session, tally: Tally, { reader, pairs, open }: PairsToJudge): Promise<void> {
  if (pairs.length === 0) {
    tally.leaveOpen(open);
  }
  for (const pair of pairs.slice(0, mostPairs)) {
    const query = { ...pair.one.query, ...pair.other.query };
    const both = await readList(session, pair.filter, { ...reader, query, pointer: pair.unfiltered.pointer });
    tally.judge(both.answer.accepted ? await findingOnPair(session, reader, pair, both) : bothRefused(both));
  }
}

const oneRefused = ({ list, clause }: SingleFilter): Finding =>
  findingOn(list.answer, {
    message: `Cannot judge two filters together: one alone got ${describeAnswer(list.answer)}`,
    blames: clause,
  });

/** There is nothing to compare: a clause is to blame, if one is given; otherwise the records show too little. */
const nothingToJudge = ({ answer }: FetchedList, blames: string | undefined): Finding =>
  findingOn(answer, {
    message: 'Cannot judge two filters together: no two values share records in complete lists',
    advice: 'Run against a deployment that lists more records, as objects, with different values',
    ...(blames === undefined ? {} : { blames }),
  });

/** The clause of the list or of the filter, where that is broken by itself; undefined: neither is. */
function clauseToBlame(lists: FilterLists): string | undefined {
  const { filter, unfiltered, filtered } = lists;
  if (!unfiltered.answer.accepted) {
    return endpointOf(filter.endpoint).clause;
  }
  const isBroken = filtered.some(({ answer }) => !answer.accepted) || troublesOf(lists).length > 0;
  return isBroken ? filter.clause : undefined;
}

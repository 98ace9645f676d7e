import type { JsonObject } from '../../../../common/json.ts';
import { show } from '../../../../common/schema.ts';
import { counted } from '../../../../common/words.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import type { Tally } from '../../../../results/outcome.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer, findingOn } from '../../../engine/expect.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { shownIn, timesOf, timestamp } from './booking-times.ts';
import { findingByShownValues, refused } from './combined-by-shown-values.ts';
import {
  type FetchedList,
  type Filter,
  type FilteredList,
  type FilterLists,
  readFilterLists,
  readList,
  rowsById,
  vocabularies,
} from './filter-lists.ts';
import { troublesOf } from './filter-troubles.ts';

/** What one filter alone yields. */
interface Alone {
  readonly query: Readonly<Record<string, string>>;
  readonly listed: FetchedList;
  /** The clause that judges this filter. */
  readonly clause: string;
}

/** A list and two filters of it. */
interface Pair {
  readonly filter: Filter;
  readonly unfiltered: FetchedList;
  readonly one: Alone;
  readonly other: Alone;
}

const windowClause = 'developer.scheduling.bookings-window';

/** With which key lists are read; `isFresh`: now, whatever was read before. */
interface By {
  readonly key: ApiKey;
  readonly isFresh?: boolean;
}

/** How many pairs of values are tried. */
const mostPairs = 2;

/** Leads by status and source: pairs of values whose lists have something in common, and each something of its own. */
export async function judgeLeads(session: Session, tally: Tally, by: By): Promise<void> {
  const [status, source] = await Promise.all([
    readFilterLists(session, vocabularies.leads, by.key, by.isFresh),
    readFilterLists(session, vocabularies.sources, by.key, by.isFresh),
  ]);
  const open = openPart(status.unfiltered, wrongAlone(status), wrongAlone(source));
  const others = aloneIn(source);
  const pairs = aloneIn(status).flatMap((one) =>
    others.map((other): Pair => ({ filter: status.filter, unfiltered: status.unfiltered, one, other })),
  );
  const telling = pairs.filter(isTelling);
  // Each value once, as far as there are others.
  const [first] = telling;
  const second = telling.find(({ one, other }) => one !== first?.one && other !== first?.other);
  const shown =
    first === undefined && open.blames === undefined
      ? await findingByShownValues(session, by, [status, source])
      : undefined;
  if (shown !== undefined) {
    tally.judge(shown);
    return;
  }
  await judgePairs(session, tally, { by, pairs: [first ?? [], second ?? []].flat(), open });
}

/** Bookings by status, and from or to in the middle of those of that status. */
export async function judgeBookings(session: Session, tally: Tally, by: By): Promise<void> {
  const filter = vocabularies.bookings;
  const look = await readFilterLists(session, filter, by.key, by.isFresh);
  const [one] = aloneIn(look).sort((a, b) => b.listed.length - a.listed.length);
  const middle = middleOf((one?.listed ?? look.unfiltered).entries.map(({ row }) => row));
  if (one === undefined || middle === undefined) {
    throw new Inconclusive(openPart(look.unfiltered, wrongAlone(look)));
  }
  const bounds = await Promise.all(
    ['from', 'to'].map(async (name): Promise<Pair> => {
      const query = { [name]: timestamp(middle) };
      const listed = await readList(session, filter, { ...by, query, pointer: look.unfiltered.pointer });
      const other = { query, listed, clause: windowClause };
      return { filter, unfiltered: look.unfiltered, one, other };
    }),
  );
  const refused = bounds.find(({ other }) => !other.listed.answer.accepted);
  const open = refused === undefined ? openPart(look.unfiltered, windowClause) : refusedPart(refused.other);
  await judgePairs(session, tally, { by, pairs: bounds.filter(isTelling), open });
}

/** The middle one of the beginnings that bookings show, or of all times where none is a beginning. */
function middleOf(rows: readonly JsonObject[]): number | undefined {
  const starts = (timesOf(rows)?.starts ?? []).flatMap((start) => start ?? []);
  const all = rows.flatMap(shownIn).map(({ instant }) => instant);
  const sorted = (starts.length > 0 ? starts : all).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The values of a filter that are not wrong alone, each with what it yields. */
function aloneIn(look: FilterLists): Alone[] {
  const { name, clause } = look.filter;
  const wrong = troublesOf(look).map(({ value }) => value);
  const isUsable = (one: FilteredList): boolean => one.answer.accepted && one.isComplete && !wrong.includes(one.value);
  return look.filtered.filter(isUsable).map((listed) => ({ query: { [name]: listed.value }, listed, clause }));
}

/** The rows that stand in both lists. */
function common({ one, other }: Pair): Map<string, JsonObject> {
  const known = rowsById(other.listed.entries);
  return rowsById(one.listed.entries.filter(({ id }) => known.has(id)));
}

/** Whether a deployment that drops one of the filters, or joins them with or, would yield another list. */
function isTelling(pair: Pair): boolean {
  const both = common(pair).size;
  const isCut = (alone: Alone): boolean => !alone.listed.isComplete || alone.listed.length >= pair.unfiltered.length;
  return both > 0 && ![pair.one, pair.other].some((alone) => isCut(alone) || alone.listed.entries.length === both);
}

async function judgePairs(
  session: Session,
  tally: Tally,
  { by, pairs, open }: { readonly by: By; readonly pairs: readonly Pair[]; readonly open: Finding },
): Promise<void> {
  if (pairs.length === 0) {
    tally.leaveOpen(open);
  }
  for (const pair of pairs.slice(0, mostPairs)) {
    const query = { ...pair.one.query, ...pair.other.query };
    const both = await readList(session, pair.filter, { ...by, query, pointer: pair.unfiltered.pointer });
    tally.judge(both.answer.accepted ? difference(pair, both) : refused(both));
  }
}

/** What two filters at once yield and should not, or should and do not. */
function difference(pair: Pair, both: FetchedList): Finding | null {
  const { filter, one, other } = pair;
  const expected = common(pair);
  const came = rowsById(both.entries);
  // What the list does not show without filters may lie outside a window of its own, which from and to replace.
  const known = pair.unfiltered.isComplete ? rowsById(pair.unfiltered.entries) : came;
  const more = [...came].filter(([id]) => !expected.has(id) && known.has(id));
  const fewer = [...expected].filter(([id]) => !came.has(id));
  if (more.length + fewer.length === 0) {
    return null;
  }
  const names = [one, other].flatMap(({ query }) => Object.keys(query)).join(' and ');
  return findingOn(both.answer, {
    message:
      `Filters ${names} at once yield ${counted(came.size, filter.noun)} where ${expected.size} stand in both lists: ` +
      `${more.length} too many, ${fewer.length} missing`,
    expected: `the ${counted(expected.size, filter.noun)} that each filter alone yields`,
    actual: more.length > 0 ? `also ${show(more[0]?.[1])}` : `none like ${show(fewer[0]?.[1])}`,
    place: `/data${both.pointer ?? ''}`,
    cause:
      more.length > 0
        ? 'One of the two conditions is dropped, or they are joined with or'
        : 'A condition is read twice',
  });
}

const refusedPart = ({ listed, clause }: Alone): Finding =>
  findingOn(listed.answer, {
    message: `Two filters at once cannot be judged: one alone gets ${describeAnswer(listed.answer)}`,
    blames: clause,
  });

/** Nothing to compare: a filter that is wrong by itself is to blame, or the records show too little. */
function openPart(unfiltered: FetchedList, ...clauses: readonly (string | undefined)[]): Finding {
  const blames = clauses.find((clause) => clause !== undefined);
  return findingOn(unfiltered.answer, {
    message: 'Two filters at once cannot be judged: no two values have complete lists with a part in common',
    cause: 'More records with different values, shown as a list of objects, would decide it',
    ...(blames === undefined ? {} : { blames }),
  });
}

/** The clause of the list or of the filter, where that one is wrong by itself. */
function wrongAlone(look: FilterLists): string | undefined {
  const { filter, unfiltered, filtered } = look;
  if (!unfiltered.answer.accepted) {
    return endpointOf(filter.endpoint).clause;
  }
  const isWrong = filtered.some(({ answer }) => !answer.accepted) || troublesOf(look).length > 0;
  return isWrong ? filter.clause : undefined;
}

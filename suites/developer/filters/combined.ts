import { show } from '../../../common/schema.ts';
import { counted } from '../../../common/words.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import type { Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { expectAccepted, findingOn } from '../../engine/expect.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { instantsIn, startOf } from './booking-times.ts';
import { type Filter, vocabularies } from './filter.ts';
import {
  areComplete,
  type Condition,
  distinct,
  type Entry,
  type ListSets,
  type Part,
  type RecordSet,
  readSets,
} from './record-sets.ts';
import { lastingTroubles, troublesOf } from './selects.ts';
import { windowFilter, windowsAt } from './windows.ts';

/** Leads by status and source at once. */
export async function judgeLeads(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const [statuses, sources] = [
    await readAlone(session, key, vocabularies.leads),
    await readAlone(session, key, vocabularies.sources),
  ];
  await judgeCombined(session, tally, key, [statuses, sources]);
}

/** Bookings by status and from, and by status and to: the instant lies in the middle of the bookings of one status. */
export async function judgeBookings(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const statuses = await readAlone(session, key, vocabularies.bookings);
  const usable = statuses.usable.toSorted((a, b) => b.length - a.length).slice(0, 1);
  const middle = middleInstant(usable[0] ?? statuses.sets.whole);
  const windows = await readAlone(session, key, windowFilter(middle === undefined ? [] : windowsAt(middle)));
  await judgeCombined(session, tally, key, [{ ...statuses, usable }, windows]);
}

/** The median of the instants at which bookings begin or, where none is shown to, of all that they show. */
function middleInstant({ entries }: RecordSet): number | undefined {
  const starts = entries.flatMap(({ row }) => startOf(row) ?? []);
  const all = entries.flatMap(({ row }) => instantsIn(row)).map(({ instant }) => instant);
  const sorted = (starts.length > 0 ? starts : all).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** A filter by itself. */
interface Alone {
  readonly filter: Filter;
  readonly sets: ListSets;
  /** The conditions that are accepted and hold alone. */
  readonly usable: readonly Part[];
  /** The clause that does not hold alone; undefined: none. */
  readonly blames: string | undefined;
}

async function readAlone(session: Session, key: ApiKey, filter: Filter): Promise<Alone> {
  const sets = await readSets(session, filter.list, filter.conditions, { key });
  const wrong = troublesOf(filter, sets).map(({ condition }) => condition);
  const isRefused = sets.parts.some(({ answer }) => !answer.accepted);
  return {
    filter,
    sets,
    usable: sets.parts.filter(({ answer, condition }) => answer.accepted && !wrong.includes(condition)),
    blames: !sets.whole.answer.accepted
      ? endpointOf(filter.list.endpoint).clause
      : isRefused || wrong.length > 0
        ? filter.clause
        : undefined,
  };
}

/** Two filters at once yield what both alone have in common: on two pairs of conditions, different ones if possible. */
async function judgeCombined(session: Session, tally: Tally, key: ApiKey, [one, other]: [Alone, Alone]): Promise<void> {
  const { list } = one.filter;
  const { whole } = one.sets;
  const pairs = one.usable.flatMap((first) => other.usable.map((second) => ({ list, whole, parts: [first, second] })));
  const telling = pairs.filter(wouldShow);
  const [first] = telling;
  const others = telling.filter(({ parts }) => parts[1] !== first?.parts[1]);
  const second = others.find(({ parts }) => parts[0] !== first?.parts[0]) ?? others[0];
  if (first === undefined) {
    const blames = one.blames ?? other.blames;
    tally.leaveOpen(nothingToJudge(whole, blames));
  }
  for (const alone of [first, second].filter((pair) => pair !== undefined)) {
    const conditions = alone.parts.map(({ condition }) => condition) as [Condition, Condition];
    const sets = await readSets(session, list, [...conditions, bothOf(...conditions)], { key });
    const answer = sets.parts[2]?.answer;
    if (answer?.accepted === false) {
      tally.judge(expectAccepted(answer, 'Two filters together were rejected'));
      continue;
    }
    const findings = await lastingTroubles(session, key, sets, differences);
    tally.judge(...(findings.length === 0 ? [null] : findings));
  }
}

const bothOf = (one: Condition, other: Condition): Condition => ({
  query: { ...one.query, ...other.query },
  label: `${Object.keys({ ...one.query, ...other.query }).join(' and ')} together`,
  matches: () => 'unknown',
  expected: `what both have in common: ${one.expected}, ${other.expected}`,
});

/**
 * Whether a deployment that drops one of two conditions, or joins them with or, would yield something else: some
 * records match both, some the first alone, and some the second alone.
 */
function wouldShow(pair: ListSets): boolean {
  const entries = pair.parts.flatMap((part) => part.entries);
  const signs = new Set(entries.map((entry) => pair.parts.map((part) => isIn(part, entry, pair)).join()));
  return ['true,true', 'true,false', 'false,true'].every((sign) => signs.has(sign));
}

/** Whether a record matches a condition, as it says itself or, if it does not, as the list of the condition alone says. */
function isIn(part: Part, entry: Entry, pair: ListSets): boolean | 'unknown' {
  const said = part.condition.matches(entry.row);
  if (said !== 'unknown') {
    return said;
  }
  const has = (set: RecordSet): boolean => distinct(set, pair).some(({ id }) => id === entry.id);
  // What the whole list lacks may be outside a window that holds by default, which from and to replace.
  return has(part) ? true : areComplete(pair) && has(pair.whole) ? false : 'unknown';
}

/** How the records of two conditions at once differ from what both alone have in common. */
function differences({ list, whole, parts }: ListSets): Finding[] {
  const [one, other, both] = parts as readonly [Part, Part, Part];
  const pair = { list, whole, parts: [one, other] };
  const matches = (entry: Entry): (boolean | 'unknown')[] => pair.parts.map((part) => isIn(part, entry, pair));
  const strays = both.entries.filter((entry) => matches(entry).includes(false));
  const came = new Set(both.entries.map(({ id }) => id));
  const common = [...one.entries, ...other.entries].filter((entry) => matches(entry).every((is) => is === true));
  const isKnown = both.length === 0 || areComplete({ list, whole, parts });
  const lost = new Map(isKnown ? common.filter(({ id }) => !came.has(id)).map(({ id, row }) => [id, row]) : []);
  if (!both.answer.accepted || strays.length + lost.size === 0) {
    return [];
  }
  return [
    findingOn(both.answer, {
      message:
        `${both.condition.label} returned ${counted(both.entries.length, list.noun)}: ${strays.length} too many, ` +
        `${lost.size} missing`,
      expected: both.condition.expected,
      actual: strays.length > 0 ? `also ${show(strays[0]?.row)}` : `none like ${show([...lost.values()][0])}`,
      place: `/data${both.pointer ?? ''}`,
      cause:
        strays.length > 0
          ? 'One of the two conditions is dropped, or they are joined with or'
          : 'One condition is applied twice',
    }),
  ];
}

/** There is nothing to compare: a clause is to blame, if one is given; otherwise the records show too little. */
const nothingToJudge = ({ answer }: RecordSet, blames: string | undefined): Finding =>
  findingOn(answer, {
    message: `Cannot judge two filters together: ${
      blames === undefined
        ? 'no two conditions share records in complete lists'
        : `one alone got ${describeAnswer(answer)}`
    }`,
    advice: 'Run against a deployment that lists more records, as objects, with different values',
    ...(blames === undefined ? {} : { blames }),
  });

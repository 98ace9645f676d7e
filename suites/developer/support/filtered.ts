import type { FoundList, JsonObject } from '../../../common/json.ts';
import { show } from '../../../common/schema.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { createTally, type Tally } from '../../../results/outcome.ts';
import type { Check } from '../../engine/check.ts';
import { expectAccepted, findingOn } from '../../engine/expect.ts';
import type { Answer } from '../../session/answer.ts';
import { read } from '../../shared/reads.ts';
import { identity, listIn } from './rows.ts';

/** A filter of a list that takes a documented vocabulary. */
export interface Filter {
  readonly endpoint: string;
  readonly name: string;
  /** What a record of the list is called. */
  readonly noun: string;
}

/** What one documented value of a filter yields: a list. */
interface Filtered {
  readonly value: string;
  readonly answer: Answer;
  readonly list: FoundList;
}

/** The documented values of a filter. */
const valuesOf = ({ endpoint, name }: Filter): readonly string[] =>
  endpointOf(endpoint).query.find((parameter) => parameter.name === name)?.values ?? [];

/**
 * Judges a filter: each documented value is taken, and no record stands in the lists of two values. Where records show
 * a field of the filter's own name with a value of its vocabulary, that value is the one asked for.
 */
export const filterSelects =
  (filter: Filter): Check =>
  async (session) => {
    const { endpoint, name, noun } = filter;
    const tally = createTally();
    const [plain, answers] = await Promise.all([
      read(session, endpoint),
      Promise.all(
        valuesOf(filter).map(async (value) => ({
          value,
          answer: await read(session, endpoint, { query: { [name]: value } }),
        })),
      ),
    ]);
    const lists: Filtered[] = answers.flatMap(({ value, answer }) => {
      const list = answer.accepted ? listIn(answer, noun) : undefined;
      return list === undefined ? [] : [{ value, answer, list }];
    });
    for (const { value, answer } of answers.filter((one) => !one.answer.accepted)) {
      tally.judge(expectAccepted(answer, `Documented value ${name}=${value} is not taken`));
    }
    const full = lists.find(({ list }) => list.rows.length > 0);
    if (full === undefined) {
      tally.leaveOpen(nothingToCompare(filter, plain, lists.length > 0));
      return tally.outcome();
    }
    judgeOverlap(tally, name, lists);
    judgeShownValues(tally, filter, lists, plain);
    return tally.outcome({
      list: `/data${full.list.pointer}`,
      rows: Object.fromEntries(lists.map(({ value, list }) => [value, list.rows.length])),
    });
  };

/** Seeding fills some of the lists (Sandbox, rule 1). */
const isSeeded = (endpoint: string): boolean => /campaigns|bookings/.test(endpoint);

const nothingToCompare = ({ endpoint, name }: Filter, plain: Answer, hasLists: boolean): ReturnType<typeof findingOn> =>
  findingOn(plain, {
    message: hasLists
      ? `All lists of ${endpoint} by ${name} are empty`
      : `${endpoint} shows no list of objects that a filter could be seen in`,
    cause: 'Records with different values, shown as a list of objects, would decide it',
    ...(hasLists && isSeeded(endpoint) ? { blames: 'developer.sandbox.data' } : {}),
  });

function judgeOverlap(tally: Tally, name: string, lists: readonly Filtered[]): void {
  const firstIn = new Map<string, string>();
  for (const { value, answer, list } of lists) {
    const known = list.rows.map(identity).find((id) => firstIn.has(id));
    tally.judge(
      known === undefined
        ? null
        : findingOn(answer, {
            message: `Filter ${name} does not tell records apart: one of ${name}=${value} is also in ${name}=${firstIn.get(known) ?? ''}`,
            expected: 'no record in two of the lists',
            actual: show(known),
            place: `/data${list.pointer}`,
          }),
    );
    for (const row of list.rows) {
      firstIn.set(identity(row), value);
    }
  }
}

/** Records that show the filtered field themselves decide what disjoint lists cannot: swapped, and wrongly empty ones. */
function judgeShownValues(tally: Tally, filter: Filter, lists: readonly Filtered[], plain: Answer): void {
  const { name, noun } = filter;
  const values = valuesOf(filter);
  const shown = (row: JsonObject): string | undefined => values.find((value) => row[name] === value);
  for (const { value, answer, list } of lists) {
    const place = `/data${list.pointer}`;
    const stray = list.rows.find((row) => ![undefined, value].includes(shown(row)));
    const missed = list.rows.length === 0 ? listIn(plain, noun)?.rows.find((row) => shown(row) === value) : undefined;
    tally.judge(
      stray === undefined
        ? null
        : findingOn(answer, {
            message: `Filter ${name}=${value} yields a record whose ${name} is ${shown(stray) ?? ''}`,
            expected: `records with ${name} ${value}`,
            actual: show(stray),
            place,
          }),
      missed === undefined
        ? null
        : findingOn(answer, {
            message: `Filter ${name}=${value} yields nothing, and the unfiltered list has such a record`,
            expected: show(missed),
            actual: 'an empty list',
            place,
          }),
    );
  }
}

import type { JsonObject } from '../../../../common/json.ts';
import { show } from '../../../../common/schema.ts';
import { counted } from '../../../../common/words.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { findingOn } from '../../../engine/expect.ts';
import type { Session } from '../../../session/session.ts';
import {
  type FetchedList,
  type Filter,
  type FilteredList,
  type FilterLists,
  type Reader,
  readList,
  shownValue,
} from './filter-lists.ts';

/** A value of each of two filters, with its list. */
interface ValuePair {
  readonly one: FilteredList;
  readonly other: FilteredList;
}

/**
 * Judges two filters at once where the lists may be incomplete: by the values that the rows themselves show, on one
 * pair of values. Gives the finding, null where the filters hold, and undefined where no pair of values can show a
 * defect.
 */
export async function findingByShownValues(
  session: Session,
  reader: Reader,
  filters: readonly [FilterLists, FilterLists],
): Promise<Finding | null | undefined> {
  const pair = pairThatShows(filters);
  if (pair === undefined) {
    return undefined;
  }
  const [first, second] = filters;
  const query = { [first.filter.name]: pair.one.value, [second.filter.name]: pair.other.value };
  const both = await readList(session, first.filter, { ...reader, query, pointer: first.unfiltered.pointer });
  return both.answer.accepted ? strayIn(both, filters, pair) : bothRefused(both);
}

/** Two values whose lists have a row of both values, and each a row with another value of the other filter. */
function pairThatShows([first, second]: readonly [FilterLists, FilterLists]): ValuePair | undefined {
  const pairs = first.filtered.flatMap((one) => second.filtered.map((other) => ({ one, other })));
  return pairs.find(
    ({ one, other }) =>
      one.entries.some(({ row }) => showsOtherValue(row, second.filter, other.value)) &&
      other.entries.some(({ row }) => showsOtherValue(row, first.filter, one.value)) &&
      [...one.entries, ...other.entries].some(
        ({ row }) => shownValue(row, first.filter) === one.value && shownValue(row, second.filter) === other.value,
      ),
  );
}

const showsOtherValue = (row: JsonObject, filter: Filter, value: string): boolean =>
  ![undefined, value].includes(shownValue(row, filter));

/** A row of another value is a defect, and so is an empty list, since there are rows of both values. */
function strayIn(
  both: FetchedList,
  [first, second]: readonly [FilterLists, FilterLists],
  { one, other }: ValuePair,
): Finding | null {
  const strays = both.entries.filter(
    ({ row }) => showsOtherValue(row, first.filter, one.value) || showsOtherValue(row, second.filter, other.value),
  );
  if (strays.length === 0 && both.entries.length > 0) {
    return null;
  }
  const { noun, name } = first.filter;
  const asked = `${name}=${one.value} and ${second.filter.name}=${other.value}`;
  const place = `/data${both.pointer ?? ''}`;
  const expected = `${noun}s of both values`;
  return strays.length > 0
    ? findingOn(both.answer, {
        message: `Filters ${asked} together returned ${counted(strays.length, noun)} that do not match both`,
        expected,
        actual: show(strays[0]?.row),
        place,
        cause: 'One of the two conditions is dropped, or they are joined with or',
      })
    : findingOn(both.answer, {
        message: `Filters ${asked} together returned nothing, although each alone shows a ${noun} that matches both`,
        expected,
        actual: 'none',
        place,
        cause: 'One condition is applied twice',
      });
}

/** The finding on two filters that are refused together, where each alone was accepted. */
export const bothRefused = ({ answer }: FetchedList): Finding =>
  findingOn(answer, {
    message: `Two filters together were rejected: ${describeAnswer(answer)}`,
    expected: '2xx, as with each alone',
    actual: describeAnswer(answer),
  });

import type { JsonObject } from '../../../../common/json.ts';
import { show } from '../../../../common/schema.ts';
import { counted } from '../../../../common/words.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer, findingOn } from '../../../engine/expect.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import {
  type FetchedList,
  type Filter,
  type FilteredList,
  type FilterLists,
  readList,
  shownValue,
} from './filter-lists.ts';

/** A value of each of two filters. */
interface Values {
  readonly one: FilteredList;
  readonly other: FilteredList;
}

/**
 * Two filters at once on lists that are not known to be unfiltered: by the values that the rows show of themselves. One pair of values is
 * tried, of which each alone yields rows with another value of the other. undefined: there is none.
 */
export async function findingByShownValues(
  session: Session,
  by: { readonly key: ApiKey; readonly isFresh?: boolean },
  sides: readonly [FilterLists, FilterLists],
): Promise<Finding | null | undefined> {
  const pair = tellingPair(sides);
  if (pair === undefined) {
    return undefined;
  }
  const [{ filter, unfiltered }] = sides;
  const query = { [filter.name]: pair.one.value, [sides[1].filter.name]: pair.other.value };
  const both = await readList(session, filter, { ...by, query, pointer: unfiltered.pointer });
  return both.answer.accepted ? strayIn(both, sides, pair) : refused(both);
}

function tellingPair([first, second]: readonly [FilterLists, FilterLists]): Values | undefined {
  const pairs = first.filtered.flatMap((one) => second.filtered.map((other) => ({ one, other })));
  return pairs.find(
    ({ one, other }) =>
      showsAnother(one, second.filter, other.value) &&
      showsAnother(other, first.filter, one.value) &&
      [...one.entries, ...other.entries].some(
        ({ row }) => shownValue(row, first.filter) === one.value && shownValue(row, second.filter) === other.value,
      ),
  );
}

const showsAnother = ({ entries }: FetchedList, filter: Filter, value: string): boolean =>
  entries.some(({ row }) => isAnother(row, filter, value));

const isAnother = (row: JsonObject, filter: Filter, value: string): boolean =>
  ![undefined, value].includes(shownValue(row, filter));

/** A row of another value; or none at all, where there are rows of both values. */
function strayIn(
  both: FetchedList,
  [first, second]: readonly [FilterLists, FilterLists],
  { one, other }: Values,
): Finding | null {
  const { noun, name } = first.filter;
  const stray = both.entries.filter(
    ({ row }) => isAnother(row, first.filter, one.value) || isAnother(row, second.filter, other.value),
  );
  if (stray.length === 0 && both.entries.length > 0) {
    return null;
  }
  const asked = `${name}=${one.value} and ${second.filter.name}=${other.value}`;
  return findingOn(both.answer, {
    message:
      stray.length > 0
        ? `Filters ${asked} at once yield ${counted(stray.length, noun)} of another value`
        : `Filters ${asked} at once yield nothing, although each alone shows a ${noun} of both values`,
    expected: `${noun}s of both values`,
    actual: stray.length > 0 ? show(stray[0]?.row) : 'none',
    place: `/data${both.pointer ?? ''}`,
    cause:
      stray.length > 0
        ? 'One of the two conditions is dropped, or they are joined with or'
        : 'A condition is read twice',
  });
}

/** Each alone was taken. */
export const refused = ({ answer }: FetchedList): Finding =>
  findingOn(answer, {
    message: `Two filters at once are not accepted: ${describeAnswer(answer)}`,
    expected: '2xx, as with each alone',
    actual: describeAnswer(answer),
  });

import { show } from '../../../common/schema.ts';
import { counted } from '../../../common/words.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { createTally, type Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import type { Check } from '../../engine/check.ts';
import { expectAccepted, findingOn } from '../../engine/expect.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { keysOfBothEnvironments, modesOfFilters } from '../environments.ts';
import type { Filter } from './filter.ts';
import {
  areComplete,
  type Condition,
  distinct,
  type Entry,
  type ListSets,
  type Part,
  readSet,
  readSets,
  unchanged,
} from './record-sets.ts';

/**
 * A filter selects: each condition is accepted, yields no record that does not match it, and every matching record of
 * the whole list; and no record matches two values of a vocabulary.
 */
export const filterSelects =
  (filter: Filter): Check =>
  async (session) => {
    const tally = createTally();
    const observed: unknown[] = [];
    for (const key of await keysOfBothEnvironments(session, filter.list.endpoint)) {
      observed.push(await judgeFilter(session, tally, key, filter));
    }
    return tally.outcome(observed[0]);
  };

/** Judges a filter with a key. Gives what it saw: where the list is, and how many records each condition yields. */
export async function judgeFilter(session: Session, tally: Tally, key: ApiKey, filter: Filter): Promise<unknown> {
  const sets = await readSets(session, filter.list, filter.conditions, { key });
  const { whole, parts } = sets;
  for (const { condition, answer } of parts.filter((part) => !part.answer.accepted && !part.condition.mayBeRefused)) {
    // A status that the list gets without a filter too is judged by its own clause.
    if (whole.answer.accepted || whole.answer.status !== answer.status) {
      tally.judge(expectAccepted(answer, `${condition.label} was rejected`));
    }
  }
  const found = parts.filter(({ pointer }) => pointer !== undefined);
  const isDecisive = ({ row }: Entry): boolean => parts.some(({ condition }) => condition.matches(row) !== 'unknown');
  const isBlank = parts.every((part) => distinct(part, sets).length === 0) && !whole.entries.some(isDecisive);
  if (found.length === 0 || isBlank) {
    tally.leaveOpen(nothingToCompare(filter, sets, key));
    return undefined;
  }
  const judge = (read: ListSets): Finding[] => troublesOf(filter, read).map(({ finding }) => finding);
  const findings = await lastingTroubles(session, key, sets, judge);
  tally.judge(...(findings.length === 0 ? found.map(() => null) : findings));
  const rows = Object.fromEntries(found.map(({ condition, entries }) => [condition.label, entries.length]));
  return { list: `/data${whole.pointer ?? ''}`, rows };
}

/**
 * The troubles that last for KEY_SETTLE_MS, among the records that did not change while all was read again. They are
 * there in one mode: a key may see other data in the query, which is not the filter's fault.
 */
export async function lastingTroubles(
  session: Session,
  key: ApiKey,
  sets: ListSets,
  judge: (sets: ListSets) => Finding[],
): Promise<Finding[]> {
  if (judge(sets).length === 0) {
    return [];
  }
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  const conditions = sets.parts.map(({ condition }) => condition);
  for (const mode of await modesOfFilters(session, key)) {
    const reading = { key, isFresh: true, mode };
    const again = await readSets(session, sets.list, conditions, reading);
    const after = await readSet(session, sets.list, reading, again.whole.pointer);
    const lasting = judge(unchanged(again, after));
    if (lasting.length > 0) {
      return lasting;
    }
  }
  return [];
}

/** What is wrong with the records under a condition. */
interface Trouble {
  readonly condition: Condition;
  readonly finding: Finding;
}

/** What is wrong with the records under the conditions of a filter. */
export function troublesOf(filter: Filter, sets: ListSets): Trouble[] {
  const { whole, parts } = sets;
  const { noun } = filter.list;
  return parts.flatMap((part, index) => {
    const { condition, entries, answer, pointer = '' } = part;
    const trouble = (message: string, row: unknown, cause?: string): Trouble => ({
      condition,
      finding: findingOn(answer, {
        message: `${condition.label} ${message}`,
        expected: condition.expected,
        actual: show(row),
        place: `/data${pointer}`,
        ...(cause === undefined ? {} : { cause }),
      }),
    });
    const strays = straysIn(part);
    if (strays.length > 0) {
      return [
        trouble(`returned ${counted(strays.length, noun)} that should not match`, strays[0]?.row, condition.cause),
      ];
    }
    if (answer.accepted && part.pointer !== undefined && condition.canBe?.(part, whole) === false) {
      return [
        trouble(
          `returned ${part.length} of ${counted(whole.length, noun)}`,
          entries[0]?.row ?? 'none',
          condition.cause,
        ),
      ];
    }
    const twice = filter.isVocabulary ? inEarlierParts(part, parts.slice(0, index), sets) : [];
    if (twice.length > 0) {
      const ignored =
        twice.length === entries.length ? 'The parameter is ignored: all values return the same list' : undefined;
      return [
        trouble(`returned ${counted(twice.length, noun)} that another value returned too`, twice[0]?.row, ignored),
      ];
    }
    const lost = missingFrom(part, sets);
    return lost.length === 0
      ? []
      : [trouble(`omits ${counted(lost.length, noun)} that the whole list shows`, lost[0]?.row)];
  });
}

const straysIn = ({ condition, entries }: Part): readonly Entry[] =>
  entries.filter(({ row }) => condition.matches(row) === false);

function inEarlierParts(part: Part, earlier: readonly Part[], sets: ListSets): readonly Entry[] {
  const known = new Set(earlier.flatMap((one) => distinct(one, sets)).map(({ id }) => id));
  return distinct(part, sets).filter(({ id }) => known.has(id));
}

/** Records of the whole list that match and are not in the part, which is known to be complete: an empty one is. */
function missingFrom(part: Part, sets: ListSets): readonly Entry[] {
  if (part.pointer === undefined || !(areComplete(sets) || part.length === 0)) {
    return [];
  }
  const kept = new Set(part.entries.map(({ id }) => id));
  return sets.whole.entries.filter(({ id, row }) => part.condition.matches(row) === true && !kept.has(id));
}

/** Seeding fills some of the lists (Sandbox, rule 1). */
const isSeeded = (endpoint: string): boolean => /campaigns|bookings/.test(endpoint);

function nothingToCompare({ list, parameter }: Filter, { whole, parts }: ListSets, { environment }: ApiKey): Finding {
  const { endpoint } = list;
  const found = parts.filter(({ pointer }) => pointer !== undefined);
  const areEmpty = found.length > 0 && found.every(({ entries }) => entries.length === 0);
  const message = areEmpty
    ? `All lists of ${endpoint} by ${parameter} are empty`
    : found.length === 0
      ? `${endpoint}${whole.pointer === undefined ? '' : ` by ${parameter}`} has no list of records in which a filter would show`
      : `Records of ${endpoint} cannot be told apart: they show no id and no ${parameter}, and some look the same`;
  return findingOn(whole.answer, {
    message,
    advice: 'Run against a deployment that lists records, as objects, with different values',
    ...(whole.answer.accepted && (found.length > 0 || whole.pointer === undefined)
      ? {}
      : { blames: endpointOf(endpoint).clause }),
    ...(areEmpty && isSeeded(endpoint) && environment !== 'live' ? { blames: 'developer.sandbox.data' } : {}),
  });
}

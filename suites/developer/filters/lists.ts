import { canonical, type JsonObject } from '../../../common/json.ts';
import { counted, show } from '../../../common/words.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import type { Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { findingOn } from '../../engine/expect.ts';
import { mentions } from '../../reading/own-words.ts';
import { idsOf } from '../../reading/record.ts';
import { listLike } from '../../reading/rows.ts';
import { shownPages } from '../../records/pages.ts';
import { nounOf, type ReadDetails, read } from '../../records/reads.ts';
import { type Answer, type ApiKey, type Call, callOf, type KeyMode } from '../../session/call.ts';
import { type Session, send, step } from '../../session/session.ts';

/** A record of a list. */
export interface Entry {
  /** Its id or, without one, the whole record, as it came: for comparing, and never for a finding. */
  readonly id: string;
  readonly hasId: boolean;
  readonly row: JsonObject;
  /** The page that shows it. */
  readonly answer: Answer;
}

/** Something that a list is asked for: a value of a filter, or values of several. */
export interface Condition {
  readonly query: Readonly<Record<string, string>>;
  /** In words: `status=PAUSED`. */
  readonly label: string;
  /** Whether a record matches, as far as the record shows it. */
  readonly matches: (entry: Entry) => boolean | 'unknown';
  /** How the key is sent with it, where that is accepted: each mode may have a parser of its own. Default: as usual. */
  readonly mode?: KeyMode;
}

/** All that a list shows: it is asked for nothing. */
const everything: Condition = { query: {}, label: 'The whole list', matches: () => true };

/** The records that a list shows under a condition, on its first pages: on those to which the answers show the way. */
export type Part = Awaited<ReturnType<typeof readPart>>;

/** A list as it is, and under each of some conditions. */
export interface ListSets {
  readonly list: string;
  readonly whole: Part;
  readonly parts: readonly Part[];
}

/** How a list is read. */
export interface Reading {
  readonly key: ApiKey;
  /** Whether it is sent now, whatever was read before. */
  readonly isFresh?: boolean;
  /** Where the list is in the answer without a query. */
  readonly pointer?: string | undefined;
}

/** The pages of a list from its first one on: they are read once, however many read that one. */
const pagesFrom = step(
  ({ client }, first: Answer, call: Call) => shownPages(client, call, first),
  ({ exchange }, _) => String(exchange.number),
);

/** Reads a list under a condition. That a mode is refused is judged by the clause about it. */
export async function readPart(
  session: Session,
  list: string,
  { key, isFresh = false, pointer }: Reading,
  condition = everything,
) {
  const { query, mode } = condition;
  const readFirst = (details: ReadDetails): Promise<Answer> =>
    isFresh ? send(session, list, details) : read(session, list, details);
  const inMode = mode && (await readFirst({ key, query, mode }));
  const answer = inMode?.accepted ? inMode : await readFirst({ key, query });
  const how = answer === inMode && mode !== undefined ? { query, mode } : { query };
  const pages = await pagesFrom(session, answer, callOf(endpointOf(list), key, how));
  const lists = pages.map((page) => listOn(page.answer, nounOf(list), pointer));
  return {
    condition,
    /** The first page. */
    answer,
    /** Where the list is in data, as a JSON pointer; undefined: no list can be found. */
    pointer: lists[0]?.pointer,
    /** Its records, without those that the run made. */
    entries: lists.flatMap((list) => list?.entries ?? []).filter(({ row }) => !mentions(row, session.tag)),
    /** How many records are on each page, those of the run included. */
    pages: pages.map((page, index) => ({ answer: page.answer, length: lists[index]?.entries.length ?? 0 })),
    /**
     * Whether a list was found and shows no further page. An empty page may come from a parameter that selects nothing,
     * instead of showing the next page.
     */
    isComplete:
      lists.every((list, index) => list !== undefined && (index === 0 || list.entries.length > 0)) &&
      pages.at(-1)?.showsNext === false,
  };
}

/** The list on a page, and all its records; undefined: there is none. */
function listOn(answer: Answer, noun: string, pointer: string | undefined) {
  const find = (payload: unknown) => (answer.accepted ? listLike(payload, pointer, noun) : undefined);
  const list = find(answer.payload);
  const ids = answer.unredacted(({ payload }) =>
    (find(payload)?.rows ?? []).map((row) => {
      const id = idsOf(row, noun)[0];
      return { id: id ?? canonical(row), hasId: id !== undefined };
    }),
  );
  return (
    list && {
      pointer: list.pointer,
      entries: list.rows.map((row, index): Entry => ({ id: '', hasId: false, ...ids[index], row, answer })),
    }
  );
}

/** Reads a list as it is, and under each condition. */
export async function readSets(
  session: Session,
  list: string,
  conditions: readonly Condition[],
  reading: Reading,
): Promise<ListSets> {
  const whole = await readPart(session, list, reading);
  const { pointer } = whole;
  const parts = conditions.map((condition) => readPart(session, list, { ...reading, pointer }, condition));
  return { list, whole, parts: await Promise.all(parts) };
}

// --- What is wrong with the records of a list

/** Records that a list should not show under a condition, or that it lacks. */
export interface Wrong {
  readonly part: Part;
  readonly says: string;
  readonly records: readonly Entry[];
}

/** What is wrong with the records under each condition; null: nothing. `areApart`: no record matches two of them. */
export const wrongIn = ({ list, whole, parts }: ListSets, areApart: boolean): readonly (Wrong | null)[] =>
  parts.map((part, index) => {
    const { condition, entries, pointer } = part;
    const wrong = (records: readonly Entry[], before: string, after: string): Wrong | null =>
      records.length === 0
        ? null
        : { part, records, says: `${before} ${counted(records.length, nounOf(list))} that ${after}` };
    const strays = entries.filter((entry) => condition.matches(entry) === false);
    // What shows another value in another list is a stray there, and may well belong in this one.
    const belonging = parts
      .slice(0, index)
      .flatMap((one) => one.entries.filter((entry) => one.condition.matches(entry) !== false));
    const twice = areApart ? entries.filter((entry) => has({ entries: belonging }, entry)) : [];
    const showsAll = pointer !== undefined && isUncut(part, whole);
    const came = new Set(entries.map(({ id }) => id));
    const isLost = (entry: Entry): boolean => condition.matches(entry) === true && !came.has(entry.id);
    return (
      wrong(strays, 'returned', 'should not match') ??
      wrong(twice, 'returned', 'another value returned too') ??
      wrong(showsAll ? whole.entries.filter(isLost) : [], 'omits', 'the whole list shows')
    );
  });

/** What is wrong again with one of its records: others changed, or moved to another page, while they were read. */
export const wrongTwice = (
  before: readonly (Wrong | null)[],
  now: readonly (Wrong | null)[],
): readonly (Wrong | null)[] =>
  now.map((wrong, index) => {
    const earlier = new Set(before[index]?.records.map(({ id }) => id));
    const records = wrong?.records.filter(({ id }) => earlier.has(id)) ?? [];
    return wrong === null || records.length === 0 ? null : { ...wrong, records };
  });

/** The finding on what is wrong; null: nothing. */
export function findingOf(wrong: Wrong | null): Finding | null {
  if (wrong === null) {
    return null;
  }
  const { condition, entries, answer, pointer } = wrong.part;
  const [first] = wrong.records;
  const isShown = first !== undefined && entries.includes(first);
  const how = answer.exchange.keyInQuery ? ', with the key in the query,' : '';
  return findingOn(isShown ? first.answer : answer, {
    message: `${condition.label}${how} ${wrong.says}`,
    expected: 'the records that match, all of them and no others',
    actual: `${isShown ? '' : 'without '}${show(first?.row)}`,
    place: `/data${pointer}`,
    cause: 'A parameter is ignored, alone or beside another, or is compared with something else',
  });
}

/** Tallies what is wrong, and with the same records still KEY_SETTLE_MS later, when the lists are read afresh. */
export async function judgeLasting(
  session: Session,
  tally: Tally,
  findWrong: (isFresh: boolean) => Promise<readonly (Wrong | null)[]>,
): Promise<void> {
  let lasting = await findWrong(false);
  if (lasting.some((wrong) => wrong !== null)) {
    await session.clock.sleep(session.settings.KEY_SETTLE_MS);
    lasting = wrongTwice(lasting, await findWrong(true));
  }
  tally.judge(...lasting.map(findingOf));
}

/** Whether a part shows all that it selects: a page size may have cut a last page as long as those of the whole. */
export const isUncut = ({ isComplete, pages }: Part, whole: Part): boolean => {
  const lengths = pages.map(({ length }) => length);
  const isEmpty = lengths.every((length) => length === 0);
  return isComplete && (isEmpty || whole.pages.some(({ length }) => length > (lengths.at(-1) ?? 0)));
};

/** Whether a set has a record. One without an id may look like another: then that is not known. */
export const has = ({ entries }: Pick<Part, 'entries'>, { id }: Entry): boolean =>
  entries.some((one) => one.hasId && one.id === id);

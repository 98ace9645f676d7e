import { isObject, type JsonObject, walk } from '../../../../common/json.ts';
import { listLike } from '../../../../common/main-list.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey, KeyMode } from '../../../session/key.ts';
import { nextPage } from '../../../session/reading/next-page.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import type { Session } from '../../../session/session.ts';
import { readAs } from '../data/environments.ts';
import { isWholeRecord, rowIdentity } from '../data/rows.ts';
import { plainRow } from './plain-row.ts';

/** A filter of a list that takes a documented vocabulary. */
export interface Filter {
  readonly endpoint: string;
  /** The query parameter. */
  readonly name: string;
  /** What a record of the list is called. */
  readonly noun: string;
  /** The clause that judges it. */
  readonly clause: string;
}

const vocabulary = (endpoint: string, name: string, noun: string, clause: string): Filter => ({
  endpoint,
  name,
  noun,
  clause: `developer.${clause}`,
});

/** The filters that take a vocabulary. */
export const vocabularies = {
  campaigns: vocabulary('GET /api/v1/ads/campaigns', 'status', 'campaign', 'ads.campaigns-status'),
  bookings: vocabulary('GET /api/v1/developer/export/bookings', 'status', 'booking', 'scheduling.bookings-status'),
  leads: vocabulary('GET /api/v1/developer/export/leads', 'status', 'lead', 'scheduling.leads-status'),
  sources: vocabulary('GET /api/v1/developer/export/leads', 'source', 'lead', 'scheduling.leads-source'),
  posts: vocabulary('GET /api/v1/content/posts', 'status', 'post', 'content.posts-status'),
};

/** A record of a list. */
export interface Entry {
  /** Its id or, without one, the whole record, as it came: for comparing, and never for a finding. */
  readonly id: string;
  readonly row: JsonObject;
}

/** A list that was read. */
export interface FetchedList {
  readonly answer: Answer;
  /** Where the list is in data, as a JSON pointer; undefined: no list can be found. */
  readonly pointer: string | undefined;
  /** Its records, without those that the run made. */
  readonly entries: readonly Entry[];
  /** How many records it shows, those of the run included. */
  readonly length: number;
  /** Whether a list was found and shows no further page: it shows none where some total equals its length. */
  readonly isComplete: boolean;
}

/** A list by one documented value of a filter. */
export interface FilteredList extends FetchedList {
  readonly value: string;
}

/** A list without a filter, and by each documented value of it. */
export interface FilterLists {
  readonly filter: Filter;
  readonly unfiltered: FetchedList;
  readonly filtered: readonly FilteredList[];
}

/** With which key lists are read. */
export interface Reader {
  readonly key: ApiKey;
  /** Whether they are read now, whatever was read before. Default: an earlier answer will do. */
  readonly isFresh?: boolean;
  /** How the key is sent with all of them. Default: in the query with some of them. */
  readonly mode?: KeyMode;
}

/** How a list is read. */
interface Reading extends Reader {
  readonly query?: Readonly<Record<string, string | number>>;
  /** Where the list is in the answer without a query. */
  readonly pointer?: string | undefined;
}

/** Reads a list with a query. */
export async function readList(
  session: Session,
  { endpoint, noun }: Pick<Filter, 'endpoint' | 'noun'>,
  { pointer, ...reading }: Reading,
): Promise<FetchedList> {
  const answer = await readAs(session, endpoint, reading);
  const find = (payload: unknown) => (answer.accepted ? listLike(payload, pointer, noun) : undefined);
  const list = find(answer.payload);
  const ids = answer.unredacted(({ payload }) => (find(payload)?.rows ?? []).map((row) => rowIdentity(row, noun)));
  const entries = (list?.rows ?? []).map((row, index) => ({ id: ids[index] ?? '', row: plainRow(row) }));
  return {
    answer,
    pointer: list?.pointer,
    entries: entries.filter(({ row }) => !mentions(row, session.tag)),
    length: entries.length,
    isComplete: list !== undefined && isLastPage(answer, entries.length),
  };
}

/** Reads a list without the filter and by each of its documented values. */
export async function readFilterLists(session: Session, filter: Filter, reader: Reader): Promise<FilterLists> {
  const unfiltered = await readList(session, filter, reader);
  const { pointer } = unfiltered;
  const filtered = documentedValues(filter).map(async (value) => ({
    value,
    ...(await readList(session, filter, { ...reader, query: { [filter.name]: value }, pointer })),
  }));
  return { filter, unfiltered, filtered: await Promise.all(filtered) };
}

/** The lists without the records that the unfiltered one shows with another value in a later reading, or no longer. */
export function withoutChanged(lists: FilterLists, later: FetchedList): FilterLists {
  const { filter, unfiltered, filtered } = lists;
  const valuesLater = new Map(later.entries.map(({ id, row }) => [id, shownValue(row, filter)]));
  const changed = new Set(
    unfiltered.entries.flatMap(({ id, row }) => (valuesLater.get(id) === shownValue(row, filter) ? [] : [id])),
  );
  const steady = <T extends FetchedList>(list: T): T => ({
    ...list,
    entries: list.entries.filter(({ id }) => !changed.has(id)),
  });
  return { filter, unfiltered: steady(unfiltered), filtered: filtered.map(steady) };
}

const documentedValues = ({ endpoint, name }: Filter): readonly string[] =>
  endpointOf(endpoint).query.find((parameter) => parameter.name === name)?.values ?? [];

/** The rows of entries, by id. */
export const rowsById = (entries: readonly Entry[]): Map<string, JsonObject> =>
  new Map(entries.map(({ id, row }) => [id, row]));

/**
 * The entries that can be told from others, in whatever list: those with an id and, where the unfiltered list is known
 * to be whole, those whose like it shows exactly once. Records without an id may look the same, as in an export that
 * names nobody.
 */
export function distinctEntries(
  entries: readonly Entry[],
  unfiltered: FetchedList,
  isWhole: boolean,
): readonly Entry[] {
  const copies = Map.groupBy(unfiltered.entries, ({ id }) => id);
  return entries.filter(({ id }) => !isWholeRecord(id) || (isWhole && copies.get(id)?.length === 1));
}

function isLastPage(answer: Answer, length: number): boolean {
  const next = answer.unredacted((body) => nextPage(body));
  return next === null || (next.style === 'total' && showsTotal(answer, length));
}

const showsTotal = ({ payload }: Answer, total: number): boolean =>
  walk(payload).some(
    ({ name, value, isInList }) => !isInList && value === total && /^(total|count)|_(total|count)$/i.test(name),
  );

/** Objects in which a record keeps its fields, where it does not keep them at its top. */
const wrappers = ['attributes', 'fields', 'properties'];

/** The filter's value that a record shows, in a field of the filter's name, in whatever case; undefined: none. */
export function shownValue(row: JsonObject, filter: Filter): string | undefined {
  const { name, noun } = filter;
  const names = [name, `${noun}_${name}`, `${noun}${name}`];
  const places = [row, ...[...wrappers, noun].map((wrapper) => row[wrapper])].filter(isObject);
  for (const place of places) {
    const field = Object.keys(place).find((one) => names.includes(one.toLowerCase()));
    const text = field === undefined ? undefined : place[field];
    if (typeof text === 'string') {
      return documentedValues(filter).find((value) => value.toLowerCase() === text.toLowerCase());
    }
  }
  return undefined;
}

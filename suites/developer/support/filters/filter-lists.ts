import { isObject, type JsonObject, walk } from '../../../../common/json.ts';
import { listLike } from '../../../../common/main-list.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { nextPage } from '../../../session/reading/next-page.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import type { Session } from '../../../session/session.ts';
import { readAs } from '../data/environments.ts';
import { identity } from '../rows.ts';
import { plainRow } from './plain-row.ts';

/** A filter of a list that takes a documented vocabulary. */
export interface Filter {
  readonly endpoint: string;
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
  /** What tells it from others, as it came: for comparing, not for showing. */
  readonly id: string;
  readonly row: JsonObject;
}

/** An answer, and its list of records: without those that the run made. */
export interface FetchedList {
  readonly answer: Answer;
  /** JSON pointer in data; undefined where no list can be found. */
  readonly pointer: string | undefined;
  readonly entries: readonly Entry[];
  /** How many records it shows, the run's own included. */
  readonly length: number;
  /** It was found, and shows no further page. A total that it reaches, or that counts something else, is none. */
  readonly isComplete: boolean;
}

/** What one documented value of a filter yields. */
export interface FilteredList extends FetchedList {
  readonly value: string;
}

/** A list as a unfiltered, and by each documented value of a filter. */
export interface FilterLists {
  readonly filter: Filter;
  readonly unfiltered: FetchedList;
  readonly filtered: readonly FilteredList[];
}

/** The documented values of a filter. */
const valuesOf = ({ endpoint, name }: Filter): readonly string[] =>
  endpointOf(endpoint).query.find((parameter) => parameter.name === name)?.values ?? [];

type Query = Readonly<Record<string, string | number>>;

/** How a list is read. */
interface Reading {
  readonly key: ApiKey;
  readonly query?: Query;
  /** Where the list stands in the answer without a query. */
  readonly pointer?: string | undefined;
  /** Now, whatever was read before. */
  readonly isFresh?: boolean;
}

/** Reads a list with a query. */
export async function readList(
  session: Session,
  { endpoint, noun }: Pick<Filter, 'endpoint' | 'noun'>,
  { key, query = {}, pointer, isFresh = false }: Reading,
): Promise<FetchedList> {
  const answer = await readAs(session, endpoint, { key, query, isFresh });
  const find = (payload: unknown) => (answer.accepted ? listLike(payload, pointer, noun) : undefined);
  const list = find(answer.payload);
  const ids = answer.unredacted(({ payload }) => (find(payload)?.rows ?? []).map((row) => identity(row, noun)));
  const entries = (list?.rows ?? []).map((row, index) => ({ id: ids[index] ?? '', row: plainRow(row) }));
  return {
    answer,
    pointer: list?.pointer,
    entries: entries.filter(({ row }) => !mentions(row, session.tag)),
    length: entries.length,
    isComplete: list !== undefined && isLastPage(answer, entries.length),
  };
}

/** Reads a list as a unfiltered and by each value of a filter; `isFresh`: now, whatever was read before. */
export async function readFilterLists(
  session: Session,
  filter: Filter,
  key: ApiKey,
  isFresh = false,
): Promise<FilterLists> {
  const unfiltered = await readList(session, filter, { key, isFresh });
  const { pointer } = unfiltered;
  const filtered = valuesOf(filter).map(async (value) => ({
    value,
    ...(await readList(session, filter, { key, isFresh, query: { [filter.name]: value }, pointer })),
  }));
  return { filter, unfiltered, filtered: await Promise.all(filtered) };
}

/** Records by what tells them apart. */
export const rowsById = (entries: readonly Entry[]): Map<string, JsonObject> =>
  new Map(entries.map(({ id, row }) => [id, row]));

function isLastPage(answer: Answer, length: number): boolean {
  const next = answer.unredacted((body) => nextPage(body));
  return next === null || (next.style === 'total' && isCounted(answer, length));
}

const isCounted = ({ payload }: Answer, length: number): boolean =>
  walk(payload).some(
    ({ name, value, isInList }) => !isInList && value === length && /^(total|count)|_(total|count)$/i.test(name),
  );

/** Objects in which a record keeps its fields, where it does not keep them at its top. */
const wrappers = ['attributes', 'fields', 'properties'];

/** The documented value of the filter that a record itself shows: in a field of the filter's name, in either case. */
export function shownValue(row: JsonObject, filter: Filter): string | undefined {
  const { name, noun } = filter;
  const names = [name, `${noun}_${name}`, `${noun}${name}`];
  const places = [row, ...[...wrappers, noun].map((wrapper) => row[wrapper])].filter(isObject);
  for (const place of places) {
    const field = Object.keys(place).find((one) => names.includes(one.toLowerCase()));
    const text = field === undefined ? undefined : place[field];
    if (typeof text === 'string') {
      return valuesOf(filter).find((value) => value.toLowerCase() === text.toLowerCase());
    }
  }
  return undefined;
}

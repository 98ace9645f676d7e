import { type FoundList, isObject, type JsonObject } from '../../../common/json.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { nextPage } from '../../session/next-page.ts';
import { mentions } from '../../session/record.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { read } from '../../shared/reads.ts';
import { identity, listIn, listLike } from './rows.ts';

/** A filter of a list that takes a documented vocabulary. */
export interface Filter {
  readonly endpoint: string;
  readonly name: string;
  /** What a record of the list is called. */
  readonly noun: string;
}

/** The filters that take a vocabulary. */
export const vocabularies = {
  campaigns: { endpoint: 'GET /api/v1/ads/campaigns', name: 'status', noun: 'campaign' },
  bookings: { endpoint: 'GET /api/v1/developer/export/bookings', name: 'status', noun: 'booking' },
  leads: { endpoint: 'GET /api/v1/developer/export/leads', name: 'status', noun: 'lead' },
  sources: { endpoint: 'GET /api/v1/developer/export/leads', name: 'source', noun: 'lead' },
  posts: { endpoint: 'GET /api/v1/content/posts', name: 'status', noun: 'post' },
} as const satisfies Readonly<Record<string, Filter>>;

/** An answer, and its list of records: without those that the run made. */
export interface Listed {
  readonly answer: Answer;
  readonly list: FoundList | undefined;
  /** How many records it shows, the run's own included. */
  readonly length: number;
}

/** What one documented value of a filter yields. */
export interface Filtered extends Listed {
  readonly value: string;
}

/** A list as a whole, and by each documented value of a filter. */
export interface Look {
  readonly whole: Listed;
  readonly filtered: readonly Filtered[];
}

/** The documented values of a filter. */
export const valuesOf = ({ endpoint, name }: Filter): readonly string[] =>
  endpointOf(endpoint).query.find((parameter) => parameter.name === name)?.values ?? [];

type Query = Readonly<Record<string, string | number>>;

/** Reads a list with a query. `known`: where the list stands in the answer without one. */
export async function readList(
  session: Session,
  { endpoint, noun }: Pick<Filter, 'endpoint' | 'noun'>,
  { key, query = {}, known, isFresh = false }: { key: ApiKey; query?: Query; known?: FoundList; isFresh?: boolean },
): Promise<Listed> {
  const answer = isFresh
    ? await send(session, endpoint, { key, query })
    : await read(session, endpoint, { key, query });
  const list = !answer.accepted
    ? undefined
    : known === undefined
      ? listIn(answer, noun)
      : listLike(answer, known, noun);
  const rows = list?.rows.filter((row) => !mentions(row, session.tag));
  return { answer, list: list && rows && { ...list, rows }, length: list?.rows.length ?? 0 };
}

/** Reads a list as a whole and by each value of a filter; `isFresh`: now, whatever was read before. */
export async function lookAt(session: Session, filter: Filter, key: ApiKey, isFresh = false): Promise<Look> {
  const whole = await readList(session, filter, { key, isFresh });
  const known = whole.list === undefined ? {} : { known: whole.list };
  const filtered = valuesOf(filter).map(async (value) => ({
    value,
    ...(await readList(session, filter, { key, isFresh, query: { [filter.name]: value }, ...known })),
  }));
  return { whole, filtered: await Promise.all(filtered) };
}

/** The rows of a list; none where there is no list. */
export const rowsOf = ({ list }: Listed): readonly JsonObject[] => list?.rows ?? [];

/** Rows by what tells them apart. */
export const byIdentity = (rows: readonly JsonObject[], { noun }: Pick<Filter, 'noun'>): Map<string, JsonObject> =>
  new Map(rows.map((row) => [identity(row, noun), row]));

/** A list that was found, and shows no further page. */
export const isWhole = ({ answer, list }: Listed): boolean =>
  list !== undefined && answer.unredacted((body) => nextPage(body)) === null;

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

import { type JsonObject, walk } from '../../common/json.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointOf, isEndpoint } from '../../contract/endpoints.ts';
import type { Exchange } from '../../results/exchange.ts';
import { Inconclusive } from '../../results/outcome.ts';
import type { Identity } from '../reading/own-words.ts';
import { isUnguessable } from '../reading/record.ts';
import { rawRows, rowPlace, rowsIn } from '../reading/rows.ts';
import { type Answer, type ApiKey, type Call, callOf, type KeyMode } from '../session/call.ts';
import { mainKey, type Session, send, step } from '../session/session.ts';
import { type Page, pagesOf } from './pages.ts';

/** How a read differs from the plain one. */
export interface ReadDetails {
  readonly query?: NonNullable<Call['query']>;
  /** Default: the main key. */
  readonly key?: ApiKey;
  /** Default: the usual one. */
  readonly mode?: KeyMode;
}

/** The answer to a documented GET without an id, sent once a run. It may be as old as the run. */
export async function read(
  session: Session,
  endpoint: string,
  { query = {}, key = mainKey(session), mode }: ReadDetails = {},
): Promise<Answer> {
  return readOnce(session, endpoint, { query, key, mode: mode ?? (await session.api.usualMode(session)) });
}

const readOnce = step(
  async (session, endpoint: string, details: Required<ReadDetails>) => {
    const before = await session.api.readBefore(session, endpointOf(endpoint));
    const isPlain = details.key.label === mainKey(session).label && Object.keys(details.query).length === 0;
    const isAsGood = isPlain && (before?.exchange.keyInQuery === true) === (details.mode === 'query');
    return before !== null && isAsGood ? before : send(session, endpoint, details);
  },
  (endpoint, { query, key, mode }) => [endpoint, JSON.stringify(query), key.label, mode].join(' '),
);

/** The answer to a GET without a key, sent once a run. */
export const readWithoutKey = step((session, endpoint: Endpoint) =>
  session.client.send(callOf(endpoint, null, { purpose: 'refusal' })),
);

/** The first read of a record by its id, shared by those who find out whose the id is and those who judge the read. */
export const firstView = step((session, endpoint: string, id: string, key: ApiKey) =>
  send(session, endpoint, { id, key }),
);

/** A record's first read with the main key; where that finds nothing, the first within the settle time that does. */
export const firstFoundView = step(async (session, endpoint: string, id: string) => {
  const first = await firstView(session, endpoint, id, mainKey(session));
  const again = (): Promise<Answer> => send(session, endpoint, { id });
  return isNothing(first) ? readUntil(session, again, (view) => !isNothing(view)) : first;
});

/** Whether a view says in any way that nothing is there. */
const isNothing = ({ status, json }: Answer): boolean =>
  status === 404 || (status === 200 && walk(json).every(({ value }) => typeof value === 'object'));

/** Whether an endpoint is a read that needs no id. */
export const isPlainRead = ({ method, path }: Endpoint): boolean => method === 'GET' && !path.includes(':id');

/** A read that works with the main key, on which other keys can be tried. Throws Inconclusive where none does. */
export const workingRead = step(async (session): Promise<Endpoint> => {
  for (const id of session.api.tryouts) {
    if ((await read(session, id)).accepted) {
      return endpointOf(id);
    }
  }
  const message = 'No documented read works with the given key, so nothing shows whether another key works';
  throw new Inconclusive({ message, blames: session.api.keyClause });
});

// A collection is named by its path, `/v1/agents`, which lists and creates its records; `/v1/agents/:id` is one of
// them.

/** The noun for a record of a collection: `agent`. A pipeline is one of deals. */
export const nounOf = (collection: string): string =>
  (collection.split('/').at(-1) ?? '').replace(/s$/, '').replace('pipeline', 'deal');

/** Whether the API has a call that deletes a record of the collection. */
export const canDelete = (collection: string): boolean => isEndpoint(`DELETE ${collection}/:id`);

/** Whether the API has a call that shows a record of the collection by its id. */
export const canRead = (collection: string): boolean => isEndpoint(`GET ${collection}/:id`);

/** A read that names a record of the collection by its id, whatever it shows; undefined: there is none. */
export const readingOf = ({ api }: Session, collection: string): string | undefined =>
  api.endpoints.find(({ method, path }) => method === 'GET' && path.startsWith(`${collection}/:id`))?.id;

/** How a list is read. */
interface ListOptions {
  /** Default: the main key. */
  readonly key?: ApiKey;
  /** Whether no further page is needed. Default: all are, as far as the answers show how to get on. */
  readonly until?: (page: Page) => boolean;
}

/** Pages of a list. The first always comes. */
export type Pages = readonly [Page, ...Page[]];

/** The pages of a list, `GET /v1/agents`. Throws as the client does. */
export async function readPages(
  session: Session,
  list: string,
  { key = mainKey(session), until = () => false }: ListOptions = {},
): Promise<Pages> {
  const call = callOf(endpointOf(list), key);
  const pages: Page[] = [];
  for await (const page of pagesOf(session.client, call, await session.client.send(call))) {
    pages.push(page);
    if (until(page)) {
      break;
    }
  }
  return pages as [Page, ...Page[]];
}

/**
 * The pages of a list, as they were first read since the last call that may have made records there. What was deleted
 * since may still be in them.
 */
export function pagesSinceWrite(session: Session, collection: string, key: ApiKey): Promise<Pages> {
  const mayMake = ({ request: { method, url } }: Exchange): boolean =>
    !['GET', 'DELETE'].includes(method) && url.startsWith(session.origin + collection);
  return readOnceSince(session, collection, key, session.evidence.exchanges.findLast(mayMake)?.number);
}

const readOnceSince = step(
  (session, collection: string, key: ApiKey, _write: number | undefined): Promise<Pages> =>
    readPages(session, `GET ${collection}`, { key }),
);

/** The result of a search for a record in a list. */
export type ListSearch = ReturnType<typeof searchIn>;

/** A record to search for in the list of its collection. */
export type Listed = Identity & { readonly collection: string };

/** How a list is searched for a record. */
interface SearchOptions extends Pick<ListOptions, 'key'> {
  /** Until when the search is repeated, within KEY_SETTLE_MS. Default: it is made once. */
  readonly shows?: (search: ListSearch) => boolean;
  /** An earlier row of the record, by which that of another with the same id is told. */
  readonly before?: JsonObject | undefined;
}

/** Searches its list for a record, page by page as far as the answers show how to get on. */
export const findInList = (
  session: Session,
  record: Listed,
  { key, shows = () => true, before }: SearchOptions = {},
): Promise<ListSearch> => {
  const { collection } = record;
  const until = ({ answer }: Page): boolean =>
    rowPlace(rawRows(answer, nounOf(collection)), nounOf(collection), record, before) !== -1;
  const find = async (): Promise<ListSearch> =>
    searchIn(await readPages(session, `GET ${collection}`, { ...(key && { key }), until }), record, before);
  return readUntil(session, find, shows);
};

/** Tells the write guard where all of the list that a key reads shows no record with an id that can be guessed. */
export async function noteIfUnlisted(session: Session, record: Listed, key: ApiKey): Promise<void> {
  const { collection, id } = record;
  const search = id === undefined || isUnguessable(id) ? null : await findInList(session, record, { key });
  if (id !== undefined && search?.isComplete && !search.isShown) {
    session.writeGuard.noteUnlisted(collection, id, key);
  }
}

/** Whether a search shows its record. */
export const isFound = ({ isShown }: ListSearch): boolean => isShown;

/** Searches pages that were read for a record. */
export function searchIn(pages: Pages, record: Listed, before?: JsonObject) {
  const noun = nounOf(record.collection);
  const placeOn = ({ answer }: Page): number => rowPlace(rawRows(answer, noun), noun, record, before);
  const last = pages.find((page) => placeOn(page) !== -1) ?? (pages.at(-1) as Page);
  const place = placeOn(last);
  const rows = rowsIn(last.answer.payload, noun);
  return {
    first: pages[0].answer,
    /** The page that shows the record, or else the last that was read. */
    last: last.answer,
    /** All that were. */
    pages,
    row: rows?.[place],
    /** Whether a row is the record's. */
    isShown: place !== -1,
    /** Whether rows can be found in the list at all. */
    hasRows: rows !== undefined,
    /** Whether all of the list was read, and its answers show that this is all. */
    isComplete: last.complete && rows !== undefined,
  };
}

/** How often a read is repeated that does not show yet what was written. */
const moreReads = 2;

/** Reads, and repeats that within some ms until `shows` holds for the answer. Attempts are counted from 0. */
export async function readUntil<T>(
  session: Session,
  read: (attempt: number) => Promise<T>,
  shows: (answer: T) => boolean,
  within = session.settings.KEY_SETTLE_MS,
): Promise<T> {
  let answer = await read(0);
  for (let attempt = 1; attempt <= moreReads && !shows(answer); attempt += 1) {
    await session.clock.sleep(within / moreReads);
    answer = await read(attempt);
  }
  return answer;
}

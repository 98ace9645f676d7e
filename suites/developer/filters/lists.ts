import { canonical, type JsonObject } from '../../../common/json.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { listLike } from '../../reading/main-list.ts';
import { mentions } from '../../reading/own-words.ts';
import { shownPages } from '../../records/pages.ts';
import { read } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import { type Call, callOf } from '../../session/call.ts';
import type { ApiKey, KeyMode } from '../../session/key.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { sureId } from '../rows.ts';

/** A documented list of records. */
export interface RecordList {
  readonly endpoint: string;
  /** What a record is called. */
  readonly noun: string;
}

/** A record of a list. */
export interface Entry {
  /** Its id or, without one, the whole record, as it came: for comparing, and never for a finding. */
  readonly id: string;
  readonly hasId: boolean;
  readonly row: JsonObject;
  /** The page that shows it. */
  readonly answer: Answer;
}

/** The records that a list shows on its first pages: on those to which the answers show the way. */
export interface RecordSet {
  /** The first page. */
  readonly answer: Answer;
  /** Where the list is in data, as a JSON pointer; undefined: no list can be found. */
  readonly pointer: string | undefined;
  /** Its records, without those that the run made. */
  readonly entries: readonly Entry[];
  /** How many records it shows, those of the run included. */
  readonly length: number;
  /** How many of them are on each page. */
  readonly pages: readonly { readonly answer: Answer; readonly length: number }[];
  /** Whether a list was found and shows no further page. */
  readonly isComplete: boolean;
}

/** Something that a list is asked for: a value of a filter, or values of several. */
export interface Condition {
  readonly query: Readonly<Record<string, string>>;
  /** In words: `status=PAUSED`. */
  readonly label: string;
  /** Whether a record matches, as far as the record shows it. */
  readonly matches: (entry: Entry) => boolean | 'unknown';
  /** What should have come. */
  readonly expected: string;
  /** The likely cause of records that do not match. */
  readonly cause?: string;
  /** How the key is sent with it, where that may be accepted: each mode may have a parser of its own. Default: as usual. */
  readonly mode?: KeyMode;
  /** The document does not promise that it is accepted, and of the matching records all but one may be missing. */
  readonly isLoose?: true;
}

/** The records that match a condition, as the deployment says. */
export interface Part extends RecordSet {
  readonly condition: Condition;
}

/** A list as it is, and under each of some conditions. */
export interface ListSets {
  readonly list: RecordList;
  readonly whole: RecordSet;
  readonly parts: readonly Part[];
}

/** How a list is read. */
interface Reading {
  readonly key: ApiKey;
  /** How the key is sent. Default: in the usual way. */
  readonly mode?: KeyMode;
  readonly query?: NonNullable<Call['query']>;
  /** Whether it is sent now, whatever was read before. */
  readonly isFresh?: boolean;
}

/** The pages of a list from its first one on: they are read once, however many read that one. */
const pagesFrom = stepFor(
  ({ exchange }: Answer, _: Call) => String(exchange.number),
  ({ client }, first, call) => shownPages(client, call, first),
);

/** Reads a list. `pointer`: where the list is in the answer without a query. */
export async function readSet(
  session: Session,
  { endpoint, noun }: RecordList,
  reading: Reading,
  pointer?: string,
): Promise<RecordSet> {
  const { isFresh = false, ...details } = reading;
  const first = await (isFresh ? send(session, endpoint, details) : read(session, endpoint, details));
  const { key, ...how } = details;
  const pages = await pagesFrom(session, first, callOf(endpointOf(endpoint), key, how));
  const lists = pages.map(({ answer }) => listOn(answer, noun, pointer));
  const entries = lists.flatMap((list) => list?.entries ?? []);
  return {
    answer: first,
    pointer: lists[0]?.pointer,
    entries: entries.filter(({ row }) => !mentions(row, session.tag)),
    length: entries.length,
    pages: pages.map(({ answer }, index) => ({ answer, length: lists[index]?.entries.length ?? 0 })),
    // An empty page may come from a parameter that selects nothing, instead of showing the next page.
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
      const id = sureId(row, noun);
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

/** Reads a list under a condition. That a mode is refused is judged by the clause about it. */
export async function readPart(
  session: Session,
  list: RecordList,
  condition: Condition,
  reading: Reading,
  pointer?: string,
): Promise<Part> {
  const { query, mode } = condition;
  const inMode = mode && (await readSet(session, list, { ...reading, query, mode }, pointer));
  const set = inMode?.answer.accepted ? inMode : await readSet(session, list, { ...reading, query }, pointer);
  return { condition, ...set };
}

/** Reads a list as it is, and under each condition. `reading` says with which key and how; it has no query. */
export async function readSets(
  session: Session,
  list: RecordList,
  conditions: readonly Condition[],
  reading: Reading,
): Promise<ListSets> {
  const whole = await readSet(session, list, reading);
  const parts = conditions.map((condition) => readPart(session, list, condition, reading, whole.pointer));
  return { list, whole, parts: await Promise.all(parts) };
}

/**
 * The sets without the records that changed while they were read: those that the whole list shows before or after, and
 * not both times alike, as far as the conditions can tell. If the list moved, no set of several pages is complete.
 */
export function unchanged({ list, whole, parts }: ListSets, after: RecordSet): ListSets {
  const signs = (entry: Entry): string => parts.map(({ condition }) => condition.matches(entry)).join();
  const signsById = ({ entries }: RecordSet) => new Map(entries.map((entry) => [entry.id, signs(entry)]));
  const [before, later] = [signsById(whole), signsById(after)];
  // Where records come, go or move, one may slip from a page that was not read yet to one that was.
  const isStill = isSame(whole, after);
  const keep = <T extends RecordSet>(set: T): T => ({
    ...set,
    entries: set.entries.filter(({ id }) => before.get(id) === later.get(id)),
    isComplete: set.isComplete && (isStill || set.pages.length === 1),
  });
  return { list, whole: keep(whole), parts: parts.map(keep) };
}

/** Whether a part shows all that it selects: a page size may have cut a last page as long as those of the whole list. */
export const isUncut = ({ isComplete, length, pages }: Part, whole: RecordSet): boolean =>
  isComplete && (length === 0 || whole.pages.some((page) => page.length > (pages.at(-1)?.length ?? 0)));

/** Whether two sets have the same records, one by one. */
export const isSame = ({ entries }: RecordSet, other: RecordSet): boolean =>
  entries.length === other.entries.length && entries.every(({ id }, index) => id === other.entries[index]?.id);

/** Whether a set has a record. One without an id may look like another: then that is not known. */
export const has = ({ entries }: RecordSet, { id }: Entry): boolean =>
  entries.some((one) => one.hasId && one.id === id);

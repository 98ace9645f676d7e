import { canonical, type JsonObject } from '../../../common/json.ts';
import { listLike } from '../../reading/main-list.ts';
import { mentions } from '../../reading/own-words.ts';
import { nextPage } from '../../reading/page.ts';
import { read } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import type { Call } from '../../session/call.ts';
import type { ApiKey, KeyMode } from '../../session/key.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
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
}

/** The records that an answer lists. */
export interface RecordSet {
  readonly answer: Answer;
  /** Where the list is in data, as a JSON pointer; undefined: no list can be found. */
  readonly pointer: string | undefined;
  /** Its records, without those that the run made. */
  readonly entries: readonly Entry[];
  /** How many records it shows, those of the run included. */
  readonly length: number;
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

/** Reads a list. `pointer`: where the list is in the answer without a query. */
export async function readSet(
  session: Session,
  { endpoint, noun }: RecordList,
  reading: Reading,
  pointer?: string,
): Promise<RecordSet> {
  const { isFresh = false, ...details } = reading;
  const answer = await (isFresh ? send(session, endpoint, details) : read(session, endpoint, details));
  const find = (payload: unknown) => (answer.accepted ? listLike(payload, pointer, noun) : undefined);
  const list = find(answer.payload);
  const ids = answer.unredacted(({ payload }) =>
    (find(payload)?.rows ?? []).map((row) => {
      const id = sureId(row, noun);
      return { id: id ?? canonical(row), hasId: id !== undefined };
    }),
  );
  const entries = (list?.rows ?? []).map((row, index) => ({ id: '', hasId: false, ...ids[index], row }));
  return {
    answer,
    pointer: list?.pointer,
    entries: entries.filter(({ row }) => !mentions(row, session.tag)),
    length: entries.length,
    isComplete: list !== undefined && answer.unredacted((body) => nextPage(body)) === null,
  };
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
 * not both times alike, as far as the conditions can tell.
 */
export function unchanged({ list, whole, parts }: ListSets, after: RecordSet): ListSets {
  const signs = (entry: Entry): string => parts.map(({ condition }) => condition.matches(entry)).join();
  const signsById = ({ entries }: RecordSet) => new Map(entries.map((entry) => [entry.id, signs(entry)]));
  const [before, later] = [signsById(whole), signsById(after)];
  const keep = <T extends RecordSet>(set: T): T => ({
    ...set,
    entries: set.entries.filter(({ id }) => before.get(id) === later.get(id)),
  });
  return { list, whole: keep(whole), parts: parts.map(keep) };
}

/** Whether a part shows all that it selects: a page size may have cut one that is as long as the whole list. */
export const isUncut = ({ isComplete, length }: Part, whole: RecordSet): boolean =>
  length === 0 || (isComplete && length < whole.length);

/** Whether a set has a record. One without an id may look like another: then that is not known. */
export const has = ({ entries }: RecordSet, { id }: Entry): boolean =>
  entries.some((one) => one.hasId && one.id === id);

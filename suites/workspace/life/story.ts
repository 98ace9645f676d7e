import { Inconclusive } from '../../../results/stop.ts';
import { type Told, told, toldOrNull } from '../../engine/parts.ts';
import { mentions } from '../../reading/own-words.ts';
import { rowsIn } from '../../reading/rows.ts';
import { nounOf } from '../../records/collections.ts';
import { begunAfter } from '../../records/list-reading.ts';
import { findInListUntil, type ListSearch, onPage, readUntil } from '../../records/list-search.ts';
import { isStillListed, type ListedRow, ownRowPlace, rowFromCreate } from '../../records/listed-records.ts';
import { deleteRecord, timeToSettle } from '../../records/own.ts';
import { firstFoundView } from '../../records/reads.ts';
import { noteIneffective } from '../../records/still-there.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { type Kind, type Readable, reading } from '../kinds.ts';
import { type Attempt, assertCreated, type Created } from '../records/creating.ts';
import { type CreatedKind, firstRecord, recordFor, secondLabel } from '../records/run-records.ts';
import { isStillBooked } from './booking-state.ts';
import { effectOf } from './changed-fields.ts';
import { type Change, changeRecord } from './changes.ts';

// The life of two records of a kind as the run saw it. A and B are created and read; A is changed and read; both are
// listed; B is deleted, and both are read and listed again. All clauses on agents, leads, bookings and webhooks are judged
// on these stories.

/** What the run saw of two records of a kind. What a kind does not have, its stage leaves undecided. */
export interface Story {
  readonly kind: Kind;
  /** A, which stays. */
  readonly first: Created;
  /** B, which is deleted. Leads cannot be deleted: of them there is one. */
  readonly second: Told<Created>;
  /** The first read of each by its id: agents and leads. */
  readonly views: Told<readonly { readonly record: Created; readonly answer: Answer }[]>;
  /** The change of A: agents and leads. */
  readonly change: Told<Change>;
  /** Where the list shows both, once both exist and A is changed. */
  readonly listed: Told<ListedPair>;
  /** A read of A after a list that shows it as before its change, once that had time to settle; null: none shows that. */
  readonly reread: Told<Answer | null>;
  /** The deletion of B, or of A where no B could be made: agents, bookings and webhooks. */
  readonly deletion: Told<Deletion>;
}

/** Where one reading of the list shows both records. */
interface ListedPair {
  readonly first: ListSearch;
  /** null: there is no second record. */
  readonly second: ListSearch | null;
}

/** A deletion, and what reads and lists show afterwards. */
export interface Deletion {
  readonly record: Created;
  readonly answer: Answer;
  /** Where the list showed it before; null: it did not. */
  readonly listed: ListSearch | null;
  /** Its row before, or the record in the answer to its create. */
  readonly before: ListedRow;
  /** A read of it afterwards; null: records of the kind cannot be read. */
  readonly later: Answer | null;
  /** Where the list shows it afterwards. */
  readonly search: ListSearch;
  /** The record that was not deleted; null: there is none. */
  readonly other: OtherRecord | null;
}

/** The record beside a deleted one. */
export interface OtherRecord {
  readonly record: Created;
  /** Where the list showed it before; null: it did not. */
  readonly listed: ListSearch | null;
  /** Where the list shows it afterwards. */
  readonly search: ListSearch;
  /** Whether it was there together with the deleted one, and is no longer. */
  readonly isLost: boolean;
}

/** Whose story is told. */
interface Heroes {
  readonly kind: Kind;
  readonly first: () => Promise<Attempt>;
  /** Throws Inconclusive where the kind has no second record. */
  readonly second: () => Promise<Attempt>;
  /** What has to happen while both exist. */
  readonly beforeDeletion?: () => Promise<unknown>;
}

/** The story of agents, leads or bookings. Throws Inconclusive or Skipped where the first could not be created. */
export const recordStory = stepFor(
  (kind: CreatedKind) => kind,
  (session, kind) =>
    tell(session, {
      kind,
      first: () => firstRecord(session, kind),
      second: async () => (kind === 'leads' ? noSuchCall(kind) : recordFor(session, kind, secondLabel)),
    }),
);

/** Tells a story. Throws Inconclusive or Skipped where the first record could not be created. */
export async function tell(session: Session, { kind, ...heroes }: Heroes): Promise<Story> {
  // A and B. A deployment may cap the number of records: A, which most clauses use, comes first.
  const first = assertCreated(await heroes.first());
  const second = await told(async () => assertCreated(await heroes.second()));
  const beside = toldOrNull(second);
  const both = beside === null ? [first] : [first, beside];

  // Both are read.
  const views = await told(async () => {
    const endpoint = isReadable(kind) ? reading(kind) : noSuchCall(kind);
    return Promise.all(
      both.map(async (record) => ({ record, answer: await firstFoundView(session, endpoint, record.id) })),
    );
  });

  // A is changed and read, and both are listed.
  const change = await told(async () => (isReadable(kind) ? changeRecord(session, kind, first) : noSuchCall(kind)));
  const changed = toldOrNull(change);
  const listed = await told(async () => {
    const written = [...both, ...(changed === null ? [] : [changed])].map(({ answer }) => answer);
    const reuse = begunAfter(session, ...written);
    const search = await findInListUntil(session, first, ({ isShown }) => isShown, { reuse });
    return { first: search, second: beside === null ? null : await findBeside(session, search, beside) };
  });
  const reread = await told(async () => {
    const { record, answer } = change();
    if (effectOf(change()) !== 'new' || effectOf({ ...change(), later: { json: listed().first.row } }) !== 'old') {
      return null;
    }
    await session.clock.sleep(timeToSettle(session, answer));
    return send(session, reading(kind as Readable), { id: record.id });
  });

  // B is deleted, and both are read and listed once more.
  await heroes.beforeDeletion?.();
  const deletion = await told(async () => {
    const doomed = kind === 'agents' || kind === 'leads' ? second() : (beside ?? first);
    const lastView = changed?.later ?? toldOrNull(views)?.[0]?.answer;
    return deleteOne(session, kind, {
      doomed,
      other: doomed === first ? null : first,
      pair: toldOrNull(listed),
      isOtherRead: lastView !== undefined && isSuccess(lastView),
    });
  });
  return { kind, first, second, views, change, listed, reread, deletion };
}

const noSuchCall = (kind: Kind): never => {
  throw new Inconclusive({ message: `The API has no such call on ${kind}` });
};

const isReadable = (kind: Kind): kind is Readable => kind === 'agents' || kind === 'leads';

/** Where the list shows another record: on the last page of a search or, as it may come late, in a new reading. */
function findBeside(session: Session, search: ListSearch, other: Created): ListSearch | Promise<ListSearch> {
  const found = onPage(search.last, nounOf(other.collection), other);
  return found.place === -1
    ? findInListUntil(session, other, ({ isShown, isComplete }) => isShown || !isComplete)
    : { ...search, ...found, isShown: true };
}

/** What is deleted, and what was known of it and of the other record. */
interface Doomed {
  readonly doomed: Created;
  readonly other: Created | null;
  readonly pair: ListedPair | null;
  /** Whether the last read of the other one found it. */
  readonly isOtherRead: boolean;
}

async function deleteOne(
  session: Session,
  kind: Kind,
  { doomed: record, other, pair, isOtherRead }: Doomed,
): Promise<Deletion> {
  const found = other === null ? pair?.first : pair?.second;
  const listed = found?.isShown ? found : null;
  const before = listed?.row === undefined ? rowFromCreate(record) : listed;
  const isThere = (search: ListSearch): boolean =>
    kind === 'bookings'
      ? isStillBooked(before.row, search.row, rowsIn(search.last.json, 'booking'))
      : isStillListed(search, before, record);
  const answer = await deleteRecord(session, record);
  const read = (): Promise<Answer> => send(session, reading('agents'), { id: record.id });
  const later = kind === 'agents' ? await readUntil(session, read, ({ status }) => status === 404) : null;
  const search = await findInListUntil(session, record, (after) => !isSuccess(answer) || !isThere(after), {
    reuse: begunAfter(session, answer),
    placeOf: (rows) => ownRowPlace(rows, record),
  });
  const isIneffective = later === null ? isThere(search) : isSuccess(later) && mentions(later.json, record.tag);
  if (isSuccess(answer) && isIneffective) {
    await noteIneffective(session, record.collection);
  }
  if (other === null) {
    return { record, answer, listed, before, later, search, other };
  }
  const after = await findBeside(session, search, other);
  const wereTogether = listed !== null && pair?.first.isShown === true;
  // Agents are lost only if reads do not find them, since a list may lag.
  const isMissing =
    kind === 'agents'
      ? isOtherRead && !after.isShown && (await isNotFound(session, other))
      : wereTogether && !after.isShown && after.isComplete && isSuccess(after.last);
  const beside = { record: other, listed: pair?.first ?? null, search: after, isLost: isMissing && isSuccess(answer) };
  return { record, answer, listed, before, later, search, other: beside };
}

/** Whether reads get 404 for an agent throughout KEY_SETTLE_MS. */
async function isNotFound(session: Session, { id }: Created): Promise<boolean> {
  const read = (): Promise<Answer> => send(session, reading('agents'), { id });
  return (await readUntil(session, read, ({ status }) => status !== 404)).status === 404;
}

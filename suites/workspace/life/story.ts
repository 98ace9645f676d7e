import { Inconclusive } from '../../../results/stop.ts';
import { resultOrNull, type Told, told, toldOrNull } from '../../engine/parts.ts';
import { mentions } from '../../reading/own-words.ts';
import { nounOf } from '../../records/collections.ts';
import { begunAfter } from '../../records/list-reading.ts';
import { findInListUntil, type ListSearch, onPage, readUntil } from '../../records/list-search.ts';
import { isStillListed, type ListedRow, ownRowPlace, rowFromCreate } from '../../records/listed-records.ts';
import { deleteRecord } from '../../records/own.ts';
import { firstFoundView } from '../../records/reads.ts';
import { noteIneffective } from '../../records/still-there.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { type Kind, type Readable, reading } from '../kinds.ts';
import { type Attempt, assertCreated, type Created } from '../records/creating.ts';
import { type CreatedKind, firstRecord, recordFor, secondLabel } from '../records/run-records.ts';
import { findAlsoChanged, type ShownRecord } from './also-changed.ts';
import { isStillBooked } from './booking-state.ts';
import { type Change, changeRecord } from './changes.ts';

// The life of two records of a kind as the run saw it. A and B are created, listed and read; A is changed; B is deleted;
// after each step all is read again. All clauses on agents, leads, bookings and webhooks are judged on these stories.

/** What the run saw of two records of a kind. What a kind does not have, its stage leaves undecided. */
export interface Story {
  readonly kind: Kind;
  /** A, which stays. */
  readonly first: Created;
  /** B, which is deleted. Leads cannot be deleted: of them there is one. */
  readonly second: Told<Created>;
  /** Where the list shows both, once both exist. */
  readonly listed: Told<ListedPair>;
  /** The first read of each by its id: agents and leads. */
  readonly views: Told<readonly { readonly record: Created; readonly answer: Answer }[]>;
  /** The change of A: agents and leads. */
  readonly change: Told<Change>;
  /** Where the list shows A after its change. */
  readonly listedChanged: Told<ListSearch>;
  /** Another record that the change changed, too; undefined: none of those that were read. */
  readonly alsoChanged: Told<ShownRecord | undefined>;
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
  /** How many calls the run had sent when it had read all that. */
  readonly callsBefore: number;
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

  // Both are listed and read.
  const listed = await told(async () => {
    const search = await findUntilShown(session, first, ...both.map(({ answer }) => answer));
    return { first: search, second: beside === null ? null : await findBeside(session, search, beside) };
  });
  const views = await told(async () => {
    const endpoint = isReadable(kind) ? reading(kind) : noSuchCall(kind);
    return Promise.all(
      both.map(async (record) => ({ record, answer: await firstFoundView(session, endpoint, record.id) })),
    );
  });

  // A is changed, and listed again.
  const change = await told(async () => (isReadable(kind) ? changeRecord(session, kind, first) : noSuchCall(kind)));
  const listedChanged = await told(async () => findUntilShown(session, first, change().answer));
  const alsoChanged = await told(async () =>
    isReadable(kind) && isSuccess(change().answer)
      ? findAlsoChanged(session, kind, change(), listed().first)
      : undefined,
  );

  // B is deleted, and both are read and listed once more.
  await heroes.beforeDeletion?.();
  const deletion = await told(async () => {
    const doomed = kind === 'agents' || kind === 'leads' ? second() : (beside ?? first);
    const [found, other] = [toldOrNull(listed), doomed === first ? null : first];
    const lastView = toldOrNull(change)?.later ?? toldOrNull(views)?.[0]?.answer;
    return deleteOne(session, kind, {
      doomed,
      listed: doomed === first ? found?.first : found?.second,
      other,
      otherListed: toldOrNull(listedChanged) ?? found?.first,
      isOtherRead: lastView !== undefined && isSuccess(lastView),
    });
  });
  return { kind, first, second, listed, views, change, listedChanged, alsoChanged, deletion };
}

const noSuchCall = (kind: Kind): never => {
  throw new Inconclusive({ message: `The API has no such call on ${kind}` });
};

const isReadable = (kind: Kind): kind is Readable => kind === 'agents' || kind === 'leads';

/** Where the list shows a record in a reading that began after these answers had come. */
const findUntilShown = (session: Session, record: Created, ...answers: readonly Answer[]): Promise<ListSearch> =>
  findInListUntil(session, record, ({ isShown }) => isShown, { reuse: begunAfter(session, ...answers) });

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
  readonly listed: ListSearch | null | undefined;
  readonly other: Created | null;
  readonly otherListed: ListSearch | undefined;
  /** Whether the last read of the other one found it. */
  readonly isOtherRead: boolean;
}

async function deleteOne(session: Session, kind: Kind, known: Doomed): Promise<Deletion> {
  const { doomed: record, other } = known;
  const listed = known.listed?.isShown ? known.listed : null;
  const before = listed?.row === undefined ? rowFromCreate(record) : listed;
  const isThere = (found: ListSearch): boolean =>
    kind === 'bookings' ? isStillBooked(before.row, found) : isStillListed(found, before, record);
  const answer = await deleteRecord(session, record);
  const read = (): Promise<Answer> => send(session, reading('agents'), { id: record.id });
  const later = kind === 'agents' ? await readUntil(session, read, ({ status }) => status === 404) : null;
  const search = await findInListUntil(session, record, (found) => !isSuccess(answer) || !isThere(found), {
    reuse: begunAfter(session, answer),
    placeOf: (rows) => ownRowPlace(rows, record),
  });
  const isIneffective = later === null ? isThere(search) : isSuccess(later) && mentions(later.json, record.tag);
  if (isSuccess(answer) && isIneffective) {
    await noteIneffective(session, record.collection);
  }
  const beside = other && (await lookBeside(session, kind, known, search, other));
  return {
    record,
    answer,
    listed,
    before,
    later,
    search,
    other: beside && { ...beside, isLost: beside.isLost && isSuccess(answer) },
    callsBefore: session.client.sent,
  };
}

/** The other record after a deletion. Agents are lost only if reads do not find them, since a list may lag. */
async function lookBeside(
  session: Session,
  kind: Kind,
  { listed, otherListed, isOtherRead }: Doomed,
  after: ListSearch,
  record: Created,
): Promise<OtherRecord> {
  const search = await findBeside(session, after, record);
  const wereTogether = listed?.isShown === true && otherListed?.isShown === true;
  const isLost =
    kind === 'agents'
      ? isOtherRead && !search.isShown && (await isNotFound(session, record))
      : wereTogether && !search.isShown && search.isComplete && isSuccess(search.last);
  return { record, listed: otherListed ?? null, search, isLost };
}

/** Whether reads get 404 for an agent throughout KEY_SETTLE_MS. */
async function isNotFound(session: Session, { id }: Created): Promise<boolean> {
  const read = (): Promise<Answer> => send(session, reading('agents'), { id });
  return (await readUntil(session, read, ({ status }) => status !== 404)).status === 404;
}

/** The record that most clauses use: the first or, where another agent's deletion deleted it, too, a new agent. */
export const mainRecord: (session: Session, kind: CreatedKind) => Promise<Attempt> = stepFor(
  (kind: CreatedKind) => kind,
  async (session, kind): Promise<Attempt> => {
    const first = await firstRecord(session, kind);
    if (kind !== 'agents' || first.id === undefined) {
      return first;
    }
    const story = await resultOrNull(recordStory(session, kind));
    const deletion = story && toldOrNull(story.deletion);
    return deletion?.other?.isLost === true ? recordFor(session, kind, 'one that was lost') : first;
  },
);

/** The change of the main record. Throws Inconclusive where there is none. */
export async function mainChange(session: Session, kind: Readable): Promise<Change> {
  const record = assertCreated(await mainRecord(session, kind));
  const { first, change } = await recordStory(session, kind);
  return record.id === first.id ? change() : changeRecord(session, kind, record);
}

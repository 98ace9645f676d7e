import { Inconclusive, Skipped } from '../../../results/outcome.ts';
import { resultOrNull, runStage, stageOrNull } from '../../engine/check.ts';
import { mentions } from '../../reading/own-words.ts';
import { idsOf } from '../../reading/record.ts';
import { rawRows } from '../../reading/rows.ts';
import { findInList, firstFoundView, type ListSearch, nounOf, read, readUntil, searchIn } from '../../records/reads.ts';
import { deleteListed } from '../../records/taken.ts';
import { type Answer, isSuccess } from '../../session/call.ts';
import { type Session, send, step } from '../../session/session.ts';
import { assertCreated, type Created, isReadable, type Kind, listing, reading } from '../records/creating.ts';
import { anotherOf, firstOf, needsDeliveries, registration } from '../records/run-records.ts';
import { changeRecord } from './changes.ts';

// The story of two records of a kind as the run saw it. A and B are created and read; A is changed and read; both are
// listed; B is deleted, read and listed once more. All clauses on agents, leads, bookings and webhooks are judged on
// these stories.

/** What the run saw of two records of a kind. What a kind does not have, its stage leaves undecided. */
export type RecordStory = Awaited<ReturnType<typeof tell>>;

/** The deletion of B, and what reads and lists show afterwards. */
export type Deletion = Awaited<ReturnType<typeof deleteSecond>>;

/** The story of agents or leads. Throws Inconclusive or Skipped where the first could not be created. */
export const recordStory = step((session, kind: Kind) => tell(session, kind));

/**
 * Tells the story of a kind; `beforeDeletion`: what has to happen while both records exist. Throws Inconclusive or
 * Skipped where the first record could not be created.
 */
export async function tell(session: Session, kind: Kind, beforeDeletion = async (): Promise<void> => {}) {
  // A and B. A deployment may cap the number of records: A, which most clauses use, comes first.
  const first = assertCreated(await firstOf(session, kind));
  const second = await runStage(async () => {
    // Leads cannot be deleted: of them there is one.
    const another = kind === 'leads' ? noSuchCall(kind) : () => anotherOf(session, kind);
    return assertCreated(await (kind === 'webhooks' ? registration(session, 'second webhook') : another()));
  });
  const beside = stageOrNull(second);
  const both = beside === null ? [first] : [first, beside];
  const makeAnother = async (): Promise<Created> => assertCreated(await anotherOf(session, kind));

  // A deletion may take the oldest or the newest: what is deleted is neither. Events have a booking of their own.
  const isAlone = kind === 'agents' || (kind === 'bookings' && !needsDeliveries(session));
  const newest = isAlone ? await resultOrNull(makeAnother()) : null;

  // Both are read.
  const views = await runStage(async () => {
    const call = isReadable(kind) ? reading(kind) : noSuchCall(kind);
    return Promise.all(
      both.map(async (record) => ({ record, answer: await firstFoundView(session, call, record.id) })),
    );
  });

  // A is changed and read, and both are listed.
  const change = await runStage(async () => (isReadable(kind) ? changeRecord(session, kind, first) : noSuchCall(kind)));
  const listed = await runStage(async () => {
    const find = (record: Created): Promise<ListSearch> =>
      findInList(session, record, { shows: ({ isShown, isComplete }) => isShown || !isComplete });
    const ofFirst = await find(first);
    const ofSecond = beside && searchIn(ofFirst.pages, beside);
    return { first: ofFirst, second: beside === null || ofSecond?.isShown ? ofSecond : await find(beside) };
  });

  // B is deleted, read and listed once more.
  await beforeDeletion();
  const deletion = await runStage(async () =>
    deleteSecond(session, second(), stageOrNull(listed)?.second ?? null, makeAnother),
  );
  return {
    /** A, which stays. */
    first,
    /** B, which is deleted. Leads cannot be deleted: of them there is one. */
    second,
    /** An agent or booking that is newer than both; null: of another kind, or none could be made. */
    newest,
    /** The first read of each by its id: agents and leads. */
    views,
    /** The change of A: agents and leads. */
    change,
    /** Where the list shows both, once both exist and A is changed. `second`: null: there is no second record. */
    listed,
    /** The deletion of B: agents, bookings and webhooks. */
    deletion,
  };
}

const noSuchCall = (kind: Kind): never => {
  throw new Inconclusive({ message: `The API has no such call on ${kind}` });
};

/** Deletes B, and reads it if agents are. `listed`: where the list showed it before; null: that is not known. */
async function deleteSecond(
  session: Session,
  record: Created,
  listed: ListSearch | null,
  make: () => Promise<Created>,
) {
  const deletion = await deleteListed(session, record, listed, { make });
  const view = (): Promise<Answer> => send(session, reading('agents'), { id: record.id });
  const later = record.kind === 'agents' ? await readUntil(session, view, ({ status }) => status === 404) : null;
  if (later !== null && isSuccess(deletion.answer) && isSuccess(later) && mentions(later.json, record.tag)) {
    session.ledger.note(record.entry, { gone: false });
  }
  return {
    ...deletion,
    /** A read of B afterwards; null: records of the kind cannot be read. */
    later,
    /** Whether neither that read nor the list showed B any more. */
    isGone: !deletion.isStillListed && (later === null || later.status === 404),
  };
}

/** The detail view of a record. */
export interface DetailView {
  readonly id: string;
  /** Words that are in the record; null: the run did not make it. */
  readonly tag: string | null;
  readonly answer: Answer;
}

/**
 * The first read of the story's first record or, where the run may write nothing, a read of the first that is listed.
 * Throws Inconclusive where there is none, or Skipped.
 */
export const detailView = step(async (session, kind: Kind): Promise<DetailView> => {
  try {
    const { first, views } = await recordStory(session, kind);
    const [view] = views();
    return { ...first, answer: (view as { readonly answer: Answer }).answer };
  } catch (error) {
    if (error instanceof Skipped) {
      return viewOfListed(session, kind, error);
    }
    throw error;
  }
});

/** Most ids under which a listed record is read. */
const mostIdsTried = 3;

/** A read of the first listed record: under the first of its ids that finds it. */
async function viewOfListed(session: Session, kind: Kind, skipped: Skipped): Promise<DetailView> {
  const noun = nounOf(kind);
  const [row = {}] = rawRows(await read(session, listing(kind)), noun);
  const ids = idsOf(row, noun).slice(0, mostIdsTried);
  const views = await Promise.all(
    ids.map(async (id) => ({ id, tag: null, answer: await firstFoundView(session, reading(kind), id) })),
  );
  const view = views.find(({ answer }) => isSuccess(answer)) ?? views[0];
  if (view === undefined) {
    const message = `${skipped.message} (and no ${noun} is listed that could be read)`;
    throw new Skipped(message, skipped.finding.needs);
  }
  return view;
}

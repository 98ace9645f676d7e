import { resultOrNull } from '../engine/parts.ts';
import { isRecognised } from '../reading/fingerprint.ts';
import { showsId } from '../reading/id-places.ts';
import { mentionsSpelled } from '../reading/own-words.ts';
import { namedIdIn, shownIds } from '../reading/shown-ids.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { step, stepFor } from '../session/step.ts';
import { type Candidate, type Claim, candidatesOf, mayBeOwn, type Standing } from './candidates.ts';
import { nounOf, readingOf } from './collections.ts';
import { readUntil } from './list-search.ts';
import { madeUpId } from './made-up-ids.ts';
import { isElsewhere, type OwnRow, otherRows, ownRow } from './own-row.ts';
import { firstView } from './reads.ts';

// Whose a record is. Nothing is changed or deleted that is not proven here to be the run's: a read by its id shows the
// run's words; or, where no read shows the record, the id is what the answer to the create and the only row with the
// run's words show in common, and no other row has. What is not proven is left, and named.

/**
 * The id under which the record may be changed and deleted from now on; undefined: nothing proves one, and the write
 * guard is told why.
 */
export async function prove(session: Session, claim: Claim): Promise<string | undefined> {
  const isRead = viewOf(session, claim.collection) !== undefined;
  const id = isRead
    ? ((await idByRead(session, claim, candidatesOf(session, claim))) ?? (await idByList(session, claim)))
    : await idByLesson(session, claim);
  return allowed(session, claim, id);
}

/** The same, for a claim of which a list shows a row. */
export async function proveByRow(session: Session, claim: Claim, found: OwnRow): Promise<string | undefined> {
  return allowed(session, claim, await idByRow(session, claim, found));
}

const allowed = (session: Session, { collection }: Claim, id: string | undefined): string | undefined =>
  id !== undefined && session.writeGuard.allow(collection, id) ? id : undefined;

// Proof by a read.

/** Most ids that are read of one record. */
const mostRead = 5;

const viewOf = ({ api }: Session, collection: string): string | undefined => {
  const reading = readingOf(api.endpoints, collection);
  return reading?.isView === true ? reading.id : undefined;
};

/** The first of some ids under which a read shows the run's words. A new record may take KEY_SETTLE_MS to be found. */
async function idByRead(session: Session, claim: Claim, candidates: readonly Candidate[]): Promise<string | undefined> {
  const view = viewOf(session, claim.collection);
  const ids = [...new Set(candidates.map(({ id }) => id))].slice(0, mostRead);
  if (view === undefined || ids.length === 0) {
    return undefined;
  }
  const readAll = async (attempt: number): Promise<string | undefined> => {
    for (const id of ids) {
      const answer = await readFor(session, claim, id, attempt > 0);
      const isOwn = answer !== null && showsOwn(answer, claim) && isAbout(answer, claim, ids);
      if (isOwn && (await readsTell(session, claim, id))) {
        return id;
      }
    }
    return undefined;
  };
  return claim.answer === undefined ? readAll(0) : readUntil(session, readAll, (id) => id !== undefined);
}

/**
 * A read of a record by its id; null: it could not be made. The clauses that judge the first read of a new record share
 * its answer. Of a record of which no create was answered just now, an earlier read may be out of date.
 */
function readFor(session: Session, claim: Claim, id: string, isAgain = false): Promise<Answer | null> {
  const { collection, maker: key, answer } = claim;
  const view = viewOf(session, collection) ?? '';
  const isFresh = isAgain || answer === undefined;
  return resultOrNull(isFresh ? send(session, view, { id, key }) : firstView(session, view, id, key));
}

const showsOwn = (answer: Answer, { tag, fingerprint }: Claim): boolean =>
  isSuccess(answer) && (isRecognised(answer.payload, tag, fingerprint) || mentionsSpelled(answer.payload, tag));

/** Whether a read shows one of these ids, or none: one that shows another is about another record. */
const isAbout = (answer: Answer, { collection }: Claim, ids: readonly string[]): boolean =>
  answer.unredacted(
    ({ payload }) => namedIdIn(payload, nounOf(collection)) === undefined || ids.some((id) => showsId(payload, id)),
  );

/** By collection, whether its reads tell records apart. */
const telling = step(async () => new Map<string, Promise<boolean | null>>());

/**
 * Whether a read by an id that no record has does not show the run's words: otherwise reads prove nothing. It is made
 * once for a kind; where it could not be made, it proves nothing, and the next claim makes it again.
 */
async function readsTell(session: Session, claim: Claim, id: string): Promise<boolean> {
  const known = await telling(session);
  const { collection, maker } = claim;
  const asked = known.get(collection) ?? readOfNothing();
  known.set(collection, asked);
  const tells = await asked;
  if (tells === null) {
    known.delete(collection);
  }
  return tells === true;

  async function readOfNothing(): Promise<boolean | null> {
    const answer = await resultOrNull(
      send(session, viewOf(session, collection) ?? '', { id: madeUpId(id), key: maker }),
    );
    return answer === null || answer.status === 0 ? null : !showsOwn(answer, claim);
  }
}

// Proof by the list.

/** What the first record of a kind that no read shows has taught. */
interface Lesson {
  readonly claim: Claim;
  readonly id: string | undefined;
  /** Where the answer to its create shows its id. */
  readonly place: string | undefined;
}

const lessonOf = stepFor(
  ({ collection }: Claim) => collection,
  async (session, claim): Promise<Lesson> => {
    const id = await idByList(session, claim);
    return { claim, id, place: candidatesOf(session, claim).find((one) => one.id === id)?.place };
  },
);

/** The id by the list, or where the list has shown that the answers to creates have it. */
async function idByLesson(session: Session, claim: Claim): Promise<string | undefined> {
  const { claim: first, id, place } = await lessonOf(session, claim);
  const taught = candidatesOf(session, claim).find((one) => one.place === place);
  return first === claim ? id : (taught?.id ?? (await idByList(session, claim)));
}

async function idByList(session: Session, claim: Claim): Promise<string | undefined> {
  const candidates = candidatesOf(session, claim);
  const found = await ownRow(session, claim);
  if (found !== undefined) {
    return idByRow(session, claim, found);
  }
  return viewOf(session, claim.collection) === undefined
    ? candidates.find(({ standing }) => standing === 'told')?.id
    : undefined;
}

/** The id that a row and the answer to the create show, and no other row. */
async function idByRow(session: Session, claim: Claim, found: OwnRow): Promise<string | undefined> {
  const { collection, tag } = claim;
  const { row } = found;
  const answered = candidatesOf(session, claim);
  const inRow = shownIds(row, nounOf(collection), tag).filter((one) => mayBeOwn(session, claim, one));
  const byRead = await idByRead(
    session,
    claim,
    // Those in the answer to a create have been read just now.
    inRow.filter(({ id }) => claim.answer === undefined || !answered.some((one) => one.id === id)),
  );
  if (byRead !== undefined || viewOf(session, collection) !== undefined) {
    return byRead;
  }
  const isAnswered = answered.length > 0 || (claim.answer !== undefined && isSuccess(claim.answer));
  // What was refused should not exist: without an answer that names it, a row may be that of whoever keeps the refusal.
  if (!isAnswered && claim.entry.refused === true) {
    return undefined;
  }
  const common = isAnswered ? answered.filter(({ id }) => showsId(row, id)) : inRow;
  return clearest(session, claim, common, found, isAnswered);
}

/** The order in which candidates count: where there are some of one standing, those of the next ones are not asked. */
const order: readonly (readonly Standing[])[] = [['told'], ['located', 'alone', 'named'], ['possible'], ['nested']];

/**
 * The only one of some candidates that no other row has; or of several the only one that nobody can guess.
 */
async function clearest(
  session: Session,
  claim: Claim,
  candidates: readonly Candidate[],
  found: OwnRow,
  isAnswered: boolean,
): Promise<string | undefined> {
  const noun = nounOf(claim.collection);
  const free = candidates.filter(({ id }) => !found.others.some((other) => isElsewhere(id, other, found.row, noun)));
  const group = order.map((some) => free.filter(({ standing }) => some.includes(standing))).find(isFilled) ?? [];
  const random = group.filter(({ id }) => isUnguessable(id));
  const id = [group, random].find(({ length }) => length === 1)?.[0]?.id;
  // What only the row shows has to be the only value of its kind in the whole list.
  const isOnly = async (id: string): Promise<boolean> => {
    const others = found.isWhole ? found.others : await otherRows(session, claim, found);
    return others?.some((other) => isElsewhere(id, other, found.row, noun)) === false;
  };
  return id !== undefined && (isAnswered || (await isOnly(id))) ? id : undefined;
}

const isFilled = ({ length }: readonly unknown[]): boolean => length > 0;

import type { Purpose } from '../../results/exchange.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import { mainKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { readingOf } from './collections.ts';
import { begunAfter } from './list-reading.ts';
import { findInList } from './list-search.ts';
import { madeUpId } from './made-up-ids.ts';
import { firstView } from './reads.ts';

/** A documented call that names an id. */
export interface IdCall {
  readonly endpoint: string;
  /** The answer to the call with an id that the deployment knows. */
  readonly twin: () => Promise<Answer>;
  /**
   * Once the deleted id gets 404, the call is not made with a made-up id: the method is tried with one on records of
   * another kind.
   */
  readonly deletedIsEnough?: boolean;
  /** The call succeeds for existing records alone, even where the deployment remembers deleted ones. */
  readonly needsLiving?: boolean;
  /** The body of a call with that id. */
  readonly body?: (id: string) => Promise<unknown>;
  /** Further headers that the call has to carry. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>>;
}

/** The id of a record that the run has deleted. */
export interface DeletedId {
  readonly id: string;
  /** The answer to the deletion. */
  readonly answer: Answer;
  /** The answer to a read of it since. */
  readonly later?: Answer;
}

/** The records of one kind, and the calls that name one of them. */
export interface IdCalls {
  readonly collection: string;
  /** An id that the deployment gave out. */
  readonly real: string;
  /** null: no record of the kind was deleted. */
  readonly deleted: DeletedId | null;
  /** Whether a second deletion may succeed, although nothing is left to delete. */
  readonly mayDeleteAgain: boolean;
  readonly calls: readonly IdCall[];
  readonly purpose: Purpose;
  /** Records of another kind, which a call reads by id: it shows what an ill-formed id gets. */
  readonly like?: () => Promise<IdCalls>;
}

/** Whose record an id names, as far as an answer shows it. */
interface Owner {
  readonly answer: Answer;
  readonly owner: 'nobody' | 'somebody' | 'unknown';
}

/** Finds out, once a run, whose record an id names: by a read where the API has one, otherwise from the list. */
export const whoseId = stepFor(
  ({ collection }: IdCalls, id: string) => `${collection}/${id}`,
  async (session, { collection, purpose, deleted }, id): Promise<Owner> => {
    const reading = readingOf(session.api.endpoints, collection);
    const own = deleted?.id === id ? deleted : null;
    if (reading !== undefined) {
      // The proof of whose an id is may have read a made-up one.
      const isShared = purpose === 'documented' && own === null;
      const view = () =>
        isShared ? firstView(session, reading.id, id, mainKey(session)) : send(session, reading.id, { id, purpose });
      const answer = own?.later ?? (await view());
      const owner = answer.status === 404 ? 'nobody' : isSuccess(answer) ? 'somebody' : 'unknown';
      return { answer, owner };
    }
    const reuse = own === null ? () => true : begunAfter(session, own.answer);
    const { first, isShown, isComplete } = await findInList(session, collection, { id, tag: id }, { reuse });
    const owner = isShown ? 'somebody' : first.accepted && isComplete ? 'nobody' : 'unknown';
    return { answer: first, owner };
  },
);

/** A made-up id that is likely unused. Short ids are given out so densely that the first ones may be in use. */
export async function probablyUnused(session: Session, kind: IdCalls): Promise<string> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const id = madeUpId(kind.real, attempt);
    if (isUnguessable(id) || (await whoseId(session, kind, id)).owner !== 'somebody') {
      return id;
    }
  }
  return madeUpId(kind.real, mostAttempts);
}

const mostAttempts = 2;

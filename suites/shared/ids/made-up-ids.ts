import type { Purpose } from '../../../results/exchange.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { isUnguessable, textInBase64 } from '../../session/reading/unguessable.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { readingOf } from '../collections.ts';
import { begunAfter } from '../lists/list-reading.ts';
import { findInList } from '../lists/list-search.ts';
import { altered } from './altered.ts';

/**
 * An id shaped like a real one of the deployment's, another one at each attempt (from 0): counted ids get far ahead of the newest,
 * others get other characters.
 */
export function madeUpId(real: string, attempt = 0): string {
  const [, path, number] = /^(.*\D)(\d{1,12})$/.exec(textInBase64(real) ?? '') ?? [];
  if (number !== undefined) {
    return inBase64(`${path}${madeUpId(number, attempt)}`, real);
  }
  const [, prefix = '', counter] = /^([A-Za-z]{0,10}[_-]?)(\d{1,12})$/.exec(real) ?? [];
  if (counter === undefined) {
    return attempt === 0 ? altered(real) : altered(madeUpId(real, attempt - 1));
  }
  // Where ids count from one, a number within 32 bits is well-formed everywhere.
  const ahead = Number(counter) < 100_000_000 ? 2_000_000_000 : 900_000_000_000;
  return `${prefix}${Number(counter) + ahead + attempt}`;
}

/** A text in the base64 in which another one is written. */
function inBase64(text: string, like: string): string {
  const encoded = Buffer.from(text).toString(/[-_]/.test(like) ? 'base64url' : 'base64');
  return like.length % 4 === 0 ? encoded : encoded.replaceAll('=', '');
}

/** A documented call that names an id. */
export interface IdCall {
  readonly endpoint: string;
  /** The answer to the call with an id that the deployment knows. */
  readonly twin: () => Promise<Answer>;
  /** Where the deleted id gets 404, none is made up: the method is tried with one on records of another kind. */
  readonly deletedIsEnough?: boolean;
  /** It succeeds with what is there alone, however well a deployment remembers what was deleted. */
  readonly needsLiving?: boolean;
  readonly body?: () => Promise<unknown>;
  /** What else it has to carry. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>>;
}

/** An id of the run's own that was deleted. */
export interface DeletedId {
  readonly id: string;
  /** The answer to its deletion. */
  readonly answer: Answer;
  /** The answer to a read of it since. */
  readonly later?: Answer;
}

/** The records of one kind, and the calls that name one. */
export interface IdCalls {
  readonly collection: string;
  /** An id that the deployment gave out. */
  readonly real: string;
  /** null: none was. */
  readonly deleted: DeletedId | null;
  /** Whether deleting once more may succeed, as long as nothing is there to delete. */
  readonly mayDeleteAgain: boolean;
  readonly calls: readonly IdCall[];
  readonly purpose: Purpose;
  /** Records of another kind, which a call reads by their ids: what an ill-formed one gets there, it gets here. */
  readonly like?: () => Promise<IdCalls>;
}

/** What a read says of an id. */
interface Look {
  readonly answer: Answer;
  readonly says: 'nobody' | 'somebody' | 'unknown';
}

/** Reads an id once a run: by itself where the API can, otherwise in the list. */
export const look = stepFor(
  ({ collection }: IdCalls, id: string) => `${collection}/${id}`,
  async (session, { collection, purpose, deleted }, id): Promise<Look> => {
    const reading = readingOf(session.api.endpoints, collection);
    const own = deleted?.id === id ? deleted : null;
    if (reading !== undefined) {
      const answer = own?.later ?? (await send(session, reading.id, { id, purpose }));
      const says = answer.status === 404 ? 'nobody' : isSuccess(answer) ? 'somebody' : 'unknown';
      return { answer, says };
    }
    const reuse = own === null ? () => true : begunAfter(session, own.answer);
    const { first, isShown, isComplete } = await findInList(session, collection, { id, tag: id }, { reuse });
    const says = isShown ? 'somebody' : first.accepted && isComplete ? 'nobody' : 'unknown';
    return { answer: first, says };
  },
);

/** Short ids are given out so densely that one which was made up may be a record's: then another one is made up. */
export async function likelyNobodys(session: Session, kind: IdCalls): Promise<string> {
  let id = madeUpId(kind.real);
  for (let attempt = 1; attempt <= mostOthers; attempt += 1) {
    if (isUnguessable(id) || (await look(session, kind, id)).says !== 'somebody') {
      return id;
    }
    id = madeUpId(kind.real, attempt);
  }
  return id;
}

const mostOthers = 2;

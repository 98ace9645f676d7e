import type { Tally } from '../../../results/outcome.ts';
import { describeAnswer, findingOn } from '../../engine/expect.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { mainKey } from '../../session/keys.ts';
import { mentions } from '../../session/reading/own-words.ts';
import type { Session } from '../../session/session.ts';
import { begunAfter, readPages } from '../lists/list-reading.ts';
import { readUntil } from '../lists/list-search.ts';

/** A write that was refused, and the list that shows an accepted write of its kind. */
interface RefusedWrite {
  readonly endpoint: string;
  readonly list: string;
  readonly answer: Answer;
  /** The status with which it must be refused. */
  readonly status: number;
  /** Words in the body of the refused write. */
  readonly words: string;
  /** Words in the body of the accepted one. */
  readonly acceptedWords: string;
  /** The clause that says that it is refused. */
  readonly clause: string;
  /** The key that reads the list. Default: the main key. */
  readonly key?: ApiKey;
}

/**
 * Judges that a refused write had no effect: a list that shows the words of the accepted one does not show its words.
 * `pages`: the list, read when a refused write would show. Default: it is read here.
 */
export async function judgeNoEffect(
  session: Session,
  tally: Tally,
  write: RefusedWrite,
  pages?: readonly Answer[],
): Promise<void> {
  const { endpoint, list, answer, status, key = mainKey(session) } = write;
  if (answer.status !== status) {
    tally.leaveOpen({
      message: `${endpoint} was not refused with ${status} but got ${describeAnswer(answer)}: what a refusal leaves behind is unknown`,
      blames: write.clause,
    });
    return;
  }
  const pageWith = (words: string, read: readonly Answer[]) => read.find(({ json }) => mentions(json, words));
  const listed =
    pages ??
    (await readUntil(
      session,
      (attempt) => readPages(session, list, { key, ...(attempt === 0 ? { reuse: begunAfter(session, answer) } : {}) }),
      (read) => (pageWith(write.words, read) ?? pageWith(write.acceptedWords, read)) !== undefined,
    ));
  const effect = pageWith(write.words, listed);
  if (effect !== undefined) {
    tally.judge(
      findingOn(effect, {
        message: `Write that was refused with ${status} took effect: ${endpoint} shows in ${list}`,
        expected: `nothing of ${write.words}`,
        actual: 'a record that holds it',
      }),
    );
  } else if (pageWith(write.acceptedWords, listed) !== undefined) {
    tally.judge(null);
  } else {
    const message = `${list} does not show what ${endpoint} created, so it cannot show what a refused one left`;
    tally.leaveOpen(findingOn(listed[0] as Answer, { message }));
  }
}

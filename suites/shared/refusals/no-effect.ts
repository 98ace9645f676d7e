import type { Tally } from '../../../results/outcome.ts';
import { describeAnswer, findingOn } from '../../engine/expect.ts';
import type { Answer } from '../../session/answer.ts';
import { mentions } from '../../session/reading/own-words.ts';
import type { Session } from '../../session/session.ts';
import { begunAfter, readPages } from '../lists/list-reading.ts';
import { readUntil } from '../lists/list-search.ts';

/** A write that was refused, and the list in which an accepted one of its kind shows. */
interface RefusedWrite {
  readonly endpoint: string;
  readonly list: string;
  readonly answer: Answer;
  readonly status: number;
  /** Words in its body, and in that of the accepted one. */
  readonly words: string;
  readonly acceptedWords: string;
  /** The clause that says that it is refused. */
  readonly clause: string;
}

/**
 * A write that was refused changed nothing: its words stand in no list in which those of the accepted one do. `pages`: the
 * list as it is when a refused write would show.
 */
export async function judgeNoEffect(
  session: Session,
  tally: Tally,
  write: RefusedWrite,
  pages?: readonly Answer[],
): Promise<void> {
  const { endpoint, list, answer, status } = write;
  if (answer.status !== status) {
    tally.leaveOpen({
      message: `${endpoint} was not refused with ${status} but got ${describeAnswer(answer)}: what a refusal leaves behind is unknown`,
      blames: write.clause,
    });
    return;
  }
  const showing = (seen: readonly Answer[], words: string) => seen.find(({ json }) => mentions(json, words));
  const shown =
    pages ??
    (await readUntil(
      session,
      (attempt) => readPages(session, list, attempt === 0 ? { reuse: begunAfter(session, answer) } : {}),
      (seen) => (showing(seen, write.words) ?? showing(seen, write.acceptedWords)) !== undefined,
    ));
  const effect = showing(shown, write.words);
  if (effect !== undefined) {
    tally.judge(
      findingOn(effect, {
        message: `Write that was refused with ${status} took effect: ${endpoint} shows in ${list}`,
        expected: `nothing of ${write.words}`,
        actual: 'a record that holds it',
      }),
    );
  } else if (showing(shown, write.acceptedWords) !== undefined) {
    tally.judge(null);
  } else {
    const message = `${list} does not show what ${endpoint} created, so it cannot show what a refused one left`;
    tally.leaveOpen(findingOn(shown[0] as Answer, { message }));
  }
}

import type { Tally } from '../../../../results/outcome.ts';
import { findingOn } from '../../../engine/expect.ts';
import { mentions } from '../../../reading/own-words.ts';
import { begunAfter, readPages } from '../../../records/list-reading.ts';
import { readUntil } from '../../../records/list-search.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { judgeEffect, notRefused, type RefusedWrite } from '../../../shared/refusals/no-effect.ts';

/** A write that was refused, and the list that shows an accepted write of its kind. */
interface ListedWrite extends RefusedWrite {
  readonly answer: Answer;
  readonly list: string;
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
 * Judges that a refused write created nothing: a list that shows the words of the accepted one does not show its words.
 * `pages`: the list, read when a refused write would show. Default: it is read here.
 */
export async function judgeUnlisted(
  session: Session,
  tally: Tally,
  write: ListedWrite,
  pages?: readonly Answer[],
): Promise<void> {
  const { endpoint, list, answer, status, words, acceptedWords, clause, key = mainKey(session) } = write;
  if (answer.status !== status) {
    tally.leaveOpen(notRefused(answer, String(status), clause));
    return;
  }
  const pageWith = (sought: string, read: readonly Answer[]) => read.find(({ json }) => mentions(json, sought));
  const listed =
    pages ??
    (await readUntil(
      session,
      (attempt) => readPages(session, list, { key, ...(attempt === 0 ? { reuse: begunAfter(session, answer) } : {}) }),
      (read) => (pageWith(words, read) ?? pageWith(acceptedWords, read)) !== undefined,
    ));
  const shownBy = pageWith(words, listed);
  const message = `Cannot tell whether a refused ${endpoint} took effect: ${list} does not show an accepted one either`;
  judgeEffect(tally, write, {
    effect: shownBy && { shownBy, how: `${list} shows ${words}` },
    unknown: pageWith(acceptedWords, listed) === undefined ? findingOn(listed[0] as Answer, { message }) : null,
  });
}

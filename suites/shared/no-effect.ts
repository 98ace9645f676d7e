import { endpointOf } from '../../contract/endpoints.ts';
import type { Tally } from '../../results/outcome.ts';
import { describeAnswer, findingOn } from '../engine/expect.ts';
import type { Answer } from '../session/answer.ts';
import { callOf } from '../session/call.ts';
import { mainKey } from '../session/keys.ts';
import { pagesOf } from '../session/pages.ts';
import { mentions } from '../session/record.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { readUntil } from './sighting.ts';

/** A write that was refused, and the list in which an accepted one of its kind shows. */
export interface RefusedWrite {
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

/** The latest look at each list: when it began, and its pages. */
const latest = stepFor(
  (list: string) => list,
  async (): Promise<{ at: number; pages: Promise<readonly Answer[]> }> => ({
    at: -Infinity,
    pages: Promise.resolve([]),
  }),
);

/**
 * The pages of a list, as far as its answers show the way: a new record may stand on the last. The first one always comes. `since`: a
 * look that began no sooner will do.
 */
export async function pagesIn(session: Session, list: string, since = Infinity): Promise<readonly Answer[]> {
  const look = await latest(session, list);
  if (look.at < since) {
    Object.assign(look, { at: session.clock.now(), pages: lookInto(session, list) });
  }
  return look.pages;
}

async function lookInto(session: Session, list: string): Promise<readonly Answer[]> {
  const call = callOf(endpointOf(list), mainKey(session));
  const pages: Answer[] = [];
  for await (const { answer } of pagesOf(session.client, call, await session.client.send(call))) {
    pages.push(answer);
  }
  return pages;
}

/**
 * A write that was refused changed nothing: its words stand in no list in which those of the accepted one do. `after`: the
 * list as it is when a refused write would show, page by page.
 */
export async function judgeNoEffect(
  session: Session,
  tally: Tally,
  write: RefusedWrite,
  after?: readonly Answer[],
): Promise<void> {
  const { endpoint, list, answer, status } = write;
  if (answer.status !== status) {
    tally.leaveOpen({
      message: `${endpoint} was not refused with ${status} but got ${describeAnswer(answer)}: what a refusal leaves behind is unknown`,
      blames: write.clause,
    });
    return;
  }
  const showing = (pages: readonly Answer[], words: string): Answer | undefined =>
    pages.find(({ json }) => mentions(json, words));
  let since = answer.exchange.receivedAt;
  const look = (): Promise<readonly Answer[]> => {
    const pages = pagesIn(session, list, since);
    since = Infinity;
    return pages;
  };
  const shown =
    after ??
    (await readUntil(
      session,
      look,
      (pages) => (showing(pages, write.words) ?? showing(pages, write.acceptedWords)) !== undefined,
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
    tally.leaveOpen(
      findingOn(shown[0] as Answer, {
        message: `${list} does not show what ${endpoint} created, so it cannot show what a refused one left`,
      }),
    );
  }
}

import { at, isObject, walk } from '../../../../common/json.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer, findingOn } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { rowsIn } from '../../../session/reading/rows.ts';
import type { Session } from '../../../session/session.ts';
import { readPages } from '../../../shared/lists/list-reading.ts';
import type { Attempt } from '../../../shared/records.ts';
import { mayBeFull } from './key-room.ts';
import { keysPath } from './own-key.ts';

/** Words of a refusal for want of room, in the letters that most languages of Europe write them with. */
const ofRoom = /limit|maxim|quota|cuota|too many|at most|no more|exceed|reached/i;

/** An account may hold as many keys as it may from the start: then no key shows whether one can be made. Throws Inconclusive. */
export async function assertNotFull(session: Session, attempt: Pick<Attempt, 'answer' | 'body'>): Promise<void> {
  const { answer } = attempt;
  if (!mayBeFull(attempt) || !(await saysFull(session, answer))) {
    return;
  }
  throw new Inconclusive(
    findingOn(answer, {
      message: `Key cannot be created, since the account seems to hold as many as it may: ${describeAnswer(answer)}`,
      expected: '2xx',
      actual: describeAnswer(answer),
      cause: 'An account with room for keys would decide it: delete those that nobody needs',
    }),
  );
}

/** Whether the refusal speaks of room or, in whatever language, of a number of which the list shows as many keys or more. */
async function saysFull(session: Session, answer: Answer): Promise<boolean> {
  const error = at(answer.json, '/error');
  const sentences = (isObject(error) ? walk(error) : []).flatMap(({ value }) =>
    typeof value === 'string' ? [value.normalize('NFD').replace(/\p{M}/gu, '')] : [],
  );
  if (sentences.some((text) => ofRoom.test(text))) {
    return true;
  }
  const pages = await resultOrNull(readPages(session, `GET ${keysPath}`));
  const keys = (pages ?? []).flatMap(({ payload }) => rowsIn(payload, 'key') ?? []);
  const told = sentences.flatMap((text) => [...text.matchAll(/(?<=\s|^)\d+(?=\s)/g)].map(Number));
  return told.some((number) => number > 0 && number <= keys.length);
}

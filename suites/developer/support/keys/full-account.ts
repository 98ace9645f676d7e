import { at, isObject, walk } from '../../../../common/json.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { findingOn } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { rowsIn } from '../../../session/reading/rows.ts';
import type { Session } from '../../../session/session.ts';
import { readPages } from '../../../shared/lists/list-reading.ts';
import type { Attempt } from '../../../shared/records.ts';
import { suggestsFullAccount } from './account-room.ts';
import { keysPath } from './run-key.ts';

/** Words of a refusal because an account is full, in a spelling that many languages share. */
const wordsOfFullAccount = /limit|maxim|quota|cuota|too many|at most|no more|exceed|reached/i;

/** Throws Inconclusive where a creation was refused for a full account: that does not show whether creation works. */
export async function assertAccountNotFull(session: Session, attempt: Pick<Attempt, 'answer' | 'body'>): Promise<void> {
  const { answer } = attempt;
  if (!suggestsFullAccount(attempt) || !(await saysAccountIsFull(session, answer))) {
    return;
  }
  throw new Inconclusive(
    findingOn(answer, {
      message: `No key can be created: the account seems to be full: ${describeAnswer(answer)}`,
      expected: '2xx',
      actual: describeAnswer(answer),
      advice: 'Delete unused keys',
    }),
  );
}

/** Whether the refusal speaks of a limit or, in whatever language, names a number that the keys in the list reach. */
async function saysAccountIsFull(session: Session, answer: Answer): Promise<boolean> {
  const error = at(answer.json, '/error');
  const sentences = (isObject(error) ? walk(error) : []).flatMap(({ value }) =>
    typeof value === 'string' ? [value.normalize('NFD').replace(/\p{M}/gu, '')] : [],
  );
  if (sentences.some((text) => wordsOfFullAccount.test(text))) {
    return true;
  }
  const pages = await resultOrNull(readPages(session, `GET ${keysPath}`));
  const keys = (pages ?? []).flatMap(({ payload }) => rowsIn(payload, 'key') ?? []);
  const numbers = sentences.flatMap((text) => [...text.matchAll(/(?<=\s|^)\d+(?=\s)/g)].map(Number));
  return numbers.some((number) => number > 0 && number <= keys.length);
}

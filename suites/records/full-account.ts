import { at } from '../../common/json.ts';
import { Inconclusive } from '../../results/outcome.ts';
import { describeAnswer, findingOn } from '../engine/expect.ts';
import type { Answer } from '../session/call.ts';

type Refusal = Pick<Answer, 'status' | 'json'>;

/** Words of a refusal because an account is full. */
const wordsOfFullAccount = /limit|maxim|quota|too many|at most|no more|exceed|reached|\bplan\b/i;

/** Whether a creation was refused, in words, for a full account. */
export const saysFullInWords = ({ status, json }: Refusal): boolean =>
  [400, 402, 403, 409].includes(status) && wordsOfFullAccount.test(JSON.stringify(at(json, '/error')) ?? '');

/** The same, or by a status that the creation of a key, which has a name of its own, gets for nothing else. */
export const saysFull = (answer: Refusal): boolean =>
  [402, 409, 429].includes(answer.status) || saysFullInWords(answer);

/** Throws Inconclusive where a creation was refused for a full account: that does not show whether creation works. */
export function assertNotFull(answer: Answer, noun: string, isFull: (answer: Refusal) => boolean = saysFull): void {
  if (isFull(answer)) {
    const actual = describeAnswer(answer);
    const message = `No ${noun} can be created: the account seems to be full: ${actual}`;
    throw new Inconclusive(
      findingOn(answer, { message, expected: '2xx', actual, advice: `Delete unused ${noun}s and run again` }),
    );
  }
}

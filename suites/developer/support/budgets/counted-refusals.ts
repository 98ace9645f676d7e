import { scopesWithout } from '../../../../contract/scopes.ts';
import { describeAnswer } from '../../../engine/expect.ts';
import type { Answer } from '../../../session/answer.ts';
import { callOf } from '../../../session/call.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { workingRead } from '../../../shared/reads.ts';
import { neverIssued } from '../../../shared/refusals/never-issued.ts';
import { dropKey } from '../keys/drop-key.ts';
import { firstKey, firstKeyDeletion } from '../keys/first-key.ts';
import { lendKey } from '../keys/lend-key.ts';
import { keysPath } from '../keys/run-key.ts';
import { countingKey, fallAround, remainingOf, sharing } from './budget-sharing.ts';

/** Which refused calls use up a key's budget, read off its Remaining: one call of each kind between two that count. */
export const countedRefusals = step(async (session): Promise<Record<string, string>> => {
  // Nobody else may call meanwhile, with these keys or, where budgets are shared, with any.
  await session.quiet;
  await sharing(session);
  const { key } = await countingKey(session);
  const probes: Record<string, () => Promise<Answer>> = {
    400: () => send(session, 'POST /api/v1/inbox/draft', { key, body: {}, purpose: 'refusal' }),
    401: async () =>
      session.client.send(callOf(await workingRead(session), neverIssued(session)[0], { purpose: 'refusal' })),
    404: async () => {
      await firstKeyDeletion(session);
      return send(session, `GET ${keysPath}/:id/usage`, { key, id: (await firstKey(session)).id, purpose: 'refusal' });
    },
  };
  const seen: Record<string, string> = {};
  // One after the other: Remaining is watched around each.
  for (const [status, probe] of Object.entries(probes)) {
    seen[status] = await countedOf(session, Number(status), probe);
  }
  await dropKey(session, await countingKey(session));
  return { ...seen, 403: await forbiddenCounted(session) };
});

async function countedOf(session: Session, status: number, probe: () => Promise<Answer>): Promise<string> {
  const answers: Answer[] = [];
  const fall = await fallAround(session, async () => {
    answers.push(await probe());
  });
  const last = answers.at(-1);
  if (last?.status !== status) {
    return `not seen: ${last ? describeAnswer(last) : 'no call'}`;
  }
  return fall === null ? unknown : countedWord(fall > 1);
}

const unknown = 'unknown: the headers do not show it';
const countedWord = (counts: boolean): string => (counts ? 'counts' : 'does not count');

/** A 403 counts on the key that lacks the scope: its own Remaining is watched. */
async function forbiddenCounted(session: Session): Promise<string> {
  return lendKey(session, ['without ads', scopesWithout('ads')], async ({ key }) => {
    const call = (): Promise<Answer> => send(session, 'GET /api/v1/ads/health-score', { key, purpose: 'refusal' });
    return countedBetween(await call(), await call());
  });
}

/** Whether the second of two refusals took something off Remaining. */
function countedBetween(first: Answer, second: Answer): string {
  if (first.status !== 403 || second.status !== 403) {
    return `not seen: ${describeAnswer(second)}`;
  }
  const fall = (remainingOf(first) ?? NaN) - (remainingOf(second) ?? NaN);
  return fall >= 0 ? countedWord(fall > 0) : unknown;
}

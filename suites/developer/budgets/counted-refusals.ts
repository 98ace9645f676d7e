import { scopesWithout } from '../../../contract/scopes.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { workingRead } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import { callOf } from '../../session/call.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { neverIssuedKeys } from '../../shared/refusals/never-issued.ts';
import { dropKey } from '../keys/creation.ts';
import { lendKey } from '../keys/lending.ts';
import { keysPath } from '../keys/run-key.ts';
import { firstStory } from '../keys/story.ts';
import { budgetSharing, countingKey, fallAround, remainingOf } from './budget-sharing.ts';

/** Which refused calls use up a key's budget, by status: each is sent between two calls whose Remaining shows it. */
export const countedRefusals = step(async (session): Promise<Record<string, string>> => {
  // Other calls would count too, with these keys or, where budgets are shared, with any.
  await session.until('quiet');
  await budgetSharing(session);
  const { key } = await countingKey(session);
  const probes: Record<string, () => Promise<Answer>> = {
    400: () => send(session, 'POST /api/v1/inbox/draft', { key, body: {}, purpose: 'refusal' }),
    401: async () =>
      session.client.send(callOf(await workingRead(session), neverIssuedKeys(session)[0], { purpose: 'refusal' })),
    404: async () => {
      const { made } = await firstStory(session);
      return send(session, `GET ${keysPath}/:id/usage`, { key, id: made.id, purpose: 'refusal' });
    },
  };
  const counted: Record<string, string> = {};
  // One after the other, since Remaining is watched around each.
  for (const [status, probe] of Object.entries(probes)) {
    counted[status] = await isCounted(session, Number(status), probe);
  }
  await dropKey(session, await countingKey(session));
  return { ...counted, 403: await isForbiddenCounted(session) };
});

/** `counts`, `does not count`, or why that is not known. */
async function isCounted(session: Session, status: number, probe: () => Promise<Answer>): Promise<string> {
  let last: Answer | undefined;
  const fall = await fallAround(session, async () => {
    // A key that a probe needs may be gone, where the account may hold few.
    last = (await resultOrNull(probe())) ?? undefined;
  });
  if (last?.status !== status) {
    return `not seen: ${last ? describeAnswer(last) : 'no call'}`;
  }
  return fall === null ? unknown : inWords(fall > 1);
}

const unknown = 'unknown: the headers do not show it';
const inWords = (counts: boolean): string => (counts ? 'counts' : 'does not count');

/** Whether a 403 counts: on the key that lacks the scope, so that key's own Remaining is watched. */
async function isForbiddenCounted(session: Session): Promise<string> {
  return lendKey(session, ['without ads', scopesWithout('ads')], async ({ key }) => {
    const call = (): Promise<Answer> => send(session, 'GET /api/v1/ads/health-score', { key, purpose: 'refusal' });
    const first = await call();
    const second = await call();
    if (first.status !== 403 || second.status !== 403) {
      return `not seen: ${describeAnswer(second)}`;
    }
    const fall = (remainingOf(first) ?? NaN) - (remainingOf(second) ?? NaN);
    return fall >= 0 ? inWords(fall > 0) : unknown;
  });
}

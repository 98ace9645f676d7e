import { describeAnswer, undecided } from '../../engine/expect.ts';
import { settle } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import { requireKey } from '../../session/keys.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';

/** Seeds the sandbox (Sandbox, rule 2). Throws Skipped where WRITES or a missing key forbids it. */
export const seed = step(async (session) =>
  send(session, 'POST /api/v1/developer/sandbox/seed', { key: requireKey(session, 'SANDBOX_API_KEY') }),
);

/** Seeded, or as good as it gets: reading goes on where seeding is forbidden or fails, which is a clause of its own. */
export const trySeeding = step((session) => settle(seed(session)));

/** The answer to seeding. Throws Inconclusive where the sandbox could not be seeded. */
export async function seeded(session: Session): Promise<Answer> {
  const answer = await seed(session);
  if (answer.accepted) {
    return answer;
  }
  throw undecided(answer, `Sandbox cannot be seeded: ${describeAnswer(answer)}`, 'developer.sandbox.seed');
}

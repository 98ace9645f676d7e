import { Inconclusive } from '../../results/outcome.ts';
import { resultOrNull } from '../engine/check.ts';
import { describeAnswer, findingOn, needAccepted } from '../engine/expect.ts';
import { rowsIn } from '../reading/rows.ts';
import { readUntil } from '../records/reads.ts';
import type { Answer } from '../session/call.ts';
import { requireKey, type Session, send, step } from '../session/session.ts';

/** The path of seeding and of its state. */
export const seedPath = '/api/v1/developer/sandbox/seed';

/** The call that seeds the sandbox, sent once a run. Throws Skipped where WRITES forbids it or the key is missing. */
export const seed = step((session) =>
  send(session, `POST ${seedPath}`, { key: requireKey(session, 'SANDBOX_API_KEY') }),
);

/** Reads the campaigns of the sandbox anew. */
export const readCampaigns = (session: Session): Promise<Answer> =>
  send(session, 'GET /api/v1/ads/campaigns', { key: requireKey(session, 'SANDBOX_API_KEY') });

/** How many records an answer lists; undefined: it shows no list. */
export const recordCount = (answer: Answer): number | undefined =>
  answer.accepted ? rowsIn(answer.payload, 'campaign', 'deal', 'booking')?.length : undefined;

/** Whether a status may refuse to seed. 404 and 405 say that there is no such call. */
export const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 404 && status !== 405;

/** Whether the sandbox is filled: by this run, or before it, so that it may refuse to be seeded again. */
export const isFilled = step(async (session): Promise<boolean> => {
  const { accepted, status } = await seed(session);
  const isShownBy = (answer: Answer): boolean => (recordCount(answer) ?? 0) > 0;
  const readDeals = (): Promise<Answer> =>
    send(session, 'GET /api/v1/investor/pipeline', { key: requireKey(session, 'SANDBOX_API_KEY') });
  return accepted || (isRefusal(status) && (isShownBy(await readCampaigns(session)) || isShownBy(await readDeals())));
});

/** Reads what seeding fills, perhaps in the background: until a list is not empty, or EVENT_WAIT_MS is over. */
export const readFilled = (
  session: Session,
  readIt: (attempt: number) => Promise<Answer>,
  isFilled = (answer: Answer): boolean => recordCount(answer) !== 0,
): Promise<Answer> => readUntil(session, readIt, isFilled, session.settings.EVENT_WAIT_MS);

/**
 * Seeds the sandbox, and reads its campaigns until they show it; null: that failed, and reads go on with what there is.
 */
export const trySeeding = step((session): Promise<Answer | null> => {
  const seeding = async (): Promise<Answer | null> =>
    (await seed(session)).accepted ? readFilled(session, () => readCampaigns(session)) : null;
  return resultOrNull(seeding());
});

/** The accepted answer to seeding. Throws Inconclusive where the sandbox could not be seeded, or was seeded before. */
export async function seeded(session: Session): Promise<Answer> {
  const answer = await seed(session);
  if (!answer.accepted && (await isFilled(session))) {
    const message = `Sandbox is seeded already, and refuses to be seeded again: ${describeAnswer(answer)}`;
    throw new Inconclusive(findingOn(answer, { message, advice: 'Run against a sandbox that was never seeded' }));
  }
  needAccepted(answer, 'Sandbox cannot be seeded', 'developer.sandbox.seed');
  return answer;
}

/** Waits until the sandbox is filled, by this run or before it. Throws Inconclusive where it could not be seeded. */
export async function filledSandbox(session: Session): Promise<void> {
  if (!(await isFilled(session))) {
    await seeded(session);
  }
  await trySeeding(session);
}

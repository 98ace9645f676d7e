import { walk } from '../../../../common/json.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer, findingOn, undecided } from '../../../engine/expect.ts';
import { resultOrNull, settle } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { callOf } from '../../../session/call.ts';
import type { Answered } from '../../../session/evidence/evidence.ts';
import { requireKey } from '../../../session/keys.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { listIn } from '../rows.ts';

const seeding = '/api/v1/developer/sandbox/seed';
const campaigns = 'GET /api/v1/ads/campaigns';

/** Pauses, ms, before a seeding that got 429 is sent again. */
const pausesAfter429 = [1_000, 5_000, 25_000, 35_000];

/**
 * Seeds the sandbox (Sandbox, rule 2). Sent whatever the pace: a 429 may be the cooldown of this call alone, and is no reason to
 * keep off the key. Where the sandbox is not seeded it may be the limiter's: then it is sent again a few times, at the key's pace.
 * Throws Skipped where WRITES or a missing key forbids it.
 */
export const seed = step(async (session) => {
  const key = requireKey(session, 'SANDBOX_API_KEY');
  const mode = await session.api.usualMode(session);
  const call = callOf(endpointOf(`POST ${seeding}`), key, { mode, takes429: true });
  let answer = await session.client.sendNow(call);
  for (const pause of pausesAfter429) {
    if (answer.status === 429 && (await resultOrNull(showsSeeded(session))) === false) {
      await session.clock.sleep(pause);
      answer = await session.client.send(call);
    }
  }
  return answer;
});

const asSandbox = (session: Session, endpoint: string): Promise<Answer> =>
  send(session, endpoint, { key: requireKey(session, 'SANDBOX_API_KEY') });

/** How many rows an answer's list shows; undefined where it shows none. */
const rowsIn = (answer: Answer): number | undefined =>
  answer.accepted ? listIn(answer, 'campaign', 'deal', 'booking')?.rows.length : undefined;

/** Whether a seeding that was refused met a sandbox that is seeded already. */
async function wasSeeded(session: Session): Promise<boolean> {
  const { status } = await seed(session);
  return status >= 400 && status < 500 && showsSeeded(session);
}

/**
 * The refusals of seedings whose status is left open: none that a document lists says that the sandbox is seeded already, by this run or
 * before it (reseed is a gap).
 */
export async function isOpenRefusal(session: Session): Promise<(exchange: Answered) => boolean> {
  const first = await resultOrNull(seed(session));
  const isSeeded = first?.accepted || (await resultOrNull(wasSeeded(session))) === true;
  return ({ endpoint, response: { status } }) =>
    isSeeded && endpoint === `POST ${seeding}` && status >= 400 && status < 500;
}

/** Whether the sandbox is seeded already, as its state or its campaigns show. Asked where seeding is refused. */
const showsSeeded = step(async (session): Promise<boolean> => {
  const state = await asSandbox(session, `GET ${seeding}`);
  const shown = state.accepted ? walk(state.payload) : [];
  const says = shown.find(({ name }) => /^(is_?)?seeded$/i.test(name))?.value;
  return says === true || (says === undefined && (rowsIn(await asSandbox(session, campaigns)) ?? 0) > 0);
});

/** Pauses between looks at what goes on in the background, ms: they grow up to this. */
const longestPause = 2_000;

/** Reads a list that seeding fills; again for EVENT_WAIT_MS, as long as it is empty: seeding may go on in the background. */
export async function readFilled(session: Session, first: Answer, again: () => Promise<Answer>): Promise<Answer> {
  const until = (await seed(session)).exchange.receivedAt + session.settings.EVENT_WAIT_MS;
  let answer = first;
  for (
    let pause = 250;
    rowsIn(answer) === 0 && session.clock.now() < until;
    pause = Math.min(2 * pause, longestPause)
  ) {
    await session.clock.sleep(Math.min(pause, until - session.clock.now()));
    answer = await again();
  }
  return answer;
}

/**
 * Seeded, as far as the first list that seeding fills shows, or as good as it gets: reading goes on where seeding is
 * forbidden or fails, which is a clause of its own.
 */
export const trySeeding = step(async (session): Promise<void> => {
  await settle(
    (async () => {
      if ((await seed(session)).accepted) {
        await readFilled(session, await asSandbox(session, campaigns), () => asSandbox(session, campaigns));
      }
    })(),
  );
});

/**
 * Whether the seeding that the run asked for may have taken what a call made: it may go on in the background, and start afresh.
 * Then it has had its time.
 */
export async function mayHaveTaken(session: Session, { exchange }: Answer): Promise<boolean> {
  const answer = await resultOrNull(seed(session));
  const until = answer?.accepted ? answer.exchange.receivedAt + session.settings.EVENT_WAIT_MS : -Infinity;
  const isEarlier = exchange.sentAt < until;
  await session.clock.sleep(isEarlier ? Math.max(0, until - session.clock.now()) : 0);
  return isEarlier;
}

/** Throws Inconclusive where the sandbox was seeded before this run and refuses to be so again (which a deployment may do). */
export async function assertNotSeededBefore(session: Session): Promise<void> {
  if (await wasSeeded(session)) {
    const answer = await seed(session);
    const message = `Sandbox is seeded already, and refuses to be seeded again: ${describeAnswer(answer)}`;
    throw new Inconclusive(findingOn(answer, { message, cause: 'A sandbox that was never seeded would decide it' }));
  }
}

/** The answer to seeding. Throws Inconclusive where the sandbox could not be seeded, or was seeded before. */
export async function seeded(session: Session): Promise<Answer> {
  const answer = await seed(session);
  if (answer.accepted) {
    return answer;
  }
  await assertNotSeededBefore(session);
  throw undecided(answer, `Sandbox cannot be seeded: ${describeAnswer(answer)}`, 'developer.sandbox.seed');
}

/** Seeded by this run, or before it. Throws Inconclusive where neither. */
export async function filledSandbox(session: Session): Promise<void> {
  if (!(await wasSeeded(session))) {
    await seeded(session);
  }
  await trySeeding(session);
}

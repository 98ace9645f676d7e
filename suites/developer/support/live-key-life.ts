import { undecided } from '../../engine/expect.ts';
import { settle } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import { givenKey } from '../../session/keys.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { isListed } from '../../shared/created.ts';
import { noteIneffective } from '../../shared/ineffective.ts';
import { deleteRecord } from '../../shared/records.ts';
import { lookUntil, type Sighting } from '../../shared/sighting.ts';
import { dropKey, makerFor } from './make-key.ts';
import { keysPath, type OwnKey } from './own-key.ts';
import { keptIn, rotatedUse, rotationIn } from './rotation.ts';
import { triedAlive } from './tried-key.ts';

// The life of a live key: the one that is rotated. Each step throws Skipped where no live key may be made.

async function rotated(session: Session): Promise<OwnKey> {
  const { answer, isIdKnown, after } = await rotationIn(session, 'live');
  if (!isIdKnown) {
    const message = 'Rotation gave the live key another id, which neither its answer nor the key list shows';
    throw undecided(answer, message, 'developer.keys.list');
  }
  return after();
}

/** Its usage, without days. */
export const liveUsage = step(
  async (session): Promise<Answer> =>
    send(session, `GET ${keysPath}/:id/usage`, { id: (await rotated(session)).id, key: makerFor(session, 'live') }),
);

/** Where it stands in the key list of the live key that made it; null: another key made it, and may not see it. */
export const liveListed = step(async (session): Promise<Sighting | null> => {
  const { record } = await rotated(session);
  return givenKey(session, 'LIVE_API_KEY') === undefined
    ? null
    : lookUntil(session, record, ({ isShown }) => isShown, { key: makerFor(session, 'live') });
});

/** Its deletion, which waits for all that needs it alive, and what the list shows then. */
export const liveDeletion = step(async (session): Promise<{ own: OwnKey; answer: Answer; after: Sighting | null }> => {
  const { before } = await rotationIn(session, 'live');
  const own = await rotated(session);
  await settle(keptIn(session, 'live'), rotatedUse(session, 'live'), liveUsage(session), liveListed(session));
  await triedAlive(session, own.key);
  const key = makerFor(session, 'live');
  const answer = await deleteRecord(session, own.record, { key });
  if (own.id !== before.id) {
    await dropKey(session, before);
  }
  const listed = await liveListed(session);
  const isTold = answer.accepted && listed?.isShown === true;
  const after = isTold ? await lookUntil(session, own.record, (one) => !isListed(one, listed), { key }) : null;
  if (after !== null && isListed(after, listed)) {
    await noteIneffective(session, keysPath);
  }
  return { own, answer, after };
});

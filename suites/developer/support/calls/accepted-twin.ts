import { createTally, type Tally } from '../../../../results/outcome.ts';
import type { Check } from '../../../engine/check.ts';
import { expectAccepted } from '../../../engine/expect.ts';
import { bodyRefused, refusesGuess } from '../../../records/bodies.ts';
import type { Session } from '../../../session/session.ts';
import { twinOf } from './twins.ts';

/**
 * A check of a documented POST: the plain call is accepted, and then what `then` judges holds. A refused guess at its
 * body decides nothing.
 */
export const withAcceptedTwin =
  (endpoint: string, then: (session: Session, tally: Tally) => Promise<void>): Check =>
  async (session) => {
    const { answer, recipe } = await twinOf(session, endpoint);
    if (recipe !== undefined && refusesGuess(answer, recipe)) {
      throw bodyRefused(endpoint, answer, recipe);
    }
    const tally = createTally();
    if (answer.accepted) {
      await then(session, tally);
    } else {
      tally.judge(expectAccepted(answer));
    }
    return tally.outcome();
  };

import { createTally, type Tally } from '../../../../results/outcome.ts';
import type { Check } from '../../../engine/check.ts';
import { expectAccepted } from '../../../engine/expect.ts';
import type { Session } from '../../../session/session.ts';
import { bodyRefused, refusesBody } from '../../../shared/complaints/refused-body.ts';
import { twinOf } from './twins.ts';

/**
 * A check of a documented POST: the plain call is accepted, and then what `then` judges holds. A refused guess at its
 * body decides nothing.
 */
export const withAcceptedTwin =
  (endpoint: string, then: (session: Session, tally: Tally) => Promise<void>): Check =>
  async (session) => {
    const { answer, furthest } = await twinOf(session, endpoint);
    if (refusesBody(answer)) {
      throw bodyRefused(endpoint, answer, { furthest });
    }
    const tally = createTally();
    if (answer.accepted) {
      await then(session, tally);
    } else {
      tally.judge(expectAccepted(answer));
    }
    return tally.outcome();
  };

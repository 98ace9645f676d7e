import type { Tally } from '../../../../results/outcome.ts';
import { expectAccepted, undecided } from '../../../engine/expect.ts';
import type { Session } from '../../../session/session.ts';
import { judgeNotListed } from '../../../shared/lists/listed-records.ts';
import { firstKey, firstKeyDeletion, firstKeyLastListing, firstKeyListingAfterDeletion } from '../keys/first-key.ts';
import { liveKeyDeletion } from './live-key.ts';

/** The deletion of the run's first key succeeds, and the key list no longer shows it. */
export async function judgeDeletion(session: Session, tally: Tally): Promise<void> {
  const { record } = await firstKey(session);
  const deletion = await firstKeyDeletion(session);
  tally.judge(expectAccepted(deletion, 'Key cannot be deleted'));
  if (!deletion.accepted) {
    return;
  }
  const listed = await firstKeyLastListing(session);
  const listedAfter = await firstKeyListingAfterDeletion(session);
  if (!listed.isShown || !listedAfter.first.accepted) {
    const message = 'The deletion succeeded, but the key list does not show whether the key is gone';
    throw undecided(listedAfter.first, message, 'developer.keys.list');
  }
  judgeNotListed(tally, listedAfter, record, listed);
}

/** The same of a live key, where its list can be read. */
export async function judgeLiveDeletion(session: Session, tally: Tally): Promise<void> {
  const { own, answer, listed, after } = await liveKeyDeletion(session);
  tally.judge(expectAccepted(answer, 'Live key cannot be deleted'));
  if (after?.first.accepted) {
    judgeNotListed(tally, after, own.record, listed);
  }
}

import type { Tally } from '../../../../results/outcome.ts';
import { expectAccepted } from '../../../engine/expect.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { judgeInList } from '../../../shared/lists/beyond-pages.ts';
import { firstKey, firstKeyListing } from '../keys/first-key.ts';
import { makerFor } from '../keys/key-makers.ts';
import { rotationIn } from '../rotation/rotation.ts';
import { liveKeyListing } from './live-key.ts';

/** The key list shows the run's first key. */
export async function judgeListed(session: Session, tally: Tally): Promise<void> {
  const { record } = await firstKey(session);
  const listed = await firstKeyListing(session);
  if (listed.first.accepted) {
    await judgeInList(session, tally, { record, listed, key: mainKey(session) });
  } else {
    tally.judge(expectAccepted(listed.first));
  }
}

/** The key list shows a live key to the live key that made it. */
export async function judgeLiveListed(session: Session, tally: Tally): Promise<void> {
  const listed = await liveKeyListing(session);
  const { after } = await rotationIn(session, 'live');
  if (listed?.first.accepted) {
    await judgeInList(session, tally, { record: after().record, listed, key: makerFor(session, 'live') });
  }
}

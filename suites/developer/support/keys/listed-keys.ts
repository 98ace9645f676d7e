import type { Tally } from '../../../../results/outcome.ts';
import { expectAccepted } from '../../../engine/expect.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { judgeInList } from '../../../shared/lists/beyond-pages.ts';
import { rotationIn } from '../rotation/rotation.ts';
import { firstKey, firstListed } from './key-life.ts';
import { liveListed } from './live-key-life.ts';
import { makerFor } from './make-key.ts';

/** The key list shows the first key of the run. */
export async function judgeListed(session: Session, tally: Tally): Promise<void> {
  const [{ record }, listed] = [await firstKey(session), await firstListed(session)];
  if (listed.first.accepted) {
    await judgeInList(session, tally, { record, listed, key: mainKey(session) });
  } else {
    tally.judge(expectAccepted(listed.first));
  }
}

/** And the live one, where the key that made it looks. */
export async function judgeLiveListed(session: Session, tally: Tally): Promise<void> {
  const [listed, { after }] = [await liveListed(session), await rotationIn(session, 'live')];
  if (listed?.first.accepted) {
    await judgeInList(session, tally, { record: after().record, listed, key: makerFor(session, 'live') });
  }
}

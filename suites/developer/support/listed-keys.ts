import type { Tally } from '../../../results/outcome.ts';
import { expectAccepted } from '../../engine/expect.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { mainKey } from '../../session/keys.ts';
import { showsSomewhere } from '../../session/reading/own-words.ts';
import type { Session } from '../../session/session.ts';
import { judgeShown } from '../../shared/lists/created.ts';
import type { ListSearch } from '../../shared/lists/list-search.ts';
import type { Created } from '../../shared/records.ts';
import { beyondPages } from './complete.ts';
import { firstKey, firstListed } from './key-life.ts';
import { liveListed } from './live-key-life.ts';
import { makerFor } from './make-key.ts';
import { keysPath } from './own-key.ts';
import { rotationIn } from './rotation.ts';

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

/** A key that was looked for in the list, with which key, and what was found. */
interface Look {
  readonly record: Created;
  readonly listed: ListSearch;
  readonly key: ApiKey;
}

/** A list that says nothing of further pages is asked for them. */
async function judgeInList(session: Session, tally: Tally, { record, listed, key }: Look): Promise<void> {
  const shows = (answer: Answer): boolean => answer.unredacted(({ payload }) => showsSomewhere(payload, record));
  const pages = listed.first === listed.last ? ([listed.first] as const) : ([listed.first, listed.last] as const);
  const isLost = !listed.isShown && !listed.isComplete;
  const where = isLost ? await beyondPages(session, `GET ${keysPath}`, { pages, shows, key }) : null;
  judgeShown(
    tally,
    { ...listed, isShown: listed.isShown || where === 'shown', isComplete: listed.isComplete || where === 'absent' },
    record,
  );
}

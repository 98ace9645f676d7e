import { endpointOf } from '../../contract/endpoints.ts';
import type { Tally } from '../../results/outcome.ts';
import type { Check } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { undecided } from '../engine/expect.ts';
import { judgePart } from '../engine/parts.ts';
import { shownIds } from '../reading/shown-ids.ts';
import { nounOf } from '../records/collections.ts';
import { begunAfter } from '../records/list-reading.ts';
import { findInListUntil } from '../records/list-search.ts';
import { judgeCreatedListed, judgeInList } from '../records/listed-records.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { judgeLiveAnswer, withAcceptedTwin } from './calls/succeeds.ts';
import { plainMark, twinWith } from './calls/twins.ts';
import { keysOfBothEnvironments } from './environments.ts';

/**
 * A documented POST creates a record, which the GET of its path lists, in both environments. A refused guess at its
 * body decides nothing, and an accepted one alone neither.
 */
export const creates = (endpoint: string): Check =>
  withAcceptedTwin(endpoint, async (session, tally) => {
    await judgePart(tally, () => judgeListed(session, tally, endpoint, mainKey(session)));
    await judgePart(tally, async () => {
      const [, live] = await keysOfBothEnvironments(session, endpoint);
      await (live === undefined ? undefined : judgeListed(session, tally, endpoint, live));
    });
  });

/**
 * Judges that the list shows what the plain call with a key created to that key. Without an id nobody knows what to look
 * for in a record that does not show its words. Throws Skipped where WRITES forbids the call.
 */
async function judgeListed(session: Session, tally: Tally, endpoint: string, key: ApiKey): Promise<void> {
  const created = await twinWith(session, endpoint, key);
  if (!created.accepted) {
    judgeLiveAnswer(tally, endpoint, created);
    return;
  }
  const { path: collection } = endpointOf(endpoint);
  const list = `GET ${collection}`;
  const noun = nounOf(list);
  const tag = plainMark(session, key);
  const id = created.unredacted(({ payload }) => shownIds(payload, noun, tag)[0]?.id);
  const options = { key, reuse: begunAfter(session, created) };
  const listed = await findInListUntil(session, { collection, id, tag }, ({ isShown }) => isShown, options);
  if (!listed.last.accepted) {
    const message = `Cannot tell whether a created ${noun} is listed: ${list} got ${describeAnswer(listed.last)}`;
    throw undecided(listed.last, message, endpointOf(list).clause);
  }
  if (id === undefined) {
    judgeCreatedListed(tally, { ...listed, isComplete: false }, { collection, id: tag });
  } else {
    await judgeInList(session, tally, { record: { collection, id }, search: listed, key });
  }
}

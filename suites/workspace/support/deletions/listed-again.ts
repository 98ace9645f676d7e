import type { JsonObject } from '../../../../common/json.ts';
import type { Exchange } from '../../../../results/exchange.ts';
import type { Tally } from '../../../../results/outcome.ts';
import { findingOn } from '../../../engine/expect.ts';
import { rowsIn } from '../../../reading/rows.ts';
import { nounOf } from '../../../records/collections.ts';
import { ownRowPlace } from '../../../records/listed-records.ts';
import { isOfStore } from '../../../records/others.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import type { Created } from '../records/create.ts';

/** An accepted deletion, whose record later lists may show again. */
export interface Deleted {
  readonly record: Created;
  readonly answer: Answer;
  /** Whether a row of the record shows it as existing. */
  readonly isThere: (row: JsonObject) => boolean;
}

/**
 * No list that the run read KEY_SETTLE_MS after an accepted deletion or later shows the record again, as one of several
 * replicas or a cache may. Waits until the run is quiet, so that all lists are read.
 */
export async function judgeNotListedAgain(
  session: Session,
  tally: Tally,
  { record, answer: deletion, isThere }: Deleted,
): Promise<void> {
  await session.until('quiet');
  const { evidence, settings } = session;
  const settledAt = deletion.exchange.receivedAt + settings.KEY_SETTLE_MS;
  const isLaterList = ({ endpoint, sentAt, keyLabel, response }: Exchange): boolean =>
    endpoint === `GET ${record.collection}` &&
    sentAt > settledAt &&
    response?.status === 200 &&
    isOfStore(keyLabel, record.entry.keySetting);
  const noun = nounOf(record.collection);
  const shows = ({ response }: Exchange): boolean => {
    const rows = rowsIn(response?.json, noun) ?? [];
    const row = rows[ownRowPlace(rows, record)];
    return row !== undefined && isThere(row);
  };
  const showing = evidence.exchanges.filter(isLaterList).find(shows);
  if (showing === undefined || !isSuccess(deletion)) {
    return;
  }
  const wait = showing.sentAt - deletion.exchange.receivedAt;
  const isList = ({ endpoint, sentAt, response }: Exchange): boolean =>
    endpoint === showing.endpoint && sentAt >= deletion.exchange.receivedAt && response?.status === 200;
  const wasGone = evidence.exchanges.some((one) => isList(one) && one.number < showing.number && !shows(one));
  tally.judge(
    findingOn(
      { exchange: showing },
      {
        message: `Deleted ${noun} is ${wasGone ? 'listed again' : 'still listed'}: ${record.id} in GET ${record.collection}, ${Math.round(wait)} ms after its deletion`,
        expected: 'absent, or shown as deleted',
        actual: 'listed',
        place: 'body',
        ...(wasGone ? { cause: 'One of several replicas, or a cache, missed the deletion' } : {}),
      },
    ),
  );
}

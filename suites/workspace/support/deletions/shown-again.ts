import type { JsonObject } from '../../../../common/json.ts';
import type { Exchange } from '../../../../results/exchange.ts';
import type { Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { findingOn } from '../../../engine/expect.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import { rowPlace, rowsIn } from '../../../session/reading/rows.ts';
import type { Session } from '../../../session/session.ts';
import { nounOf } from '../../../shared/collections.ts';
import { isOfStore } from '../../../shared/ids/earlier-rows.ts';
import type { Created } from '../records/create.ts';

/** Fails where any list of the run shows a deleted record again. Waits until nobody else calls: it comes after all other looks. */
export async function judgeListedAgain(tally: Tally, ...deleted: Parameters<typeof listedAgain>): Promise<void> {
  const again = await listedAgain(...deleted);
  if (again !== null) {
    tally.judge(again);
  }
}

/**
 * Any list of the run that shows a deleted record as there once KEY_SETTLE_MS is over: one of several replicas, or a cache, may
 * not have heard of it. null: none does, or the deletion did not succeed.
 */
async function listedAgain(
  session: Session,
  record: Created,
  deletion: Answer,
  isThere: (row: JsonObject) => boolean,
): Promise<Finding | null> {
  await session.quiet;
  const { evidence, settings } = session;
  const since = deletion.exchange.receivedAt + settings.KEY_SETTLE_MS;
  const isLater = ({ endpoint, sentAt, keyLabel, response }: Exchange): boolean =>
    endpoint === `GET ${record.collection}` &&
    sentAt > since &&
    response?.status === 200 &&
    isOfStore(keyLabel, record.entry.keySetting);
  const noun = nounOf(record.collection);
  const again = evidence.exchanges.filter(isLater).find(({ response }) => {
    const rows = rowsIn(response?.json, noun) ?? [];
    const row = rows[rowPlace(rows, noun, record)];
    return row !== undefined && isThere(row);
  });
  return again === undefined || !isSuccess(deletion)
    ? null
    : findingOn(
        { exchange: again },
        {
          message: `Deleted ${noun} is listed again: ${record.id} in GET ${record.collection}, ${again.sentAt - deletion.exchange.receivedAt} ms after its deletion`,
          expected: 'absent, or shown as deleted',
          actual: 'listed',
          place: 'body',
          cause: 'One of several replicas, or a cache, has not heard of the deletion',
        },
      );
}

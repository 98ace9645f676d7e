import { show } from '../../../../common/schema.ts';
import { withArticle } from '../../../../common/words.ts';
import type { Exchange } from '../../../../results/exchange.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { findingOn } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { rowPlace, rowsIn } from '../../../reading/rows.ts';
import { nounOf } from '../../../records/collections.ts';
import { isOfStore } from '../../../records/others.ts';
import { timeToSettle } from '../../../records/own.ts';
import { isSuccess } from '../../../session/answer.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { listing, type Readable, reading } from '../kinds.ts';
import { effectOf, isUndone } from './changed-fields.ts';
import { changeAndNeighbours } from './changed-neighbours.ts';
import { type ChangeResult, missingIn } from './changes.ts';

/**
 * The finding on the change of the first record that a read has shown and a later one does not; null: it lasts, or no
 * read has shown it. Where a later answer of the run shows the text from before, as a list that lags may, the record is
 * read once more KEY_SETTLE_MS after the change. Waits until the run is quiet. Throws Inconclusive without a change.
 */
export const undoneChange = stepFor((kind: Readable) => kind, findUndoneChange);

async function findUndoneChange(session: Session, kind: Readable): Promise<Finding | null> {
  const change = await changeAndNeighbours(session, kind);
  const { record, answer, values, body, later } = change;
  await session.until('quiet');
  if (missingIn(later, values).length > 0 || effectOf(change) !== 'new') {
    return null;
  }
  if (!session.evidence.exchanges.some((exchange) => showsTextBefore(exchange, change, kind))) {
    return null;
  }
  await session.clock.sleep(timeToSettle(session, answer));
  const again = await resultOrNull(send(session, reading(kind), { id: record.id }));
  return again === null || !isSuccess(again) || !isUndone(change, again)
    ? null
    : findingOn(again, {
        message: `The update of ${withArticle(nounOf(kind))} was reverted: ${show(body, 120)} was accepted and shown, and a later read shows the old text`,
        expected: show(values[0], 60),
        actual: 'the old text',
        place: 'body',
      });
}

/** Whether an answer that came after the read of a change shows the record as it was before. */
function showsTextBefore(exchange: Exchange, change: ChangeResult, kind: Readable): boolean {
  const { endpoint, number, request, response, keyLabel } = exchange;
  const { record, later } = change;
  const noun = nounOf(kind);
  if (
    number <= later.exchange.number ||
    response?.status !== 200 ||
    !isOfStore(keyLabel, record.entry.keySetting) ||
    (endpoint !== listing(kind) && !(endpoint === reading(kind) && request.url.endsWith(`/${record.id}`)))
  ) {
    return false;
  }
  const rows = endpoint === listing(kind) ? (rowsIn(response.json, noun) ?? []) : [];
  const json = endpoint === listing(kind) ? rows[rowPlace(rows, noun, record)] : response.json;
  return effectOf({ ...change, later: { json } }) === 'old';
}

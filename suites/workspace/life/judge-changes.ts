import { walk } from '../../../common/json.ts';
import { show } from '../../../common/schema.ts';
import { lettersOf, withArticle } from '../../../common/words.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { judged, type Outcome } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { expectStatus, findingOn, undecided } from '../../engine/expect.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { mentions } from '../../reading/own-words.ts';
import { recordIn } from '../../reading/record.ts';
import { rowPlace, rowsIn } from '../../reading/rows.ts';
import { idIn } from '../../reading/shown-ids.ts';
import { isUnguessable } from '../../reading/unguessable.ts';
import { nounOf } from '../../records/collections.ts';
import { findInList } from '../../records/list-search.ts';
import { isOfStore } from '../../records/others.ts';
import { timeToSettle } from '../../records/own.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { changing, listing, type Readable, reading } from '../kinds.ts';
import type { Created } from '../records/creating.ts';
import { effectOf, garblingOf, holds, isUndone, missingIn, type Plain, viewBefore } from './changed-fields.ts';
import type { Change } from './changes.ts';
import { showsRecord } from './details.ts';
import { assertBodyAccepted } from './kept-fields.ts';
import { recordStory } from './story.ts';

/** PATCH gets 200, a later read shows the change and goes on to, and the list shows it in no other record. */
export async function judgeChanged(session: Session, kind: Readable): Promise<Outcome> {
  const story = await recordStory(session, kind);
  const change = story.change();
  const { record, before, answer, later, values } = change;
  const noun = nounOf(kind);
  assertBodyAccepted(change, kind);
  if (answer.status !== 200) {
    return judged(expectStatus(answer, 200, `Updating ${withArticle(noun)}`));
  }
  if (later.status === 404 && isSuccess(before)) {
    await noteNewId(session, record);
    const what = `Reading the updated ${noun} by its id`;
    return judged(expectStatus(later, 200, what, 'The update creates a new record'));
  }
  assertRecordShown(change, kind);
  const [missing] = missingIn(later, values);
  const effect = effectOf(change);
  const other = story.alsoChanged();
  if (missing !== undefined && other === undefined && !change.isUsers && !wasShownBefore(change)) {
    throw new Inconclusive(
      findingOn(answer, {
        message: `Cannot tell whether ${changing(kind)} changes ${withArticle(noun)}: it changed no field that reads show`,
        advice: `Add a change of a field that reads show to your BODIES file: {"${changing(kind)}": {…}}`,
      }),
    );
  }
  return judged(
    other === undefined
      ? null
      : findingOn(other.answer, {
          message: `Updating ${noun} ${record.id} also changed ${noun} ${idIn(other.row, noun) ?? 'without an id'}`,
          expected: `only ${record.id} changed`,
          actual: 'another one as well',
          place: 'body',
        }),
    missing === undefined ? null : lostChange(change, noun, missing, effect === 'garbled'),
    missing === undefined && effect === 'wrong field' ? misplaced(change, noun) : null,
    missing === undefined && effect === 'new' ? await undoneChange(session, kind) : null,
  );
}

/**
 * The finding on a change that a read has shown and a later one does not; null: it lasts, or no read has shown it. Where a
 * later answer of the run shows the text from before, as a list that lags may, the record is read once more KEY_SETTLE_MS
 * after the change. Waits until the run is quiet. Throws Inconclusive without a change.
 */
export const undoneChange = stepFor((kind: Readable) => kind, findUndoneChange);

async function findUndoneChange(session: Session, kind: Readable): Promise<Finding | null> {
  const change = (await recordStory(session, kind)).change();
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
function showsTextBefore(exchange: Exchange, change: Change, kind: Readable): boolean {
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

const misplaced = ({ body, later, values }: Change, noun: string): Finding =>
  findingOn(later, {
    message: `The update of ${withArticle(noun)} was written to the wrong field: ${show(body, 120)} was accepted, and a later read shows the new text elsewhere, and the old text where it was`,
    expected: show(values[0], 60),
    actual: 'in another field',
    place: 'body',
  });

/** Throws Inconclusive where the changed record cannot be read, or where reads show another record both times. */
function assertRecordShown({ record, before, later }: Change, kind: Readable): void {
  const noun = nounOf(kind);
  const isOther = isSuccess(before) && !showsRecord(before, noun, record) && !showsRecord(later, noun, record);
  if (!isSuccess(later) || recordIn(later.json, noun) === undefined || isOther) {
    const message = `Cannot check the update of ${withArticle(noun)}: ${describeAnswer(later)} on ${reading(kind)}`;
    throw undecided(later, message, endpointOf(reading(kind)).clause);
  }
}

/**
 * Whether the record showed the changed field before: a deployment may leave out fields that it does not know. A text
 * may have been sent under several names: it was shown as the changed field unless it is under the name of another
 * one.
 */
export function wasShownBefore({
  record,
  before,
  body,
  values,
}: Pick<Change, 'body' | 'values'> & {
  readonly record: Pick<Created, 'fields' | 'tag'> & { readonly answer: Pick<Answer, 'json'> };
  readonly before: Pick<Answer, 'json' | 'status'>;
}): boolean {
  const changed = walk(body).flatMap(({ name, value }) => (values.some((one) => one === value) ? [name] : []));
  const sent = walk(record.fields);
  const others = sent.flatMap(({ name }) => (changed.includes(name) ? [] : [name]));
  const texts = sent.flatMap(({ name, value }) => (changed.includes(name) && typeof value === 'string' ? [value] : []));
  const isSpelled = (names: readonly string[], name: string): boolean =>
    names.some((one) => lettersOf(one) === lettersOf(name));
  const isOther = (name: string): boolean =>
    others.includes(name) || (isSpelled(others, name) && !isSpelled(changed, name));
  return walk(viewBefore({ record, before }).json).some(
    ({ name, value }) =>
      !isOther(name) &&
      (isSpelled(changed, name) ? mentions(value, record.tag) : texts.some((text) => holds(value, text))),
  );
}

/** A record that goes by another id since its change, and cannot be deleted, is noted under that id. */
async function noteNewId(session: Session, { collection, tag, entry }: Created): Promise<void> {
  const search = entry.lasting ? await resultOrNull(findInList(session, collection, { id: undefined, tag })) : null;
  const id = search?.ids.find(isUnguessable) ?? search?.ids[0];
  if (id !== undefined) {
    session.ledger.identify(entry, id);
  }
}

function lostChange({ answer, later }: Change, noun: string, missing: Plain, isGarbled: boolean): Finding {
  const garbling = garblingOf(later, missing);
  const how = garbling
    ? `shows it ${garbling}`
    : isGarbled
      ? 'shows neither the new nor the old text'
      : 'does not show it';
  return findingOn(later, {
    message: `The update of ${withArticle(noun)} was not stored: ${JSON.stringify(missing)} got ${describeAnswer(answer)}, but a later read ${how}`,
    expected: JSON.stringify(missing),
    actual: 'absent',
    place: 'body',
  });
}

import { reword } from '../../../../common/exact-json.ts';
import { walk } from '../../../../common/json.ts';
import { show } from '../../../../common/schema.ts';
import { lettersOf, withArticle } from '../../../../common/words.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { judged, type Outcome } from '../../../../results/outcome.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { expectStatus, findingOn, undecided } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { mentions } from '../../../reading/own-words.ts';
import { recordIn } from '../../../reading/record.ts';
import { idIn } from '../../../reading/shown-ids.ts';
import { isUnguessable } from '../../../reading/unguessable.ts';
import { type Body, bodyRefused, refusesBody } from '../../../records/bodies.ts';
import { nounOf } from '../../../records/collections.ts';
import { findInList } from '../../../records/list-search.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { changing, type Readable, reading } from '../kinds.ts';
import type { Created } from '../records/create.ts';
import { showsRecord } from '../records/details.ts';
import { garblingOf, holds, type Plain } from './change-candidates.ts';
import { effectOf, viewBefore } from './changed-fields.ts';
import { changeAndNeighbours } from './changed-neighbours.ts';
import { type ChangeResult, firstRecordChange, missingIn, valuesToKeep } from './changes.ts';
import { undoneChange } from './lasting-changes.ts';

/** PATCH gets 200, a later read shows the change, and the list shows it in no other record. */
export async function judgeChanged(session: Session, kind: Readable): Promise<Outcome> {
  const change = await changeAndNeighbours(session, kind);
  const { record, before, answer, later, values, changedNeighbour } = change;
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
  if (missing !== undefined && changedNeighbour === undefined && !change.isUsers && !wasShownBefore(change)) {
    throw new Inconclusive(
      findingOn(answer, {
        message: `Cannot tell whether ${changing(kind)} changes ${withArticle(noun)}: it changed no field that reads show`,
        advice: `Add a change of a field that reads show to your BODIES file: {"${changing(kind)}": {…}}`,
      }),
    );
  }
  return judged(
    changedNeighbour === undefined
      ? null
      : findingOn(changedNeighbour.answer, {
          message: `Updating ${noun} ${record.id} also changed ${noun} ${idIn(changedNeighbour.row, noun) ?? 'without an id'}`,
          expected: `only ${record.id} changed`,
          actual: 'another one as well',
          place: 'body',
        }),
    missing === undefined ? null : lostChange(change, noun, missing, effect === 'garbled'),
    missing === undefined && effect === 'wrong field' ? misplaced(change, noun) : null,
    missing === undefined && effect === 'new' ? await undoneChange(session, kind) : null,
  );
}

const misplaced = ({ body, later, values }: ChangeResult, noun: string): Finding =>
  findingOn(later, {
    message: `The update of ${withArticle(noun)} was written to the wrong field: ${show(body, 120)} was accepted, and a later read shows the new text elsewhere, and the old text where it was`,
    expected: show(values[0], 60),
    actual: 'in another field',
    place: 'body',
  });

/** Throws Inconclusive where no body was accepted: a change may need what only reads show, such as a version. */
function assertBodyAccepted({ answer, before, body, record, isUsers }: ChangeResult, kind: Readable): void {
  if (refusesBody(answer) && !isSuccess(before)) {
    const message = `The update of ${withArticle(nounOf(kind))} was refused, and no read shows what it needs: ${describeAnswer(before)} on ${reading(kind)}`;
    throw undecided(before, message, endpointOf(reading(kind)).clause);
  }
  if (refusesBody(answer)) {
    throw bodyRefused(changing(kind), answer, {
      template: reword(body, record.tag, '{{run}}') as Body,
      wrapper: null,
      isUsers,
    });
  }
}

/** Throws Inconclusive where the changed record cannot be read, or where reads show another record both times. */
function assertRecordShown({ record, before, later }: ChangeResult, kind: Readable): void {
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
}: Pick<ChangeResult, 'body' | 'values'> & {
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

function lostChange({ answer, later }: ChangeResult, noun: string, missing: Plain, isGarbled: boolean): Finding {
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

/** PATCH leaves other fields alone. Judged are those that the run sent and saw before the change. */
export async function judgeKept(session: Session, kind: Readable): Promise<Outcome> {
  const change = await firstRecordChange(session, kind);
  const { answer, later } = change;
  assertBodyAccepted(change, kind);
  if (!isSuccess(answer) || !isSuccess(later)) {
    const [failed, call] = isSuccess(answer) ? [later, reading(kind)] : [answer, changing(kind)];
    const message = `Cannot check which fields an update keeps: ${describeAnswer(failed)} on ${call}`;
    throw undecided(failed, message, endpointOf(call).clause);
  }
  const values = valuesToKeep(change);
  if (values.length === 0) {
    throw new Inconclusive({
      message:
        `Only the changed field of the ${nounOf(kind)} was sent on creation and seen before the change; ` +
        `add a change of another field that reads show to your BODIES file`,
      blames: endpointOf(reading(kind)).clause,
    });
  }
  return judged(...values.map(({ name, value, isKept }) => (isKept ? null : lostField(later, kind, name, value))));
}

const lostField = (later: Answer, kind: Readable, name: string, value: Plain): Finding =>
  findingOn(later, {
    message: `Updating ${withArticle(nounOf(kind))} dropped ${name}, which the call did not send: ${show(value, 60)} is gone in a later read`,
    expected: show(value, 60),
    actual: 'absent',
    place: 'body',
  });

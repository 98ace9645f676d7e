import { walk } from '../../../../common/json.ts';
import { show } from '../../../../common/schema.ts';
import { withArticle } from '../../../../common/words.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { judged, type Outcome } from '../../../../results/outcome.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer, expectStatus, findingOn, undecided } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import { recordIn } from '../../../session/reading/record.ts';
import { idIn } from '../../../session/reading/shown-ids.ts';
import { isUnguessable } from '../../../session/reading/unguessable.ts';
import type { Session } from '../../../session/session.ts';
import { nounOf } from '../../../shared/collections.ts';
import { bodyRefused, refusesBody } from '../../../shared/complaints/refused-body.ts';
import { lookFor } from '../../../shared/lists/list-search.ts';
import { changing, type Readable, reading } from '../kinds.ts';
import type { Created } from '../records/create.ts';
import { isViewOf } from '../records/details.ts';
import { isGarbled, type Plain, shows, showsAs } from './change-candidates.ts';
import { changedBeside } from './changed-beside.ts';
import { type Changed, changed, keptValues, missingIn } from './changes.ts';

/** Whether the record showed the changed field before: a deployment may leave out what it does not know. */
function wasShown({ record, before, body, values }: Changed): boolean {
  const names = walk(body).flatMap(({ name, value }) => (values.some((one) => one === value) ? [name] : []));
  const sent = walk(record.fields).filter(({ name, value }) => names.includes(name) && typeof value === 'string');
  return [record.answer.json, before.json].some(
    (view) =>
      names.some((name) => showsAs(view, name, record.tag)) || sent.some(({ value }) => shows(view, String(value))),
  );
}

/** Throws Inconclusive where no body is taken: one may need what reads alone show, such as a version. */
function assertBodyTaken({ answer, before }: Changed, kind: Readable): void {
  if (refusesBody(answer) && !isSuccess(before)) {
    const message = `Change of ${withArticle(nounOf(kind))} is refused, and what it would take to make one cannot be read: ${describeAnswer(before)} on ${reading(kind)}`;
    throw undecided(before, message, endpointOf(reading(kind)).clause);
  }
  if (refusesBody(answer)) {
    throw bodyRefused(changing(kind), answer);
  }
}

/** PATCH gets 200, a later read shows the change, and the list shows it at no other record. */
export async function judgeChanged(session: Session, kind: Readable): Promise<Outcome> {
  const change = await changedBeside(session, kind);
  const { record, before, answer, later, values, beside } = change;
  const noun = nounOf(kind);
  assertBodyTaken(change, kind);
  if (answer.status !== 200) {
    return judged(expectStatus(answer, 200, `Updating ${withArticle(noun)} does not get 200`));
  }
  if (later.status === 404 && isSuccess(before)) {
    await nameAnew(session, record);
    const what = `Changed ${noun} is not found any more under its id`;
    return judged(expectStatus(later, 200, what, 'A change makes another record in its place'));
  }
  const isOfAnother = isSuccess(before) && !isViewOf(before, noun, record) && !isViewOf(later, noun, record);
  if (!isSuccess(later) || recordIn(later.json, noun) === undefined || isOfAnother) {
    const message = `Change of ${withArticle(noun)} cannot be checked: ${describeAnswer(later)} on ${reading(kind)}`;
    throw undecided(later, message, endpointOf(reading(kind)).clause);
  }
  const [missing] = missingIn(later, values);
  if (
    missing !== undefined &&
    beside === undefined &&
    session.userBodies[changing(kind)] === undefined &&
    !wasShown(change)
  ) {
    throw new Inconclusive(
      findingOn(answer, {
        message: `Whether ${changing(kind)} changes ${withArticle(noun)} is unknown: no field is changed that reads show`,
        cause: `Put a change of such a field into the file that BODIES names: {"${changing(kind)}": {…}}`,
      }),
    );
  }
  return judged(
    beside === undefined
      ? null
      : findingOn(beside.answer, {
          message: `Changing one ${noun} changes another too: ${idIn(beside.row, noun) ?? 'one without an id'} beside ${record.id}`,
          expected: `one ${noun} changed`,
          actual: 'another one as well',
          place: 'body',
        }),
    missing === undefined
      ? null
      : findingOn(later, {
          message: `Change of ${withArticle(noun)} is lost: ${JSON.stringify(missing)} was accepted with ${describeAnswer(answer)}, and a later read ${isGarbled(later, missing) ? 'shows it as UTF-8 read as Latin-1' : 'does not show it'}`,
          expected: JSON.stringify(missing),
          actual: 'absent',
          place: 'body',
        }),
  );
}

/** What a change has left under another id, and nobody can delete, is named by that one. */
async function nameAnew(session: Session, { collection, tag, entry }: Created): Promise<void> {
  const search = entry.lasting ? await resultOrNull(lookFor(session, collection, { id: undefined, tag })) : null;
  const id = search?.ids.find(isUnguessable) ?? search?.ids[0];
  if (id !== undefined) {
    session.ledger.identify(entry, id);
  }
}

/** PATCH leaves the fields alone that it does not name: those that the run sent and saw before. */
export async function judgeKept(session: Session, kind: Readable): Promise<Outcome> {
  const change = await changed(session, kind);
  const { answer, later } = change;
  assertBodyTaken(change, kind);
  if (!isSuccess(answer) || !isSuccess(later)) {
    const [failed, call] = isSuccess(answer) ? [later, reading(kind)] : [answer, changing(kind)];
    const message = `What a change leaves alone cannot be checked: ${describeAnswer(failed)} on ${call}`;
    throw undecided(failed, message, endpointOf(call).clause);
  }
  const values = keptValues(change);
  if (values.length === 0) {
    throw new Inconclusive({
      message:
        `Only the changed field of the ${nounOf(kind)} was sent on creation and seen before the change; ` +
        `a body in BODIES with another field that reads show would decide it`,
      blames: endpointOf(reading(kind)).clause,
    });
  }
  return judged(...values.map(({ name, value, kept }) => (kept ? null : lostField(later, kind, name, value))));
}

const lostField = (later: Answer, kind: Readable, name: string, value: Plain): Finding =>
  findingOn(later, {
    message: `Changing ${withArticle(nounOf(kind))} loses ${name}, which the call does not name: ${show(value, 60)} was there before, and is gone in a later read`,
    expected: show(value, 60),
    actual: 'absent',
    place: 'body',
  });

import { canonical, type Found, hasValue, type JsonObject, walk } from '../../../common/json.ts';
import { show } from '../../../common/schema.ts';
import { lettersOf, withArticle } from '../../../common/words.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { judged, type Outcome } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { expectStatus, findingOn, undecided } from '../../engine/expect.ts';
import { toldOrNull } from '../../engine/parts.ts';
import { mentions } from '../../reading/own-words.ts';
import { recordIn } from '../../reading/record.ts';
import { isRecord, rowsIn } from '../../reading/rows.ts';
import { idIn } from '../../reading/shown-ids.ts';
import { nounOf } from '../../records/collections.ts';
import type { ListSearch } from '../../records/list-search.ts';
import { ofAnyChange } from '../../records/shown-gone.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { changing, type Readable, reading } from '../kinds.ts';
import { effectOf, garblingOf, missingIn, type Plain, shows, tidy, wasShownBefore } from './changed-fields.ts';
import { assertBodyAccepted, type Change } from './changes.ts';
import { showsRecord } from './details.ts';
import { valuesOutsideHistory } from './history.ts';
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
    return judged(expectStatus(later, 200, `Reading the updated ${noun} by its id`, 'The update creates a new record'));
  }
  assertRecordShown(change, kind);
  const [missing] = missingIn(later, values);
  const effect = effectOf(change);
  const listed = toldOrNull(story.listed);
  const other = listed === null ? undefined : alsoChanged(change, noun, listed.first);
  const reread = toldOrNull(story.reread);
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
    missing === undefined && effect === 'wrong field'
      ? changeFinding(later, change, noun, 'written to the wrong field, as a later read shows', 'in another field')
      : null,
    effect === 'new' && reread !== null && isSuccess(reread) && effectOf({ ...change, later: reread }) === 'old'
      ? changeFinding(reread, change, noun, 'reverted after a read had shown it', 'the old text')
      : null,
  );
}

/** A record as an answer shows it. */
interface ShownRecord {
  readonly row: JsonObject;
  readonly answer: Answer;
}

/** Another record that the list shows with the values of an accepted change, too; undefined: none. */
function alsoChanged({ record, values }: Change, noun: string, { first, last }: ListSearch): ShownRecord | undefined {
  const worded = values.filter((value) => typeof value === 'string' && mentions(value, record.tag));
  const rows = [first, last].flatMap((answer) => (rowsIn(answer.json, noun) ?? []).map((row) => ({ row, answer })));
  const changed = rows.filter(({ row }) => worded.some((value) => shows(row, value)));
  const distinct = [...new Map(changed.map((shown) => [canonical(shown.row), shown])).values()];
  // One changed row is the record's, whatever id the list shows. Among several, its id tells which one is, even in a
  // field that is not called an id.
  const withId = distinct.filter(({ row }) => hasValue(row, record.id));
  const isOwn = (shown: ShownRecord): boolean =>
    withId.length > 0 ? withId.includes(shown) : isRecord(shown.row, noun, record);
  return distinct.length < 2 ? undefined : distinct.find((shown) => !isOwn(shown));
}

/** Throws Inconclusive where the changed record cannot be read, or where reads show another record both times. */
function assertRecordShown({ record, before, later }: Change, kind: Readable): void {
  const noun = nounOf(kind);
  const isOther = isSuccess(before) && !showsRecord(before, noun, record) && !showsRecord(later, noun, record);
  if (!isSuccess(later) || recordIn(later.json, noun) === undefined || isOther) {
    const message = `Cannot check the update of ${withArticle(noun)}: ${describeAnswer(later)} on ${reading(kind)}`;
    throw undecided(later, message, endpointOf(reading(kind)).clause);
  }
}

const changeFinding = (on: Answer, change: Change, noun: string, says: string, actual: string): Finding =>
  findingOn(on, {
    message: `The update of ${withArticle(noun)} was ${says}: ${show(change.body, 120)} got ${describeAnswer(change.answer)}`,
    expected: show(change.values[0], 60),
    actual,
    place: 'body',
  });

/** What is wrong with a change of which a later read misses a value. */
function lostChange(change: Change, noun: string, missing: Plain, isGarbled: boolean): Finding {
  const garbling = garblingOf(change.later, missing);
  const neither = isGarbled ? 'shows neither the new nor the old text' : `does not show ${JSON.stringify(missing)}`;
  const how = garbling ? `shows it ${garbling}` : neither;
  return changeFinding(change.later, change, noun, `not stored, since a later read ${how}`, 'absent');
}

/** PATCH leaves other fields alone. Judged are those that the run sent and saw before the change. */
export async function judgeKept(session: Session, kind: Readable): Promise<Outcome> {
  const change = (await recordStory(session, kind)).change();
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
      message: `Only the changed field of the ${nounOf(kind)} was sent on creation and seen before the change`,
      advice: `Add a change of another field that reads show to your BODIES file: {"${changing(kind)}":{"FIELD":"{{run}}"}}`,
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

/** A value that a record was created with and showed before a change of other fields. */
interface KeptValue {
  readonly name: string;
  readonly value: Plain;
  /** Whether it still shows after the change. */
  readonly isKept: boolean;
}

/** The values that a change should have left alone. A text counts as the deployment stored it. */
function valuesToKeep({ record, tried, before, later }: Change): KeptValue[] {
  const changedNames = new Set(walk(tried).map(({ name }) => lettersOf(name)));
  // One text may have been sent under several names, of which a changed one does not count.
  const unchangedIn = ({ json }: Pick<Answer, 'json'>): readonly Found[] =>
    valuesOutsideHistory(json).filter(({ name }) => !changedNames.has(lettersOf(name)));
  const shownBefore = unchangedIn(before);
  const shownLater = unchangedIn(later);
  // Several fields that were sent may stand in one that is shown.
  const byPlace = new Map<string, KeptValue>();
  for (const { name, value } of walk(record.fields)) {
    const isToKeep = (typeof value === 'string' && value.length > 1) || typeof value === 'number';
    if (!isToKeep || changedNames.has(lettersOf(name)) || ofAnyChange.test(name)) {
      continue;
    }
    const isNamed = (shown: Found): boolean => lettersOf(shown.name) === lettersOf(name);
    const isSame = (one: Plain) => (shown: Found) =>
      typeof one === 'string'
        ? typeof shown.value === 'string' && tidy(shown.value) === tidy(one)
        : shown.value === one && isNamed(shown);
    const stored = shownBefore.find((shown) => isNamed(shown) && mentions(shown.value, record.tag))?.value;
    const kept = [value, stored].filter(isPlain).find((one) => shownBefore.some(isSame(one)));
    const shown = kept === undefined ? undefined : shownBefore.find(isSame(kept));
    if (kept !== undefined && shown !== undefined) {
      byPlace.set(shown.pointer, { name: shown.name, value: kept, isKept: shownLater.some(isSame(kept)) });
    }
  }
  return [...byPlace.values()];
}

const isPlain = (value: unknown): value is Plain => ['string', 'number', 'boolean'].includes(typeof value);

import { type Found, type JsonObject, walk } from '../../../common/json.ts';
import { lettersOf, show, withArticle } from '../../../common/words.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { Inconclusive } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { type Check, stageOrNull } from '../../engine/check.ts';
import { describeAnswer, expectStatus, findingOn, undecided } from '../../engine/expect.ts';
import { mentions } from '../../reading/own-words.ts';
import { idIn, idsOf, recordIn } from '../../reading/record.ts';
import { rowPlace, rowsIn } from '../../reading/rows.ts';
import { ofAnyChange } from '../../records/listed-records.ts';
import { type ListSearch, nounOf } from '../../records/reads.ts';
import { isSuccess } from '../../session/call.ts';
import { changing, type Kind, reading } from '../records/creating.ts';
import { assertBodyAccepted, type Change, holds, isSameText, missingIn, seenBefore } from './changes.ts';
import { valuesOutsideHistory } from './history.ts';
import { showsRecord } from './judge-records.ts';
import { recordStory } from './record-story.ts';

/** A check: PATCH gets 200, a later read shows the change, and the list shows it in no other record. */
export const judgeChanged =
  (kind: Kind): Check =>
  async (session, tally) => {
    const story = await recordStory(session, kind);
    const change = story.change();
    const { before, answer, later, values } = change;
    const noun = nounOf(kind);
    assertBodyAccepted(change, kind);
    const refused = expectStatus(answer, 200, `Updating ${withArticle(noun)}`);
    const isLost = later.status === 404 && isSuccess(before);
    if (refused !== null || isLost) {
      const cause = 'The update creates a new record';
      tally.judge(refused ?? expectStatus(later, 200, `Reading the updated ${noun} by its id`, cause));
      return;
    }
    assertRecordShown(change, kind);
    const listed = stageOrNull(story.listed);
    const other = listed === null ? null : alsoChanged(change, noun, listed.first);
    if (other === null && !change.isUsers && missingIn(later, values).length > 0 && seenBefore(change).length === 0) {
      throw new Inconclusive(
        findingOn(answer, {
          message: `Cannot tell whether ${changing(kind)} changes ${withArticle(noun)}: it changed no field that reads show`,
          advice: `Add a change of a field that reads show to your BODIES file: {"${changing(kind)}": {…}}`,
        }),
      );
    }
    const flaw = flawOf(change);
    const wrong = flaw && {
      message: `The update of ${withArticle(noun)} was ${flaw.what}: ${show(change.body, 120)} got ${describeAnswer(answer)}`,
      expected: show(values[0], 60),
      actual: flaw.actual,
      place: 'body',
    };
    tally.judge(other, wrong && findingOn(later, wrong));
  };

/** What is wrong with an accepted change, as a later read shows it, and what that shows; null: nothing. */
function flawOf(change: Change): { readonly what: string; readonly actual: string } | null {
  const [missing] = missingIn(change.later, change.values);
  if (missing !== undefined) {
    return { what: `not stored as sent, since a later read does not show ${show(missing, 60)}`, actual: 'absent' };
  }
  const lost = /changed: (caf(?:\?|\ufffd|\u00c3\u00a9)|caf\u00e9 & [?\ufffd]tea)/.exec(
    JSON.stringify(change.later.json),
  )?.[1];
  const what = `stored without its letters outside ASCII: “café & “tea”” is shown as ${lost}`;
  return lost === undefined ? null : { what, actual: lost };
}

/** The finding on another record that the list shows with the values of an accepted change; null: none does. */
function alsoChanged({ record, values }: Change, noun: string, { isShown, pages }: ListSearch): Finding | null {
  const worded = values.filter((value) => typeof value === 'string' && mentions(value, record.tag));
  const isChanged = (row: JsonObject): boolean =>
    walk(row).some(({ value }) => worded.some((wanted) => holds(value, wanted)));
  for (const { answer } of isShown ? pages : []) {
    const rows = rowsIn(answer.payload, noun) ?? [];
    const own = rowPlace(rows, noun, record);
    // It may have moved to another page meanwhile.
    const isAgain = (row: JsonObject): boolean => own === -1 && idsOf(row, noun).includes(record.id);
    const other = rows.find((row, place) => place !== own && isChanged(row) && !isAgain(row));
    if (other !== undefined) {
      return findingOn(answer, {
        message: `Updating ${noun} ${record.id} also changed ${noun} ${idIn(other, noun) ?? 'without an id'}`,
        expected: `only ${record.id} changed`,
        actual: 'another one as well',
        place: 'body',
      });
    }
  }
  return null;
}

/** Throws Inconclusive where the changed record cannot be read, or where reads show another record both times. */
function assertRecordShown({ record, before, later }: Change, kind: Kind): void {
  const noun = nounOf(kind);
  const isOther = isSuccess(before) && !showsRecord(before, noun, record) && !showsRecord(later, noun, record);
  if (!isSuccess(later) || recordIn(later.json, noun) === undefined || isOther) {
    const message = `Cannot check the update of ${withArticle(noun)}: ${describeAnswer(later)} on ${reading(kind)}`;
    throw undecided(later, message, endpointOf(reading(kind)).clause);
  }
}

/** A check: PATCH leaves other fields alone. Judged are those that the run sent and saw before the change. */
export const judgeKept =
  (kind: Kind): Check =>
  async (session, tally) => {
    const change = (await recordStory(session, kind)).change();
    const { answer, later } = change;
    assertBodyAccepted(change, kind);
    if (!isSuccess(answer)) {
      const message = `Cannot check which fields an update keeps: it got ${describeAnswer(answer)}`;
      throw undecided(answer, message, endpointOf(changing(kind)).clause);
    }
    assertRecordShown(change, kind);
    const { before, kept } = fieldsToKeep(change);
    if (before.length === 0) {
      throw new Inconclusive({
        message: `Only the changed field of the ${nounOf(kind)} was sent on creation and seen before the change`,
        advice: `Add a change of another field that reads show to your BODIES file: {"${changing(kind)}":{"FIELD":"{{run}}"}}`,
        blames: endpointOf(reading(kind)).clause,
      });
    }
    tally.judge(
      ...before.map((field) =>
        kept.includes(field)
          ? null
          : findingOn(later, {
              message: `Updating ${withArticle(nounOf(kind))} dropped ${field.name}, which the call did not send: ${show(field.value, 60)} is gone in a later read`,
              expected: show(field.value, 60),
              actual: 'absent',
              place: 'body',
            }),
      ),
    );
  };

/**
 * The fields that a read showed before the change as the run had sent them, and that no change named; and those of them
 * whose value the later read shows. A text counts as the deployment stored it; objects are judged by what they hold.
 */
function fieldsToKeep({ record, body, tried, before, later }: Change): Record<'before' | 'kept', readonly Found[]> {
  const changedNames = new Set(walk([body, ...tried]).map(({ name }) => lettersOf(name)));
  const isUnchanged = ({ name }: Found): boolean => !changedNames.has(lettersOf(name)) && !ofAnyChange.test(name);
  const isSame = (one: Found, other: Found): boolean =>
    typeof one.value === 'string'
      ? typeof other.value === 'string' && one.value.length > 1 && isSameText(one.value, other.value)
      : typeof one.value !== 'object' && one.value === other.value && isNamesake(one, other);
  const sent = walk(record.fields).filter(isUnchanged);
  const wasSent = (shown: Found): boolean =>
    typeof shown.value !== 'object' &&
    sent.some((one) => isSame(one, shown) || (isNamesake(one, shown) && mentions(shown.value, record.tag)));
  const shown = valuesOutsideHistory(before.json).filter((one) => isUnchanged(one) && wasSent(one));
  const now = valuesOutsideHistory(later.json).filter(isUnchanged);
  return { before: shown, kept: shown.filter((field) => now.some((one) => isSame(field, one))) };
}

const isNamesake = (one: Found, other: Found): boolean => lettersOf(one.name) === lettersOf(other.name);

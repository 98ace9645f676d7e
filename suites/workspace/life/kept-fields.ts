import { reword } from '../../../common/exact-json.ts';
import { at, type Found, walk } from '../../../common/json.ts';
import { show } from '../../../common/schema.ts';
import { lettersOf, withArticle } from '../../../common/words.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { judged, type Outcome } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn, undecided } from '../../engine/expect.ts';
import { mentions } from '../../reading/own-words.ts';
import { type Body, bodyRefused, refusesBody } from '../../records/bodies.ts';
import { nounOf } from '../../records/collections.ts';
import { ofAnyChange } from '../../records/shown-gone.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { changing, type Readable, reading } from '../kinds.ts';
import { holds, type Plain, tidy } from './changed-fields.ts';
import type { Change } from './changes.ts';
import { valuesOutsideHistory } from './history.ts';
import { recordStory } from './story.ts';

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

/**
 * The values that a change should have left alone. A text counts as the deployment stored it. What was sent for the
 * changed field and for another one, such as an email address, may change in both.
 */
function valuesToKeep({ record, tried, values, before, later }: Change): KeptValue[] {
  const changedNames = new Set(walk(tried).map(({ name }) => lettersOf(name)));
  const sent = walk(record.fields);
  // One text may have been sent under several names, of which a changed one does not count.
  const unchangedIn = ({ json }: Pick<Answer, 'json'>): readonly Found[] =>
    valuesOutsideHistory(json).filter(({ name }) => !changedNames.has(lettersOf(name)));
  const shownBefore = unchangedIn(before);
  const shownLater = unchangedIn(later);
  const hasFollowed = (kept: Plain): boolean =>
    sent.some(({ name, value }) => value === kept && changedNames.has(lettersOf(name))) &&
    shownBefore.some(
      ({ value, pointer }) => value === kept && values.some((one) => holds(at(later.json, pointer), one)),
    );
  // Several fields that were sent may stand in one that is shown.
  const byPlace = new Map<string, KeptValue>();
  for (const { name, value } of sent) {
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
    for (const kept of [value, stored].filter(isPlain)) {
      const shown = shownBefore.find(isSame(kept));
      if (shown !== undefined) {
        const isKept = shownLater.some(isSame(kept)) || hasFollowed(kept);
        byPlace.set(shown.pointer, { name: shown.name, value: kept, isKept });
        break;
      }
    }
  }
  return [...byPlace.values()];
}

const isPlain = (value: unknown): value is Plain => ['string', 'number', 'boolean'].includes(typeof value);

/** Throws Inconclusive where no body was accepted: a change may need what only reads show, such as a version. */
export function assertBodyAccepted({ answer, before, body, record, isUsers }: Change, kind: Readable): void {
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

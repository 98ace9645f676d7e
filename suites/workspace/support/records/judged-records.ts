import { walk } from '../../../../common/json.ts';
import { show } from '../../../../common/schema.ts';
import { encoded } from '../../../../common/uri.ts';
import { withArticle } from '../../../../common/words.ts';
import { createTally, judged, type Outcome } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer, expectStatus, findingOn, judgeThat } from '../../../engine/expect.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import { idIn, shownIds, sureIdIn } from '../../../session/reading/record.ts';
import type { Session } from '../../../session/session.ts';
import { nounOf } from '../../../shared/collections.ts';
import { bodyRefused, refusesBody } from '../../../shared/complaints/refused-body.ts';
import { creating, type Readable } from '../kinds.ts';
import type { Attempt } from './create.ts';
import { details, isOneOfMany } from './details.ts';

/** A create gets 200 or 201 and a record with an id; a body that is refused decides nothing. */
export function judgeCreated({ answer, kind, collection, id, tag }: Attempt): Outcome {
  const noun = nounOf(kind);
  if (refusesBody(answer)) {
    throw bodyRefused(creating(kind), answer);
  }
  const tally = createTally();
  // Which of the two it is, is a clause of its own.
  tally.judge(
    answer.status === 200 ? null : expectStatus(answer, 201, `Creating ${withArticle(noun)} gets neither 200 nor 201`),
  );
  if (isSuccess(answer)) {
    const isShown = answer.unredacted(({ json, header }) =>
      id === undefined
        ? idIn(json, noun) !== undefined || leadsInto(header('Location'), collection)
        : shows(json, id) || shownIds(json, noun, tag).some((one) => one.id === id) || leadsTo(header('Location'), id),
    );
    const other = answer.unredacted(({ json }) => sureIdIn(json, noun));
    judgeThat(tally, isShown, answer, {
      message: `Created ${noun} has ${other === undefined ? 'no id' : 'another id than is listed'}: the answer is ${show(answer.json ?? answer.text, 200)}`,
      expected: `${withArticle(noun)} with an id`,
      ...(id === undefined ? {} : { actual: `${other ?? 'no id'} (its list shows ${id})` }),
      place: 'body',
    });
  }
  return tally.outcome();
}

/** Whether an answer shows an id that reads or the list have proven, under whatever name, or as the name of the record. */
const shows = (json: unknown, id: string): boolean =>
  walk(json).some(({ name, value }) => String(value) === id || name === id);

/** Whether a Location leads to one record of a collection, whichever that is. */
const leadsInto = (location: string | null, collection: string): boolean =>
  /^\/[^/?#]/.test(location?.split(collection)[1] ?? '');

/** Whether a Location ends with a record's id. */
const leadsTo = (location: string | null, id: string): boolean =>
  location?.split(/[?#]/)[0]?.endsWith(`/${encoded(id)}`) === true;

/** A detail view gets 200 and the record that was asked for. */
export async function judgeRead(session: Session, kind: Readable): Promise<Outcome> {
  const { id, tag, answer } = await details(session, kind);
  const noun = nounOf(kind);
  const shown = answer.unredacted(({ json }) => idIn(json, noun));
  // A view may show no id of its own, and those of others.
  const isRight = shown === id || (tag !== null && mentions(answer.json, tag));
  const isOfMany = answer.unredacted(({ json }) => isOneOfMany(json, noun, { id, tag }));
  return judged(
    expectStatus(answer, 200, `Reading ${withArticle(noun)} does not get 200`) ??
      (isRight && !isOfMany
        ? null
        : findingOn(answer, {
            message: isOfMany
              ? `Reading ${withArticle(noun)} returns a list, in which it stands among others`
              : shown === undefined
                ? `Reading ${withArticle(noun)} returns neither its id ${id} nor what was sent on its creation`
                : `Reading ${withArticle(noun)} returns another one: ${shown} instead of ${id}`,
            expected: id,
            actual: isOfMany ? 'a list' : (shown ?? 'no id'),
            place: 'body',
          })),
  );
}

/** Null where a record's removal succeeded. */
export const notRemoved = (answer: Answer, what: string): Finding | null =>
  isSuccess(answer)
    ? null
    : findingOn(answer, {
        message: `${what}: ${describeAnswer(answer)}`,
        expected: '200 or 201',
        actual: describeAnswer(answer),
      });

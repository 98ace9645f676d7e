import { isObject, type JsonObject, walk } from '../../../../common/json.ts';
import { show } from '../../../../common/schema.ts';
import { withArticle } from '../../../../common/words.ts';
import { workspaceEndpoints } from '../../../../contract/workspace-endpoints.ts';
import { createTally, judged, type Outcome, type Tally } from '../../../../results/outcome.ts';
import { describeAnswer, expectStatus, findingOn, judgeThat } from '../../../engine/expect.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import { idIn, namedIdIn, namedIdsOf, shownIds } from '../../../session/reading/shown-ids.ts';
import type { Session } from '../../../session/session.ts';
import { nounOf, readingOf } from '../../../shared/collections.ts';
import { bodyRefused, refusesBody } from '../../../shared/complaints/refused-body.ts';
import { locatedId } from '../../../shared/ids/answer-ids.ts';
import { creating, type Readable } from '../kinds.ts';
import type { Attempt, Created } from './create.ts';
import { details, isOneOfMany, isViewOf } from './details.ts';

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
    const located = locatedId({ answer, collection });
    const isShown = answer.unredacted(({ json }) =>
      id === undefined
        ? (idIn(json, noun) ?? located) !== undefined
        : shows(json, id) || shownIds(json, noun, tag).some((one) => one.id === id) || located === id,
    );
    const other = answer.unredacted(({ json }) => namedIdIn(json, noun));
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
  walk(json).some(({ value }) => String(value) === id || (isObject(value) && Object.hasOwn(value, id)));

/** A detail view gets 200 and the record that was asked for. */
export async function judgeRead(session: Session, kind: Readable): Promise<Outcome> {
  const { id, tag, answer } = await details(session, kind);
  const noun = nounOf(kind);
  const shown = answer.unredacted(({ json }) => idIn(json, noun));
  const isOfMany = answer.unredacted(({ json }) => isOneOfMany(json, noun, { id, tag }));
  return judged(
    expectStatus(answer, 200, `Reading ${withArticle(noun)} does not get 200`) ??
      (isViewOf(answer, noun, { id, tag }) && !isOfMany
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

/** A record whose deletion was tried, and its row in the list before, as far as it is known. */
interface Tried {
  readonly record: Created;
  readonly row: JsonObject | undefined;
  readonly answer: Answer;
}

/** A deletion succeeds. Not found, it decides nothing where no field is surely called an id, and no read has proven one. */
export function judgeDeletion(tally: Tally, { record, row, answer }: Tried, what: string): void {
  const actual = describeAnswer(answer);
  const finding = findingOn(answer, { message: `${what}: ${actual}`, expected: '200 or 201', actual });
  if (isSuccess(answer)) {
    tally.judge(null);
  } else if ((answer.status === 404 || answer.status === 400) && !isCalledId({ record, row })) {
    tally.leaveOpen({
      ...finding,
      cause: `No field of it is surely called its id: ${record.id} may be something else`,
    });
  } else {
    tally.judge(finding);
  }
}

/** Whether a record goes by an id that reads take, or that the answer to its create or its row calls one. */
function isCalledId({ record, row = {} }: Pick<Tried, 'record' | 'row'>): boolean {
  const { kind, id, otherIds, aliases, answer } = record;
  const isAmong = (ids: readonly string[]): boolean => [id, ...otherIds].some((one) => ids.includes(one));
  const isTold = !isObject(answer.payload) || locatedId(record) === id || isAmong(aliases);
  return (
    readingOf(workspaceEndpoints, record.collection) !== undefined || isTold || isAmong(namedIdsOf(row, nounOf(kind)))
  );
}

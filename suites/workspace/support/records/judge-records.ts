import { isObject, type JsonObject, scalarText, walk } from '../../../../common/json.ts';
import { show } from '../../../../common/schema.ts';
import { withArticle } from '../../../../common/words.ts';
import { workspaceEndpoints } from '../../../../contract/workspace-endpoints.ts';
import { createTally, judged, type Outcome, type Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { expectStatus, findingOn, judgeThat } from '../../../engine/expect.ts';
import { idIn, namedIdIn, namedIdsOf, shownIds } from '../../../reading/shown-ids.ts';
import { refusesGuess } from '../../../records/bodies.ts';
import { locatedId } from '../../../records/candidates.ts';
import { nounOf, readingOf } from '../../../records/collections.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import type { Readable } from '../kinds.ts';
import { type Attempt, type Created, refusedCreate } from './create.ts';
import { detailView, isListWithRecord, showsRecord } from './details.ts';

/** A create gets 200 or 201 and a record with an id. Throws Inconclusive where the body is refused. */
export function judgeCreated(attempt: Attempt): Outcome {
  const { answer, kind, collection, id, tag, listedId } = attempt;
  const noun = nounOf(kind);
  if (refusesGuess(answer, attempt.recipe)) {
    throw refusedCreate(attempt);
  }
  const tally = createTally();
  // Whether 200 or 201 is judged by workspace.responses.created-status.
  tally.judge(expectStatus(answer, [200, 201], `Creating ${withArticle(noun)}`));
  if (isSuccess(answer)) {
    const located = locatedId({ answer, collection });
    const isIdShown = answer.unredacted(({ json }) => {
      const shown = shownIds(json, noun, tag);
      return id === undefined
        ? (idIn(json, noun) ?? located) !== undefined || shown.some(({ standing }) => standing === 'alone')
        : mentionsId(json, id) || shown.some((one) => one.id === id) || located === id;
    });
    const isIdRight = isIdShown && listedId === undefined;
    const otherId = answer.unredacted(({ json }) => namedIdIn(json, noun));
    judgeThat(tally, isIdRight, answer, {
      message: `Created ${noun} has ${otherId === undefined ? 'no id' : 'another id than is listed'}: the answer is ${show(answer.json ?? answer.text, 200)}`,
      expected: `${withArticle(noun)} with an id`,
      ...(id === undefined ? {} : { actual: `${otherId ?? 'no id'} (its list shows ${listedId ?? id})` }),
      place: 'body',
    });
  }
  return tally.outcome();
}

/** Whether the id, which reads or the list have proven, is a value or a name of a field anywhere. */
const mentionsId = (json: unknown, id: string): boolean =>
  walk(json).some(({ value }) => scalarText(value) === id || (isObject(value) && Object.hasOwn(value, id)));

/** A detail view gets 200 and the record that was asked for. */
export async function judgeRead(session: Session, kind: Readable): Promise<Outcome> {
  const view = await detailView(session, kind);
  const finding = expectStatus(view.answer, 200, `Reading ${withArticle(nounOf(kind))}`);
  return judged(finding ?? wrongView(view, nounOf(kind)));
}

function wrongView(view: Awaited<ReturnType<typeof detailView>>, noun: string): Finding | null {
  const { id, tag, answer } = view;
  const shownId = answer.unredacted(({ json }) => idIn(json, noun));
  const isList = answer.unredacted(({ json }) => isListWithRecord(json, noun, { id, tag }));
  if (showsRecord(answer, noun, view) && !isList) {
    return null;
  }
  let how = `another one: ${shownId} instead of ${id}`;
  if (isList) {
    how = 'a list in which it is one of several';
  } else if (shownId === undefined) {
    how = `neither its id ${id} nor what was sent on its creation`;
  }
  return findingOn(answer, {
    message: `Reading ${withArticle(noun)} returns ${how}`,
    expected: id,
    actual: isList ? 'a list' : (shownId ?? 'no id'),
    place: 'body',
  });
}

/** A deletion that was tried. */
interface TriedDeletion {
  readonly record: Created;
  /** The record's row before, as far as it is known. */
  readonly row: JsonObject | undefined;
  readonly answer: Answer;
}

/** A deletion succeeds; `what` begins the finding. A 404 or 400 decides nothing where the record's id may be no id. */
export function judgeDeletion(tally: Tally, { record, row, answer }: TriedDeletion, what: string): void {
  const actual = describeAnswer(answer);
  const finding = findingOn(answer, { message: `${what}: ${actual}`, expected: '200 or 201', actual });
  if (isSuccess(answer)) {
    tally.judge(null);
  } else if ((answer.status === 404 || answer.status === 400) && !isSurelyId({ record, row })) {
    tally.leaveOpen({
      ...finding,
      cause: `No field is clearly its id: ${record.id} may be something else`,
    });
  } else {
    tally.judge(finding);
  }
}

/** Whether a record's id is surely one: reads take it, or the answer to its create or its row calls it one. */
function isSurelyId({ record, row = {} }: Omit<TriedDeletion, 'answer'>): boolean {
  const { kind, id, aliases, answer } = record;
  return (
    readingOf(workspaceEndpoints, record.collection) !== undefined ||
    !isObject(answer.payload) ||
    locatedId(record) === id ||
    aliases.includes(id) ||
    namedIdsOf(row, nounOf(kind)).includes(id)
  );
}

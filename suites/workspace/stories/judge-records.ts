import { type Found, scalarText, walk } from '../../../common/json.ts';
import { show, withArticle } from '../../../common/words.ts';
import { endpointOf, isEndpoint } from '../../../contract/endpoints.ts';
import type { Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { atMoment, type Check, resultOrNull, runStage, stageOrNull } from '../../engine/check.ts';
import { expectStatus, findingOn, judgeThat } from '../../engine/expect.ts';
import { mentions, standsIn } from '../../reading/own-words.ts';
import { idIn, idsOf, isUnguessable, mayHoldId, shownIds, showsId } from '../../reading/record.ts';
import { findMainList } from '../../reading/rows.ts';
import { signingSecretsIn } from '../../reading/shown-secrets.ts';
import { assertNotFull, refusesGuess, saysFullInWords } from '../../records/bodies.ts';
import { adviceOnId, locatedId } from '../../records/candidates.ts';
import { isOnlyInactive, judgeCreatedListed, judgeMadeOnce, judgeNotListed } from '../../records/listed-records.ts';
import { timeToSettle } from '../../records/own.ts';
import { nounOf, read } from '../../records/reads.ts';
import { judgeTaken } from '../../records/taken.ts';
import { type Answer, isSuccess } from '../../session/call.ts';
import { type Session, send } from '../../session/session.ts';
import { judgeRefusal } from '../../shared/refusals/refusals.ts';
import { storyOf } from '../events/webhook-story.ts';
import { type Attempt, type Kind, listing, reading, refusedCreate } from '../records/creating.ts';
import { firstOf } from '../records/run-records.ts';
import { type Deletion, type DetailView, detailView, recordStory } from './record-story.ts';

/** A create gets 200 or 201 and a record with an id. Throws Inconclusive where the body is refused. */
function judgeCreated(tally: Tally, attempt: Attempt): void {
  const { answer, kind, id } = attempt;
  const noun = nounOf(kind);
  if (refusesGuess(answer, attempt.recipe)) {
    throw refusedCreate(attempt);
  }
  assertNotFull(answer, noun, saysFullInWords);
  // Whether 200 or 201 is judged by workspace.responses.created-status.
  tally.judge(expectStatus(answer, [200, 201], `Creating ${withArticle(noun)}`));
  if (isSuccess(answer)) {
    const which = id === undefined ? '' : `, which its list shows as ${id}`;
    judgeThat(tally, showsOwnId(attempt, noun), answer, {
      message: `The answer to a create does not show the id of the ${noun}${which}: ${show(answer.json ?? answer.text, 200)}`,
      expected: `${withArticle(noun)} with an id`,
      actual: answer.unredacted(({ json }) => idIn(json, noun)) ?? 'no id',
      place: 'body',
    });
  }
}

/**
 * Whether the answer to a create shows the record's id or, where that is not known, what may be it: the document does
 * not show what ids are called. That is a field that may be called so, or any value that nobody can guess, that was not
 * sent and is no secret. A known one of digits alone could be a count or a page: it counts in the fields of ids alone.
 */
function showsOwnId({ answer, id, collection, tag, body }: Attempt, noun: string): boolean {
  const located = locatedId(answer, collection);
  return answer.unredacted(({ json }) => {
    const shown = [...shownIds(json, noun, tag).map((one) => one.id), ...(located === undefined ? [] : [located])];
    const known = `${JSON.stringify(body)} ${signingSecretsIn(json).join(' ')}`;
    const mayBeId = ({ name, value }: Found): boolean => {
      const text = scalarText(value) ?? '';
      if (id === undefined) {
        return text !== '' && (mayHoldId(name) || (isUnguessable(text) && !known.includes(text)));
      }
      return /\D/.test(id) ? text.includes(id) : text === id && mayHoldId(name);
    };
    return (id === undefined ? shown.length > 0 : shown.includes(id)) || walk(json).some(mayBeId);
  });
}

/** A check: the create of the record that most clauses use and, where that was accepted, of the one beside it. */
export const judgeCreates =
  (kind: Kind): Check =>
  async (session, tally) => {
    const story = await resultOrNull(storyOf(session, kind));
    const made =
      story === null ? [await firstOf(session, kind)] : [story.first, stageOrNull(story.second) ?? []].flat();
    for (const one of made) {
      judgeCreated(tally, one);
    }
    const again = made.find(({ id }, index) => id !== undefined && made.slice(0, index).some((one) => one.id === id));
    if (again !== undefined) {
      const noun = nounOf(kind);
      const actual = `the id of the first, ${again.id}`;
      const message = `Creating a second ${noun} got ${actual}`;
      tally.judge(findingOn(again.answer, { message, expected: `another ${noun}`, actual, place: 'body' }));
    }
    const listed = story && stageOrNull(story.listed);
    judgeMadeOnce(session, tally, listed?.first, made[0] as Attempt);
  };

/** A check: a detail view gets 200 and the record that was asked for, for each record of the story. */
export const judgeRead =
  (kind: Kind): Check =>
  async (session, tally) => {
    const main = await detailView(session, kind);
    const story = await resultOrNull(recordStory(session, kind));
    const views = story === null ? [main] : story.views().map(({ record, answer }) => ({ ...record, answer }));
    tally.judge(
      ...views.map(
        (view) =>
          expectStatus(view.answer, 200, `Reading ${withArticle(nounOf(kind))}`) ?? wrongView(view, nounOf(kind)),
      ),
    );
  };

function wrongView(view: DetailView, noun: string): Finding | null {
  const { id, answer } = view;
  const shownId = answer.unredacted(({ json }) => idIn(json, noun));
  const isList = answer.unredacted(({ json }) => isListWithRecord(json, noun, view));
  if (showsRecord(answer, noun, view) && !isList) {
    return null;
  }
  const other = shownId === undefined ? `neither its id nor what was sent on its creation` : `another one, ${shownId}`;
  return findingOn(answer, {
    message: `Reading ${withArticle(noun)} by its id ${id} returns ${isList ? 'a list in which it is one of several' : other}`,
    expected: id,
    actual: isList ? 'a list' : (shownId ?? 'no id'),
    place: 'body',
  });
}

/** A check: a list gets 200 and shows both records. Where the run may not write, only the status is judged. */
export const judgeListed =
  (kind: Kind): Check =>
  async (session, tally) => {
    const told = await runStage(() => storyOf(session, kind));
    const story = stageOrNull(told);
    const page = story === null ? await read(session, listing(kind)) : story.listed().first.first;
    const finding = expectStatus(page, 200, `Listing ${kind}`);
    if (finding === null) {
      await tally.part(() => {
        const { first, second, listed } = told();
        judgeCreatedListed(tally, listed().first, first);
        const other = listed().second;
        if (other?.isComplete && isSuccess(other.first)) {
          judgeCreatedListed(tally, other, second());
        }
      });
    }
    // Where no record was made although the run may write, the status proves little.
    if (finding !== null || tally.outcome().undecided.length === 0) {
      tally.judge(finding);
    }
  };

type Shown = Omit<DetailView, 'answer'>;

/** Whether a view shows the record: by its id or, since a view may show none, or the ids of others, by its words. */
export const showsRecord = (answer: Answer, noun: string, { id, tag }: Shown): boolean =>
  answer.unredacted(({ json }) => {
    const shown = idIn(json, noun);
    return shown === id || (tag === null ? shown === undefined || showsId(json, id) : mentions(answer.json, tag));
  });

/** Whether a view is a list instead: the record's id and words are in one of several rows, and nowhere else. */
function isListWithRecord(json: unknown, noun: string, { id, tag }: Shown): boolean {
  const { pointer = '', rows = [] } = findMainList(json, noun) ?? {};
  const isOfRecord = (value: unknown): boolean =>
    scalarText(value) === id || (tag !== null && typeof value === 'string' && standsIn(value, tag));
  return (
    rows.length > 1 &&
    rows.every((row) => idsOf(row, noun).length > 0) &&
    walk(json).every(({ value, pointer: place }) => place.startsWith(`${pointer}/`) || !isOfRecord(value))
  );
}

/** A check: DELETE succeeds; that record and no other is then gone or, if it is a booking, cancelled, and stays so. */
export const judgeDeletes = (kind: Kind): Check =>
  atMoment('badKeys', async (session, tally) => {
    const deletion = (await storyOf(session, kind)).deletion();
    const { record, answer, before, later, search, isGone } = deletion;
    if (!judgeDeletion(tally, deletion)) {
      return;
    }
    if (later !== null) {
      await judgeNotFound(session, tally, deletion, later);
    } else if (!before.isShown) {
      const message = `Cannot tell whether a deleted ${nounOf(kind)} is gone: ${listing(kind)} did not show it before`;
      tally.leaveOpen(findingOn(search.first, { message, blames: endpointOf(listing(kind)).clause }));
    }
    judgeNotListed(tally, search, record, before);
    if (kind === 'webhooks' && search.row !== undefined && isOnlyInactive(search.row, before.row)) {
      const message = `The removed webhook is only deactivated: ${record.id} is listed as inactive`;
      tally.judge(findingOn(search.last, { message, expected: 'removed', actual: 'deactivated', place: 'body' }));
    }
    if (later !== null && isGone) {
      // Once KEY_SETTLE_MS has passed, and most of a run is over, no read shows it again.
      await session.until('badKeys');
      await session.clock.sleep(timeToSettle(session, answer));
      // One of a few instances may have it in a cache of its own.
      const looks = [1, 2].map(() => send(session, reading('agents'), { id: record.id }));
      await tally.each(looks, async (look) => judgeNotFound(session, tally, deletion, await look));
    }
  });

/** Judges that a deletion succeeds, and takes no other record along; gives whether it succeeded. */
function judgeDeletion(tally: Tally, deletion: Deletion): boolean {
  const { record, answer } = deletion;
  const { id, collection, aliases } = record;
  const isRead = isEndpoint(`GET ${collection}/:id`);
  const isClear =
    locatedId(record.answer, collection) === id || (aliases.includes(id) && (aliases.length === 1 || isRead));
  const finding = expectStatus(answer, [200, 201], `Deleting a record of ${collection}`);
  if (isSuccess(answer)) {
    judgeTaken(tally, deletion);
  } else if (finding !== null && [400, 404].includes(answer.status) && !isClear) {
    const cause = `No field is clearly its id: ${id} may be something else`;
    tally.leaveOpen({ ...finding, cause, advice: adviceOnId(collection, record.answer, record.tag) });
  } else {
    tally.judge(finding);
  }
  return isSuccess(answer);
}

/** Reading a deleted record gets 404, beside one that exists. Left open where its id may now be that of another. */
async function judgeNotFound(session: Session, tally: Tally, { record }: Deletion, probe: Answer): Promise<void> {
  const endpoint = endpointOf(reading('agents'));
  if (isSuccess(probe) && !isUnguessable(record.id) && !mentions(probe.json, record.tag)) {
    const message = `Cannot tell whether a deleted agent is gone: reading ${record.id} shows another one`;
    tally.leaveOpen(findingOn(probe, { message, blames: endpoint.clause }));
    return;
  }
  const { answer: twin } = await detailView(session, 'agents');
  judgeRefusal(tally, { probe, twin, endpoint, status: 404, what: 'Reading a deleted agent' });
}

import { hasValue, walk } from '../../../common/json.ts';
import { show } from '../../../common/schema.ts';
import { encoded } from '../../../common/uri.ts';
import { withArticle } from '../../../common/words.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import type { Kind } from '../../../fixtures/workspace-bodies.ts';
import { createTally, judged, type Outcome, type Tally } from '../../../results/outcome.ts';
import { Inconclusive, Skipped } from '../../../results/stop.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeAnswer, expectStatus, findingOn, undecided } from '../../engine/expect.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { idIn, mentions, recordIn, shownIds, sureIdIn } from '../../session/record.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../../shared/collections.ts';
import { refusesBody } from '../../shared/complaint.ts';
import { judgeShown } from '../../shared/created.ts';
import { type ListSearch, lookUntil } from '../../shared/list-search.ts';
import { pagesIn } from '../../shared/looks.ts';
import { read } from '../../shared/reads.ts';
import { isGarbled, type Plain } from './change-candidates.ts';
import { changedBeside } from './changed-beside.ts';
import { changed, keptValues, missingIn } from './changes.ts';
import { type Attempt, assertCreated, bodyRefused, type Created } from './create.ts';
import { agentDeleted } from './deletions.ts';
import { details, isOneOfMany } from './details.ts';
import { changing, creating, listing, type Readable, reading } from './kinds.ts';
import { listedTogether } from './listed-together.ts';
import { agentsDeletionIsJudged } from './second-agent.ts';
import { whenDone } from './when-done.ts';

/** A create gets 200 or 201 and a record with an id; a body that is refused decides nothing. */
export function judgeCreated({ answer, kind, id, tag }: Attempt): Outcome {
  const noun = nounOf(kind);
  if (refusesBody(answer)) {
    throw new Inconclusive(bodyRefused(answer, creating(kind)));
  }
  const tally = createTally();
  // Which of the two it is, is a clause of its own.
  tally.judge(
    answer.status === 200 ? null : expectStatus(answer, 201, `Creating ${withArticle(noun)} gets neither 200 nor 201`),
  );
  if (isSuccess(answer)) {
    const isShown = answer.unredacted(({ json, header }) =>
      id === undefined
        ? idIn(json, noun) !== undefined
        : shows(json, id) || shownIds(json, noun, tag).some((one) => one.id === id) || leadsTo(header('Location'), id),
    );
    const other = answer.unredacted(({ json }) => sureIdIn(json, noun));
    tally.judge(
      isShown
        ? null
        : findingOn(answer, {
            message: `Created ${noun} has ${other === undefined ? 'no id' : 'another id than is listed'}: the answer is ${show(answer.json ?? answer.text, 200)}`,
            expected: `${withArticle(noun)} with an id`,
            ...(id === undefined ? {} : { actual: `${other ?? 'no id'} (its list shows ${id})` }),
            place: 'body',
          }),
    );
  }
  return tally.outcome();
}

/** Whether an answer shows an id that reads or the list have proven, under whatever name, or as the name of the record. */
const shows = (json: unknown, id: string): boolean =>
  walk(json).some(({ name, value }) => String(value) === id || name === id);

/** Whether a Location ends with a record's id. */
const leadsTo = (location: string | undefined | null, id: string): boolean =>
  location?.split(/[?#]/)[0]?.endsWith(`/${encoded(id)}`) === true;

/** A list gets 200 and shows a created record; without writes, its first page is judged alone. */
export async function judgeListed(session: Session, kind: Kind, attempt: () => Promise<Attempt>): Promise<Outcome> {
  const tally = createTally();
  let record: Created;
  try {
    record = assertCreated(await attempt());
  } catch (error) {
    const page = await read(session, listing(kind));
    if (error instanceof Skipped) {
      tally.judge(notListed(page, kind));
      const message = `Whether a created ${nounOf(kind)} is listed: ${error.message}`;
      tally.skip({ ...error.finding, message });
    } else if (error instanceof Inconclusive && page.status !== 200) {
      tally.judge(notListed(page, kind));
    } else {
      throw error;
    }
    return tally.outcome();
  }
  const isPaired = kind === 'bookings' || kind === 'webhooks';
  const { first: search, second = null } = isPaired
    ? await listedTogether(session, kind)
    : { first: await listedWhenDone(session, kind, record) };
  tally.judge(notListed(search.first, kind));
  if (search.first.status === 200) {
    judgeShown(tally, search, record);
    if (second?.search.isComplete && isSuccess(second.search.first)) {
      judgeShown(tally, second.search, second.record);
    }
    if (kind === 'agents' && search.isShown && agentsDeletionIsJudged(session)) {
      await judgeBesideDeleted(session, tally);
    }
  }
  return tally.outcome();
}

/** The first agent was listed while the one that was deleted stood beside it. */
async function judgeBesideDeleted(session: Session, tally: Tally): Promise<void> {
  const deletion = await resultOrNull(agentDeleted(session));
  if (deletion?.stood?.isComplete && isSuccess(deletion.stood.first)) {
    judgeShown(tally, deletion.stood, deletion.other);
  }
}

/** Where a record stands in its list once it was changed. Throws Inconclusive where it may be the change that took it away. */
async function listedWhenDone(session: Session, kind: Readable, record: Created): Promise<ListSearch> {
  const { will, change } = await whenDone(session, kind);
  const search = await lookUntil(session, record, ({ isShown }) => isShown, { will });
  if (!search.isShown && change !== null && isSuccess(change.answer)) {
    if (!isSuccess(change.later)) {
      const message = `Whether a created ${nounOf(kind)} is listed is unknown: since its change it cannot be read either`;
      throw undecided(change.later, message, endpointOf(changing(kind)).clause);
    }
    // The change may have taken the words by which its row was known.
    const pages = await pagesIn(session, listing(kind), () => true);
    const isNamed = pages.some((page) => page.unredacted(({ json }) => hasValue(json, record.id)));
    return { ...search, isShown: isNamed };
  }
  return search;
}

const notListed = (answer: Answer, kind: Kind): Finding | null =>
  expectStatus(answer, 200, `Listing ${kind} does not get 200`);

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

/** PATCH gets 200, a later read shows the change, and the list shows it at no other record. */
export async function judgeChanged(session: Session, kind: Readable): Promise<Outcome> {
  const change = await changedBeside(session, kind);
  const { answer, later, values, beside } = change;
  const noun = nounOf(kind);
  if (refusesBody(answer)) {
    throw new Inconclusive(bodyRefused(answer, changing(kind)));
  }
  if (answer.status !== 200) {
    return judged(expectStatus(answer, 200, `Updating ${withArticle(noun)} does not get 200`));
  }
  if (later.status === 404 && isSuccess(change.before)) {
    const what = `Changed ${noun} is not found any more under its id`;
    return judged(expectStatus(later, 200, what, 'A change makes another record in its place'));
  }
  if (!isSuccess(later) || recordIn(later.json, noun) === undefined) {
    const message = `Change of ${withArticle(noun)} cannot be checked: ${describeAnswer(later)} on ${reading(kind)}`;
    throw undecided(later, message, endpointOf(reading(kind)).clause);
  }
  const [missing] = missingIn(later, values);
  return judged(
    beside === undefined
      ? null
      : findingOn(beside.answer, {
          message: `Changing one ${noun} changes another too: ${idIn(beside.row, noun) ?? 'one without an id'} beside ${change.record.id}`,
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

/** PATCH leaves the fields alone that it does not name: those that the run sent and saw before. */
export async function judgeKept(session: Session, kind: Readable): Promise<Outcome> {
  const change = await changed(session, kind);
  const { answer, later } = change;
  if (refusesBody(answer)) {
    throw new Inconclusive(bodyRefused(answer, changing(kind)));
  }
  if (!isSuccess(answer) || !isSuccess(later)) {
    const [failed, call] = isSuccess(answer) ? [later, reading(kind)] : [answer, changing(kind)];
    const message = `What a change leaves alone cannot be checked: ${describeAnswer(failed)} on ${call}`;
    throw undecided(failed, message, endpointOf(call).clause);
  }
  const values = keptValues(change);
  if (values.length === 0) {
    throw new Inconclusive({
      message: `Only the changed field of the ${nounOf(kind)} was sent on creation and seen before the change`,
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

/** Null where a record's removal succeeded. */
export const notRemoved = (answer: Answer, what: string): Finding | null =>
  isSuccess(answer)
    ? null
    : findingOn(answer, {
        message: `${what}: ${describeAnswer(answer)}`,
        expected: '200 or 201',
        actual: describeAnswer(answer),
      });

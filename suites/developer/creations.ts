import { endpointOf } from '../../contract/endpoints.ts';
import type { Tally } from '../../results/outcome.ts';
import type { Check } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { undecided } from '../engine/expect.ts';
import { judgePart } from '../engine/parts.ts';
import { shownIds } from '../reading/shown-ids.ts';
import { isUnguessable } from '../reading/unguessable.ts';
import { nounOf } from '../records/collections.ts';
import { begunAfter } from '../records/list-reading.ts';
import { findInList, findInListUntil, type ListSearch, pageShows } from '../records/list-search.ts';
import { judgeCreatedListed, searchBeyondPages } from '../records/listed-records.ts';
import type { Answer } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { acceptedMark, refusedMark } from './calls/bodies.ts';
import { judgeLiveAnswer, withAcceptedTwin } from './calls/succeeds.ts';
import { twinOf, twinWith } from './calls/twins.ts';
import { comparedKeys, keysOfBothEnvironments } from './environments.ts';
import { seedingMayHaveDeleted } from './seeding.ts';

/** What a documented POST created, and whether its list shows it. */
interface Creation {
  readonly answer: Answer;
  /** Words that are in the record. */
  readonly words: string;
  /** The id that the answer shows; undefined: none. */
  readonly id: string | undefined;
  readonly where: 'shown' | 'absent' | 'unknown';
  readonly search: ListSearch;
}

/**
 * A documented POST creates a record, which the GET of its path lists. A refused guess at its body decides nothing, and
 * an accepted one alone neither.
 */
export const creates = (endpoint: string): Check =>
  withAcceptedTwin(endpoint, async (session, tally) => {
    const list = endpoint.replace(/^POST/, 'GET');
    const creation = await listedCreation(session, endpoint, list);
    await judgePart(tally, () => judgeListed(tally, list, creation));
    await judgePart(tally, () => judgeListedLive(session, tally, endpoint, list));
  });

/**
 * A live key creates a record, too, and it is listed, unless it went to the sandbox. Throws Skipped where WRITES
 * forbids it.
 */
async function judgeListedLive(session: Session, tally: Tally, endpoint: string, list: string): Promise<void> {
  const [, writer] = await keysOfBothEnvironments(session, endpoint);
  if (writer === undefined) {
    return;
  }
  const answer = await twinWith(session, endpoint, writer);
  if (!answer.accepted) {
    judgeLiveAnswer(tally, endpoint, answer);
    return;
  }
  const { live, sandbox } = await comparedKeys(session);
  const words = refusedMark(session, writer.environment);
  const creation = await findCreation(session, list, { answer, words, keys: [live.madeOrGiven, writer] });
  const record = { tag: words, id: isUnguessable(creation.id ?? '') ? creation.id : undefined };
  // A record in the other environment, or hidden from one live key alone, is judged by developer.sandbox.isolation.
  const isElsewhere = async (): Promise<boolean> => {
    for (const key of [sandbox.madeOrGiven, ...live.all]) {
      if ((await findInList(session, endpointOf(list).path, record, { key })).isShown) {
        return true;
      }
    }
    return false;
  };
  if (creation.where === 'shown' || (creation.where === 'absent' && !(await isElsewhere()))) {
    judgeListed(tally, list, creation);
  }
}

/** Looks for what the plain call of an endpoint created; makes it once more where seeding may have deleted it. */
export const listedCreation = stepFor(
  (endpoint: string, _list: string) => endpoint,
  async (session, endpoint, list): Promise<Creation> => {
    const { answer, body } = await twinOf(session, endpoint);
    const [reader] = await keysOfBothEnvironments(session, list);
    const sought = { words: acceptedMark(session), keys: [reader, mainKey(session)] } as const;
    const first = await findCreation(session, list, { ...sought, answer });
    if (first.where !== 'absent' || !(await seedingMayHaveDeleted(session, answer))) {
      return first;
    }
    const again = await send(session, endpoint, { body });
    return again.accepted ? findCreation(session, list, { ...sought, answer: again }) : { ...first, where: 'unknown' };
  },
);

/** A created record to look for. */
interface Sought {
  readonly answer: Answer;
  readonly words: string;
  /** The first key reads the list; the second, which created the record, only where the first one does not see it. */
  readonly keys: readonly [reader: ApiKey, creator: ApiKey];
}

/** Looks for a created record in a list, for KEY_SETTLE_MS. */
export async function findCreation(
  session: Session,
  list: string,
  { answer: created, words, keys: [reader, creator] }: Sought,
): Promise<Creation> {
  const noun = nounOf(list);
  const collection = endpointOf(list).path;
  const id = created.unredacted(({ payload }) => shownIds(payload, noun, words)[0]?.id);
  const record = { collection, id, tag: words };
  const options = { key: reader, reuse: begunAfter(session, created) };
  const found = await findInListUntil(session, record, ({ isShown }) => isShown, options);
  const search = found.isShown ? found : await findInList(session, collection, record, { key: creator });
  const { first, last, isShown, isComplete } = search;
  const creation = { answer: created, words, id, search };
  if (isShown || !last.accepted) {
    return { ...creation, where: 'shown' };
  }
  const pages = first === last ? ([first] as const) : ([first, last] as const);
  const beyond = { pages, shows: pageShows(record, noun), key: creator };
  return { ...creation, where: isComplete ? 'absent' : await searchBeyondPages(session, list, beyond) };
}

/** Judges that the list shows what was created. Throws Inconclusive where that is not known. */
function judgeListed(tally: Tally, list: string, { answer, words, id, where, search }: Creation): void {
  const { path: collection, clause } = endpointOf(list);
  const { last } = search;
  const noun = nounOf(list);
  if (!last.accepted) {
    const message = `Cannot tell whether a created ${noun} is listed: ${list} got ${describeAnswer(last)}`;
    throw undecided(last, message, clause);
  }
  const isComplete = id !== undefined && where === 'absent';
  const judged = { ...search, isComplete, isShown: where === 'shown' };
  judgeCreatedListed(tally, judged, {
    collection,
    id: shownIds(answer.payload, noun, words)[0]?.id ?? words,
  });
}

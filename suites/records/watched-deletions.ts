import { endpointOf } from '../../contract/endpoints.ts';
import { createTally, Inconclusive, type Outcome } from '../../results/outcome.ts';
import { atMoment, type Check, judgePart, resultOrNull } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { nounOf } from './collections.ts';
import { begunAfter, type MayReuse } from './list-reading.ts';
import { isShownGone } from './shown-gone.ts';
import { type FirstRows, firstRows, takenBetween } from './taken.ts';

// A deployment whose deletions take records of others along does harm with each that a run sends. So the list is read
// after the first; where others are gone, after the next ones too; and once three have taken as many, no more are sent.

/** The deletions that have to take others, and as many each: somebody else may have deleted one at the same moment. */
const fewest = 3;

/** A deletion that took records that the run did not make. */
interface Taking {
  readonly answer: Answer;
  readonly taken: readonly string[];
}

/** What the first deletions in a collection took. */
interface Watch {
  /** Ends when the deletion before has been looked at. */
  turn: Promise<unknown>;
  readonly takings: Taking[];
  /** The keys, by label, with whose lists the latest deletion took none, or nothing can show whether it did. */
  readonly done: Set<string>;
}

const watchOf = stepFor(
  (collection: string) => collection,
  async (): Promise<Watch> => ({ turn: Promise.resolve(), takings: [], done: new Set() }),
);

/** Where a deletion is made: `maker` is the key whose list shows the record. */
interface Place {
  readonly collection: string;
  readonly maker: ApiKey;
}

/** Sends a deletion; one after the other, as long as it has to be seen what they take. Throws as `remove` does. */
export async function watched(session: Session, place: Place, remove: () => Promise<Answer>): Promise<Answer> {
  const watch = await watchOf(session, place.collection);
  const isDone = (): boolean => watch.done.has(place.maker.label);
  if (isDone()) {
    return remove();
  }
  const deletion = watch.turn.then(() => (isDone() ? remove() : look(session, place, watch, remove)));
  watch.turn = deletion.catch(() => null);
  return deletion;
}

async function look(session: Session, place: Place, watch: Watch, remove: () => Promise<Answer>): Promise<Answer> {
  const { collection, maker: key } = place;
  const { takings, done } = watch;
  // One page: others are read at other moments, between which a deletion moves rows over the border.
  const rows = (reuse: MayReuse): Promise<FirstRows | null> =>
    resultOrNull(firstRows(session, collection, { key, reuse, most: 1 }));
  const before = await rows(() => takings.length === 0);
  const answer = await remove();
  if (!isSuccess(answer)) {
    return answer;
  }
  const after = before && (await rows(begunAfter(session, answer)));
  const list = { collection, isGone: isShownGone };
  const taken = before && after ? takenBetween(session, list, before, after).foreign : [];
  if (taken.length === 0 || (takings[0] !== undefined && takings[0].taken.length !== taken.length)) {
    done.add(key.label);
    return answer;
  }
  takings.push({ answer, taken });
  if (takings.length === fewest) {
    const all = takings.flatMap((one) => one.taken).join(', ');
    session.writeGuard.forbid(collection, {
      message: `The run made and deleted no more ${nounOf(collection)}s: each of ${fewest} deletions took others along (${all})`,
      blames: endpointOf(`DELETE ${collection}/:id`).clause,
    });
  }
  return answer;
}

/**
 * The check of a deletion, which also judges whether deletions in its collection take records that the run did not make.
 * Waits until the run is quiet: whether it was chance that others disappeared with the first, the next ones show.
 */
export const sparingOthers = (collection: string, check: (session: Session) => Promise<Outcome>): Check =>
  atMoment('quiet', async (session) => {
    const tally = createTally();
    await judgePart(tally, async () => tally.add(await check(session)));
    const { takings } = await watchOf(session, collection);
    if (takings.length > 0) {
      await session.until('quiet');
    }
    const [first] = takings;
    if (first === undefined) {
      return tally.outcome();
    }
    const noun = nounOf(collection);
    const all = takings.flatMap(({ taken }) => taken);
    const what = `${first.taken[0]}, which this run did not create, disappeared with the first deletion`;
    if (takings.length === fewest) {
      tally.judge(
        findingOn(first.answer, {
          message: `Deleting one ${noun} removes others: ${what}, and the next two took ${all.length - first.taken.length} more`,
          expected: `only the deleted ${noun} removed`,
          actual: all.join(', '),
        }),
      );
    } else if (tally.outcome().failures.length === 0) {
      const message = `Cannot tell whether deleting one ${noun} removes others: ${what}; somebody else may have deleted it at that moment`;
      throw new Inconclusive(findingOn(first.answer, { message }));
    }
    return tally.outcome();
  });

import { type JsonObject, walk } from '../../common/json.ts';
import { encoded } from '../../common/uri.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { createTally, Inconclusive, type Outcome } from '../../results/outcome.ts';
import { atMoment, type Check, judgePart, resultOrNull } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { showsId } from '../reading/id-fields.ts';
import { mentions } from '../reading/own-words.ts';
import { rowsIn } from '../reading/rows.ts';
import { idsOf } from '../reading/shown-ids.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { nounOf } from './collections.ts';
import { begunAfter, type MayReuse, readPages } from './lists.ts';
import type { Page } from './pages.ts';
import { isShownGone } from './shown-gone.ts';

// Which records disappear with a deletion. The list is read before and after each that is judged, and the first in each
// collection: a deployment whose deletions take records of others along does harm with each that a run sends. Where
// others are gone, the next ones are looked at, too; and once three have taken as many, no more are sent.

/** The deletions that have to take others, and as many each: somebody else may have deleted one at the same moment. */
const fewest = 3;
/** The first pages of a list that show what of the run a deletion takes, or more, up to the page with its record. */
const mostPages = 3;

/** A deletion that is about to be sent. */
interface Deletion {
  readonly collection: string;
  readonly id: string;
  /** The key whose list shows the record. */
  readonly maker: ApiKey;
  /** Whether it is judged: then it must take no other record of the run either. */
  readonly isJudged?: boolean;
}

/** A deletion that took records that the run did not make. */
interface Taking {
  readonly answer: Answer;
  readonly taken: readonly string[];
}

/** A deletion that is judged, with which other records of the run disappeared. */
interface Loss extends Deletion {
  readonly answer: Answer;
  readonly before: FirstRows;
  readonly own: readonly string[];
}

/** What deletions in a collection took. */
interface Watch {
  /** Ends when the deletion before has been looked at. */
  turn: Promise<unknown>;
  readonly takings: Taking[];
  readonly losses: Loss[];
  /** The keys, by label, with whose lists the latest deletion took none of others, or nothing can show whether it did. */
  readonly done: Set<string>;
}

const watchOf = stepFor(
  (collection: string) => collection,
  async (): Promise<Watch> => ({ turn: Promise.resolve(), takings: [], losses: [], done: new Set() }),
);

/** Sends a deletion; one after the other, as long as it has to be seen what they take. Throws as `remove` does. */
export async function watched(session: Session, deletion: Deletion, remove: () => Promise<Answer>): Promise<Answer> {
  const watch = await watchOf(session, deletion.collection);
  const isDone = (): boolean => watch.done.has(deletion.maker.label) && !deletion.isJudged;
  if (isDone()) {
    return remove();
  }
  const looked = watch.turn.then(() => (isDone() ? remove() : look(session, deletion, watch, remove)));
  watch.turn = looked.catch(() => null);
  return looked;
}

async function look(
  session: Session,
  deletion: Deletion,
  { takings, losses, done }: Watch,
  remove: () => Promise<Answer>,
): Promise<Answer> {
  const { collection, maker, isJudged } = deletion;
  const before = await resultOrNull(firstRows(session, deletion, () => takings.length === 0));
  const answer = await remove();
  if (!isSuccess(answer)) {
    return answer;
  }
  const after = before && (await resultOrNull(firstRows(session, deletion, begunAfter(session, answer), before)));
  const { own, foreign } =
    before && after ? takenBetween(session, collection, before, after) : { own: [], foreign: [] };
  if (isJudged && before && own.length > 0) {
    losses.push({ ...deletion, answer, before, own });
  }
  if (foreign.length === 0 || (takings[0] !== undefined && takings[0].taken.length !== foreign.length)) {
    done.add(maker.label);
    return answer;
  }
  takings.push({ answer, taken: foreign });
  if (takings.length === fewest) {
    const all = takings.flatMap((one) => one.taken).join(', ');
    session.writeGuard.forbid(collection, {
      message: `The run made and deleted no more ${nounOf(collection)}s: each of ${fewest} deletions took others along (${all})`,
      blames: endpointOf(`DELETE ${collection}/:id`).clause,
    });
  }
  return answer;
}

/** The records of the run that judged deletions took along, as far as is known by now. */
export async function takenAlong(session: Session, collection: string): Promise<readonly string[]> {
  const { losses } = await watchOf(session, collection);
  return losses.flatMap(({ own }) => own.filter(isKept(session, collection)));
}

/** Whether no call of the run deleted a record, or made it another: a rotated key may get another id. */
function isKept({ records, evidence }: Session, collection: string): (id: string) => boolean {
  const isDeleted = records.deletedIn(collection);
  const isRotated = (id: string): boolean =>
    evidence.exchanges.some(({ request }) => request.url.endsWith(`${collection}/${encoded(id)}/rotate`));
  return (id) => !isDeleted(id) && !isRotated(id);
}

/**
 * The check of a deletion, which also judges whether deletions in its collection take other records, of the run or not.
 * Waits until the run is quiet where any disappeared: whether it was chance that some did with the first, the next ones
 * show; and by then the deletions that were under way are known, and a replica that was behind has caught up.
 */
export const sparingOthers = (collection: string, check: (session: Session) => Promise<Outcome>): Check =>
  atMoment('quiet', async (session) => {
    const tally = createTally();
    await judgePart(tally, async () => tally.add(await check(session)));
    const { takings, losses } = await watchOf(session, collection);
    const [first] = takings;
    if (first !== undefined || (await takenAlong(session, collection)).length > 0) {
      await session.until('quiet');
    }
    const noun = nounOf(collection);
    const mayBeLost = losses.filter(({ own }) => own.some(isKept(session, collection)));
    for (const { before, id, answer, ...loss } of mayBeLost) {
      await judgePart(tally, async () => {
        const now = await firstRows(session, { ...loss, id }, () => false, before);
        const lost = takenBetween(session, collection, before, now).own.filter(isKept(session, collection));
        for (const other of lost) {
          const message = `Deleting ${noun} ${id} also deleted ${noun} ${other}`;
          const [expected, actual] = [`only ${id} deleted`, `${other} deleted as well`];
          tally.judge(findingOn(answer, { message, expected, actual }));
        }
      });
    }
    if (first === undefined) {
      return tally.outcome();
    }
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

/** The rows on the first pages of a list, and whether the last of them says that this is the whole list. */
interface FirstRows {
  readonly pages: readonly (readonly JsonObject[])[];
  readonly isWhole: boolean;
  /** A page was refused, or shows no list: rows that are missing prove nothing. */
  readonly isBroken: boolean;
}

/** Reads the first pages of a list: as many as `before`, or as show what a deletion may take. Throws as the client does. */
async function firstRows(
  session: Session,
  { collection, maker: key, id, isJudged }: Deletion,
  reuse: MayReuse,
  before?: FirstRows,
): Promise<FirstRows> {
  const noun = nounOf(collection);
  const rowsOf = ({ answer }: Page): readonly JsonObject[] | undefined =>
    isSuccess(answer) ? rowsIn(answer.payload, noun) : undefined;
  const showsRecord = (page: Page): boolean => rowsOf(page)?.some((row) => idsOf(row, noun).includes(id)) === true;
  const isEnough = (pages: readonly Page[]): boolean =>
    before === undefined
      ? !isJudged || (pages.length >= mostPages && pages.some(showsRecord))
      : pages.length === before.pages.length;
  const pages = await readPages(session, `GET ${collection}`, {
    key,
    reuse,
    until: (page, all) => rowsOf(page) === undefined || page.complete || isEnough(all),
  });
  const last = pages.at(-1) as Page;
  const isBroken = rowsOf(last) === undefined;
  return { pages: pages.map((page) => rowsOf(page) ?? []), isWhole: last.complete, isBroken };
}

/**
 * The ids of records that a later reading of a list shows as gone, or no longer shows: those of the run, and those of
 * others, which stood on the first page: others are read at other moments, between which deletions move rows over the
 * border. Newer records may move others to pages that are not read: then rows that stood behind these are missing, too.
 */
function takenBetween(
  session: Session,
  collection: string,
  before: FirstRows,
  after: FirstRows,
): Record<'own' | 'foreign', string[]> {
  const noun = nounOf(collection);
  const byId = (rows: readonly JsonObject[]): Map<string, JsonObject> =>
    new Map(
      rows.flatMap((row) =>
        idsOf(row, noun)
          .slice(0, 1)
          .map((id): [string, JsonObject] => [id, row]),
      ),
    );
  const [rowsBefore, rowsAfter] = [before.pages.flat(), after.pages.flat()];
  const [earlier, onFirst, now] = [[...byId(rowsBefore)], byId(before.pages[0] ?? []), byId(rowsAfter)];
  const lastShown = earlier.findLastIndex(([id]) => now.has(id));
  const showsEnd = !after.isBroken && (after.isWhole || rowsAfter.length < rowsBefore.length);
  const gone = earlier.filter(([id, row], at) => {
    const later = now.get(id);
    const isMissing = later === undefined && (showsEnd || at < lastShown);
    return !isShownGone(row) && (isMissing || (later !== undefined && isShownGone(later)));
  });
  const made = session.ledger.all().filter((entry) => entry.collection === collection);
  // A counted id may stand in rows of others: there the words decide.
  const ownId = (row: JsonObject): string | undefined =>
    made.find(({ id, tag }) => id !== undefined && idsOf(row, noun).includes(id) && mentions(row, tag))?.id;
  // A run of the suite deletes its records itself: they have its word.
  const isOfAnyRun = (row: JsonObject): boolean =>
    walk(row).some(({ value }) => typeof value === 'string' && /\bconformance\b/i.test(value)) ||
    made.some(
      ({ id, answeredIds = [], tag }) =>
        mentions(row, tag) || [id ?? [], answeredIds].flat().some((one) => showsId(row, one)),
    );
  return {
    own: gone.flatMap(([, row]) => ownId(row) ?? []),
    foreign: gone.flatMap(([id, row]) => (!onFirst.has(id) || isOfAnyRun(row) ? [] : [id])),
  };
}

import { type JsonObject, walk } from '../../common/json.ts';
import { encoded } from '../../common/uri.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { createTally, Inconclusive } from '../../results/outcome.ts';
import { atMoment, type Check, judgePart, resultOrNull } from '../engine/check.ts';
import { findingOn } from '../engine/expect.ts';
import { mentions } from '../reading/own-words.ts';
import { idsOf, showsId } from '../reading/record.ts';
import { rowsIn } from '../reading/rows.ts';
import { type Answer, type ApiKey, isSuccess } from '../session/call.ts';
import { type Session, stepFor } from '../session/session.ts';
import { begunAfter, type MayReuse, nounOf, readPages, readUntil } from './lists.ts';
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

/** A deletion with which other records disappeared: of the run, where it is judged, and of others. */
interface Loss extends Taken {
  readonly id: string;
  readonly answer: Answer;
}

type Taken = Readonly<Record<'own' | 'foreign', readonly string[]>>;

const none: Taken = { own: [], foreign: [] };

/** What deletions in a collection took. */
interface Watch {
  /** Ends when the deletion before has been looked at. */
  turn: Promise<unknown>;
  readonly losses: Loss[];
  /** The keys, by label, in whose lists the latest deletion took none of others, or nothing shows whether it did. */
  readonly done: Set<string>;
}

const watchOf = stepFor(
  (collection: string) => collection,
  async (): Promise<Watch> => ({ turn: Promise.resolve(), losses: [], done: new Set() }),
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
  { losses, done }: Watch,
  remove: () => Promise<Answer>,
): Promise<Answer> {
  const { collection, id, maker, isJudged } = deletion;
  const isFirst = takingsIn(losses).length === 0;
  const before = await resultOrNull(firstRows(session, deletion, () => isFirst));
  const answer = await remove();
  if (!isSuccess(answer)) {
    return answer;
  }
  const read = async (attempt: number): Promise<Taken> => {
    const reuse = attempt === 0 ? begunAfter(session, answer) : () => false;
    const after = before && (await firstRows(session, deletion, reuse, before));
    const { own, foreign } = before && after ? takenBetween(session, collection, before, after) : none;
    return { own: isJudged ? own.filter(keptIn(session, collection)) : [], foreign };
  };
  // A replica may be behind.
  const isNothing = ({ own, foreign }: Taken): boolean => own.length + foreign.length === 0;
  const taken = (await resultOrNull(readUntil(session, read, isNothing))) ?? none;
  const { foreign } = taken;
  losses.push({ id, answer, ...taken });
  const takings = takingsIn(losses);
  if (foreign.length === 0 || takings[0]?.foreign.length !== foreign.length) {
    done.add(maker.label);
  } else if (takings.length === fewest) {
    const all = takings.flatMap((one) => one.foreign).join(', ');
    session.writeGuard.forbid(collection, {
      message: `The run made and deleted no more ${nounOf(collection)}s: each of ${fewest} deletions took others along (${all})`,
      blames: endpointOf(`DELETE ${collection}/:id`).clause,
    });
  }
  return answer;
}

/** The deletions that took records that the run did not make, as many each as the first. */
const takingsIn = (losses: readonly Loss[]): readonly Loss[] => {
  const takings = losses.filter(({ foreign }) => foreign.length > 0);
  return takings.filter(({ foreign }) => foreign.length === takings[0]?.foreign.length);
};

/** The losses of the run's own records by judged deletions, as far as is known by now: no other call ended these. */
async function ownLosses(session: Session, collection: string): Promise<readonly Loss[]> {
  const { losses } = await watchOf(session, collection);
  const isKept = keptIn(session, collection);
  return losses.map((loss) => ({ ...loss, own: loss.own.filter(isKept) })).filter(({ own }) => own.length > 0);
}

/** The records of the run that judged deletions took along, as far as is known by now. */
export const takenAlong = async (session: Session, collection: string): Promise<readonly string[]> =>
  (await ownLosses(session, collection)).flatMap(({ own }) => own);

/** Whether no call of the run deleted a record, or made it another: a rotated key may get another id. */
function keptIn({ records, evidence }: Session, collection: string): (id: string) => boolean {
  const isDeleted = records.deletedIn(collection);
  const isRotated = (id: string): boolean =>
    evidence.exchanges.some(({ request }) => request.url.endsWith(`${collection}/${encoded(id)}/rotate`));
  return (id) => !isDeleted(id) && !isRotated(id);
}

/**
 * The check of a deletion, which also judges whether deletions in its collection take other records, of the run or not.
 * Waits until the run is quiet where any disappeared: whether it was chance that some did with the first, the next ones
 * show; and by then the deletions that were under way are known.
 */
export const sparingOthers = (collection: string, check: Check): Check =>
  atMoment('quiet', async (session, tally) => {
    await judgePart(tally, async () => {
      const own = createTally();
      await check(session, own);
      tally.add(own.outcome());
    });
    const { losses } = await watchOf(session, collection);
    if ((await ownLosses(session, collection)).length > 0 || takingsIn(losses).length > 0) {
      await session.until('quiet');
    }
    const noun = nounOf(collection);
    for (const { id, answer, own } of await ownLosses(session, collection)) {
      const message = `Deleting ${noun} ${id} also deleted ${noun} ${own.join(', ')}`;
      const [expected, actual] = [`only ${id} deleted`, `${own.join(', ')} deleted as well`];
      tally.judge(findingOn(answer, { message, expected, actual }));
    }
    const takings = takingsIn(losses);
    const [first] = takings;
    if (first === undefined) {
      return;
    }
    const all = takings.flatMap(({ foreign }) => foreign);
    const what = `${first.foreign[0]}, which this run did not create, disappeared with the first deletion`;
    if (takings.length >= fewest) {
      tally.judge(
        findingOn(first.answer, {
          message: `Deleting one ${noun} removes others: ${what}, and the next two took ${all.length - first.foreign.length} more`,
          expected: `only the deleted ${noun} removed`,
          actual: all.join(', '),
        }),
      );
    } else if (tally.outcome().failures.length === 0) {
      const message = `Cannot tell whether deleting one ${noun} removes others: ${what}; somebody else may have deleted it at that moment`;
      throw new Inconclusive(findingOn(first.answer, { message }));
    }
  });

/** The rows on the first pages of a list, and whether the last of them says that this is the whole list. */
interface FirstRows {
  readonly pages: readonly (readonly JsonObject[])[];
  readonly isWhole: boolean;
  /** A page was refused, or shows no list: rows that are missing prove nothing. */
  readonly isBroken: boolean;
}

/** Reads the first pages of a list: as many as `before`, or as a deletion may touch. Throws as the client does. */
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
function takenBetween(session: Session, collection: string, before: FirstRows, after: FirstRows): Taken {
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

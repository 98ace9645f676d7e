import type { JsonObject } from '../../../../common/json.ts';
import type { Kind } from '../../../../fixtures/workspace-bodies.ts';
import type { Exchange } from '../../../../results/exchange.ts';
import type { Tally } from '../../../../results/outcome.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { findingOn } from '../../../engine/expect.ts';
import { isSuccess } from '../../../session/answer.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import { rowsIn } from '../../../session/reading/rows.ts';
import { idsOf } from '../../../session/reading/shown-ids.ts';
import type { Session } from '../../../session/session.ts';
import { nounOf } from '../../../shared/collections.ts';
import { begunAfterAll, readFirstPage } from '../../../shared/lists/list-reading.ts';
import type { ListSearch } from '../../../shared/lists/list-search.ts';
import { type Deletable, deleting, listing, pathOf } from '../kinds.ts';
import type { Created } from '../records/create.ts';

/** What a list showed before and after a deletion. */
interface Looks {
  readonly kind: Deletable;
  readonly record: Created;
  /** null: nothing is known of the time before. */
  readonly before: ListSearch | null;
  readonly after: ListSearch;
  /** Whether a row shows that its record is gone. */
  readonly isGone: (row: JsonObject) => boolean;
}

/** The part of a look that says which rows there are. */
type Look = Pick<ListSearch, 'last'> & Partial<Pick<ListSearch, 'isOnePage' | 'isComplete'>>;

/**
 * A deletion takes no record that the run did not make. Somebody else may have deleted one at the same moment: only if
 * the run's later deletions each took another one, it is the deployment that takes them. Otherwise throws Inconclusive,
 * unless something else has failed. Waits until the run is quiet where one was taken.
 */
export async function judgeStrangersLeft(session: Session, tally: Tally, looks: Looks): Promise<void> {
  const { kind, record, before, after, isGone } = looks;
  const taken = before === null ? [] : takenBetween(session, kind, { before, after, isGone });
  const [first] = taken;
  if (first === undefined) {
    return;
  }
  await session.quiet;
  const isDeletion = ({ endpoint, response, number }: Exchange): boolean =>
    endpoint === deleting(kind) && response !== null && isSuccess(response) && number > after.last.exchange.number;
  const deletions = session.evidence.exchanges.filter(isDeletion).length;
  const later = await readFirstPage(session, listing(kind), { reuse: begunAfterAll(session, isDeletion) });
  const takenLater = takenBetween(session, kind, { before: after, after: { last: later }, isGone });
  const noun = nounOf(pathOf(kind));
  const what = `${first}, which the run did not make, is gone since ${record.id} was deleted`;
  if (deletions > 0 && isSuccess(later) && takenLater.length >= deletions) {
    tally.judge(
      findingOn(later, {
        message: `Deleting one ${noun} takes others: ${what}, and later deletions of the run took ${takenLater.length} more`,
        expected: `no ${noun} gone but the one that was deleted`,
        actual: [...taken, ...takenLater].join(', '),
        place: 'body',
      }),
    );
  } else {
    const message = `Whether deleting one ${noun} takes others is unknown: ${what}; somebody else may have deleted it then`;
    const finding = findingOn(after.last, { message });
    if (tally.outcome().failures.length === 0) {
      throw new Inconclusive(finding);
    }
    tally.leaveOpen(finding);
  }
}

/** The ids of records of others that two looks show as gone: by their rows or, where all rows were seen, by their absence. */
function takenBetween(
  session: Session,
  kind: Kind,
  { before, after, isGone }: { readonly before: Look; readonly after: Look; readonly isGone: Looks['isGone'] },
): readonly string[] {
  const noun = nounOf(pathOf(kind));
  const rowsOf = ({ last }: Look): readonly JsonObject[] => rowsIn(last.json, noun) ?? [];
  const byId = new Map(rowsOf(after).flatMap((row) => idsOf(row, noun).map((id) => [id, row] as const)));
  const isWhole = [before, after].every((look) => look.isOnePage === true && look.isComplete === true);
  return rowsOf(before)
    .filter((row) => !isGone(row) && !isOfRun(session, kind, row))
    .flatMap((row) => {
      const [id] = idsOf(row, noun);
      const now = id === undefined ? undefined : byId.get(id);
      const isTaken = now === undefined ? isWhole : isGone(now);
      return id !== undefined && isTaken ? [id] : [];
    });
}

const isOfRun = ({ tag, ledger }: Session, kind: Kind, row: JsonObject): boolean => {
  const ids = idsOf(row, nounOf(pathOf(kind)));
  const own = ledger.all().filter(({ collection }) => collection === pathOf(kind));
  return mentions(row, tag) || own.some(({ id }) => id !== undefined && ids.includes(id));
};

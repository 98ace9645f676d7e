import { type JsonObject, walk } from '../../../common/json.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn } from '../../engine/expect.ts';
import { showsId } from '../../reading/id-places.ts';
import { mentionsSpelled } from '../../reading/own-words.ts';
import { rowsIn } from '../../reading/rows.ts';
import { idsOf, namedIdsOf } from '../../reading/shown-ids.ts';
import { locatedId } from '../../records/candidates.ts';
import { nounOf } from '../../records/collections.ts';
import { begunAfterAll, readFirstPage } from '../../records/list-reading.ts';
import { ownRowPlace } from '../../records/listed-records.ts';
import { isOfStore } from '../../records/others.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { type Deletable, deleting, type Kind, listing, pathOf } from '../kinds.ts';
import type { Deletion } from './story.ts';

/** How a deletion of a kind is judged. */
interface DeletionRules {
  readonly kind: Deletable;
  /** What was not done where it is refused: `Agent was not deleted`. */
  readonly what: string;
  /** Whether a row of the deleted record shows it as existing. */
  readonly isThere: (row: JsonObject) => boolean;
  /** Whether a row shows that its record is gone. */
  readonly isGone: (row: JsonObject) => boolean;
  /** Judges what reads and lists show right after an accepted one. */
  readonly after: (tally: Tally) => Promise<void>;
}

/** A deletion succeeds and lasts, and takes no other record. Waits until the run is quiet. */
export async function judgeDeletion(session: Session, deletion: Deletion, rules: DeletionRules): Promise<Outcome> {
  const { answer } = deletion;
  const tally = createTally();
  const actual = describeAnswer(answer);
  const finding = findingOn(answer, { message: `${rules.what}: ${actual}`, expected: '200 or 201', actual });
  if (isSuccess(answer)) {
    tally.judge(null);
    await rules.after(tally);
    await judgeNotListedAgain(session, tally, deletion, rules);
    await judgeOthersKept(session, tally, deletion, rules);
  } else if ((answer.status === 404 || answer.status === 400) && !isSurelyId(deletion)) {
    tally.leaveOpen({ ...finding, cause: `No field is clearly its id: ${deletion.record.id} may be something else` });
  } else {
    tally.judge(finding);
  }
  return tally.outcome();
}

/** Whether a record's id is surely one: reads take it, or the answer to its create or its row calls it one. */
const isSurelyId = ({ record, before: { row = {} } }: Deletion): boolean =>
  record.kind === 'agents' ||
  [locatedId(record), ...record.aliases, ...namedIdsOf(row, nounOf(record.kind))].includes(record.id);

/** Another record of the run that a deletion took along. */
interface TakenAlong {
  readonly noun: string;
  /** The id of the record that was deleted. */
  readonly deleted: string;
  readonly taken: string;
  /** What became of the other record. Default: removed. */
  readonly end?: 'removed' | 'cancelled';
}

/** The finding on a deletion that took another record of the run along, as `shown` shows. */
export const tookAnother = (shown: Answer, { noun, deleted, taken, end = 'removed' }: TakenAlong): Finding =>
  findingOn(shown, {
    message: `Deleting ${noun} ${deleted} also ${end} ${noun} ${taken}`,
    expected: `only ${deleted} ${end}`,
    actual: `${taken} ${end} as well`,
    place: 'body',
  });

/**
 * No list that the run read KEY_SETTLE_MS after an accepted deletion or later shows the record again, as one of several
 * replicas or a cache may. Waits until the run is quiet, so that all lists are read.
 */
async function judgeNotListedAgain(
  session: Session,
  tally: Tally,
  { record, answer: deletion }: Deletion,
  { isThere }: DeletionRules,
): Promise<void> {
  await session.until('quiet');
  const settledAt = deletion.exchange.receivedAt + session.settings.KEY_SETTLE_MS;
  const noun = nounOf(record.collection);
  const shows = ({ endpoint, sentAt, keyLabel, response }: Exchange): boolean => {
    const isLaterList = endpoint === `GET ${record.collection}` && sentAt > settledAt && response?.status === 200;
    if (!isLaterList || !isOfStore(keyLabel, record.entry.keySetting)) {
      return false;
    }
    const rows = rowsIn(response.json, noun) ?? [];
    const row = rows[ownRowPlace(rows, record)];
    return row !== undefined && isThere(row);
  };
  const showing = isSuccess(deletion) ? session.evidence.exchanges.find(shows) : undefined;
  if (showing !== undefined) {
    const wait = Math.round(showing.sentAt - deletion.exchange.receivedAt);
    tally.judge(
      findingOn(
        { exchange: showing },
        {
          message: `Deleted ${noun} is listed: ${record.id} in GET ${record.collection}, ${wait} ms after its deletion`,
          expected: 'absent, or shown as deleted',
          actual: 'listed',
          place: 'body',
          cause: 'The deletion has no effect; or one of several replicas, or a cache, missed it',
        },
      ),
    );
  }
}

/** How many later deletions have to take others: one may be chance. */
const fewestRepeated = 2;

/**
 * A deletion takes no record that the run did not make, as far as lists of one page show. Somebody else may have deleted
 * one at the same moment: only if each of several later deletions of the run took as many, it is the deployment that
 * takes them. Otherwise throws Inconclusive, unless something else has failed. Waits until the run is quiet where one was taken.
 */
async function judgeOthersKept(
  session: Session,
  tally: Tally,
  deletion: Deletion,
  rules: DeletionRules,
): Promise<void> {
  const { record, listed, other, search: after } = deletion;
  const { kind } = rules;
  const before = other?.listed ?? listed;
  if (before === null || ![before, after].every(({ pages, isComplete }) => pages === 1 && isComplete)) {
    return;
  }
  const taken = takenBetween(session, rules, before.first, after.first);
  if (taken.length === 0) {
    return;
  }
  await session.until('quiet');
  const isDeletion = ({ endpoint, response, number }: Exchange): boolean =>
    endpoint === deleting(kind) && response !== null && isSuccess(response) && number > after.first.exchange.number;
  const deletions = session.evidence.exchanges.filter(isDeletion).length;
  const later = await readFirstPage(session, listing(kind), { reuse: begunAfterAll(session, isDeletion) });
  const takenLater = takenBetween(session, rules, after.first, later);
  const noun = nounOf(kind);
  const what = `${taken[0]}, which this run did not create, disappeared when ${record.id} was deleted`;
  if (isSuccess(later) && deletions >= fewestRepeated && takenLater.length === deletions * taken.length) {
    tally.judge(
      findingOn(later, {
        message: `Deleting one ${noun} removes others: ${what}, and later deletions of the run removed ${takenLater.length} more`,
        expected: `only the deleted ${noun} removed`,
        actual: [...taken, ...takenLater].join(', '),
        place: 'body',
      }),
    );
  } else {
    const message = `Cannot tell whether deleting one ${noun} removes others: ${what}; somebody else may have deleted it at that moment`;
    const finding = findingOn(after.first, { message });
    if (tally.outcome().failures.length === 0) {
      throw new Inconclusive(finding);
    }
    tally.leaveOpen(finding);
  }
}

/** The ids of records of others that a later reading of a list shows as gone, or no longer shows. */
function takenBetween(
  session: Session,
  { kind, isGone }: DeletionRules,
  before: Answer,
  after: Answer,
): readonly string[] {
  const noun = nounOf(kind);
  const rowsOf = ({ json }: Answer): [string, JsonObject][] =>
    (rowsIn(json, noun) ?? []).flatMap((row) =>
      idsOf(row, noun)
        .slice(0, 1)
        .map((id): [string, JsonObject] => [id, row]),
    );
  const now = new Map(rowsOf(after));
  return rowsOf(before).flatMap(([id, row]) => {
    const later = now.get(id);
    const isTaken = later === undefined || isGone(later);
    return isTaken && !isGone(row) && !isOfRun(session, kind, row) ? [id] : [];
  });
}

/** A record of this run, or of another one, which deletes it itself: it has words of the suite's. */
const ofAnyRun = /\bconformance\b/i;

/** Whether a row may be that of a record that a run of the suite made: it shows words of a run, or an id of this one. */
const isOfRun = ({ tag, ledger }: Session, kind: Kind, row: JsonObject): boolean =>
  mentionsSpelled(row, tag) ||
  walk(row).some(({ value }) => typeof value === 'string' && ofAnyRun.test(value)) ||
  ledger
    .all()
    .filter(({ collection }) => collection === pathOf(kind))
    .some(({ id, answeredIds = [] }) => [id ?? [], answeredIds].flat().some((one) => showsId(row, one)));

import { withArticle } from '../../common/words.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import type { Purpose } from '../../results/exchange.ts';
import type { Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import { describeAnswer, expectStatus, findingOn } from '../engine/expect.ts';
import { judgePart } from '../engine/parts.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import { isUnguessable, uuid } from '../session/grounds.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { altered } from './altered.ts';
import { nounOf, readingOf } from './collections.ts';
import { isHardlyAnybodys } from './hardly-anybodys.ts';
import { after } from './looks.ts';

import { lookFor } from './sighting.ts';

/**
 * An id shaped like a real one of the deployment's, another one at each attempt (from 0): counted ids get far ahead of the newest,
 * others get other characters.
 */
export function madeUpId(real: string, attempt = 0): string {
  const [, prefix = '', counter] = /^([A-Za-z]{0,10}[_-]?)(\d{1,12})$/.exec(real) ?? [];
  if (counter === undefined) {
    return attempt === 0 ? altered(real) : altered(madeUpId(real, attempt - 1));
  }
  // Where ids count from one, a number within 32 bits is well-formed everywhere.
  const ahead = Number(counter) < 100_000_000 ? 2_000_000_000 : 900_000_000_000;
  return `${prefix}${Number(counter) + ahead + attempt}`;
}

/** A documented call that names an id. */
export interface IdCall {
  readonly endpoint: string;
  /** The answer to the call with an id that the deployment knows. */
  readonly twin: () => Promise<Answer>;
  readonly body?: () => Promise<unknown>;
  /** What else it has to carry. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>>;
}

/** An id of the run's own that was deleted. */
export interface DeletedId {
  readonly id: string;
  /** The answer to its deletion. */
  readonly answer: Answer;
  /** The answer to a read of it since. */
  readonly later?: Answer;
}

/** The records of one kind, and the calls that name one. */
export interface IdCalls {
  readonly collection: string;
  /** An id that the deployment gave out. */
  readonly real: string;
  /** null: none was. */
  readonly deleted: DeletedId | null;
  /** Where the deleted id gets 404, none is made up: the same methods are tried with ids that were made up on records of other kinds. */
  readonly isDeletedEnough: boolean;
  /** Whether deleting once more may succeed, as long as nothing is there to delete. */
  readonly mayDeleteAgain: boolean;
  readonly calls: readonly IdCall[];
  readonly purpose: Purpose;
  /** Records of another kind, which a call reads by their ids: what an ill-formed one gets there, it gets here. */
  readonly like?: () => Promise<IdCalls>;
}

/** What a read says of an id. */
interface Look {
  readonly answer: Answer;
  readonly says: 'nobody' | 'somebody' | 'unknown';
}

/** Reads an id once a run: by itself where the API can, otherwise in the list. */
const look = stepFor(
  ({ collection }: IdCalls, id: string) => `${collection}/${id}`,
  async (session, { collection, purpose, deleted }, id): Promise<Look> => {
    const reading = readingOf(session.api.endpoints, collection);
    const own = deleted?.id === id ? deleted : null;
    if (reading !== undefined) {
      const answer = own?.later ?? (await send(session, reading.id, { id, purpose }));
      const says = answer.status === 404 ? 'nobody' : isSuccess(answer) ? 'somebody' : 'unknown';
      return { answer, says };
    }
    const will = own === null ? () => true : after(session, own.answer);
    const { first, isShown, isComplete } = await lookFor(session, collection, { id, tag: id }, { will });
    const says = isShown ? 'somebody' : first.accepted && isComplete ? 'nobody' : 'unknown';
    return { answer: first, says };
  },
);

/** Calls with ids that the deployment does not know get 404: one of the run's that was deleted, and one that was made up. */
export async function judgeUnknownIds(session: Session, tally: Tally, kind: IdCalls): Promise<void> {
  await Promise.all(kind.calls.map((call) => judgePart(tally, () => judgeCall(session, tally, kind, call))));
}

async function judgeCall(session: Session, tally: Tally, kind: IdCalls, call: IdCall): Promise<void> {
  const twin = await call.twin();
  const { deleted } = kind;
  const ofDeleted = deleted === null ? null : await probeDeleted(session, kind, call, deleted.id);
  const ofMadeUp = kind.isDeletedEnough && ofDeleted?.status === 404 ? null : await probeMadeUp(session, kind, call);
  // What an ill-formed id gets is not judged: one that was given out once is well-formed.
  const isIllFormed =
    ofMadeUp?.status === 400 && !uuid.test(kind.real) && (await isWellFormedOtherwise(session, kind, ofDeleted));
  const probes = isIllFormed || ofMadeUp === null ? [] : [ofMadeUp];
  // A deployment may remember what was deleted: then its id is not unknown.
  if (deleted !== null && ofDeleted !== null) {
    const isRemembered = (await look(session, kind, deleted.id)).says === 'somebody';
    const isRepeated = kind.mayDeleteAgain && isSuccess(ofDeleted);
    probes.push(...(ofDeleted.status === 404 || !(isRemembered || isRepeated) ? [ofDeleted] : []));
  }
  if (probes.length === 0) {
    throw undecidedId(kind, call, ofMadeUp ?? ofDeleted);
  }
  for (const answer of probes) {
    judgeBeside(tally, kind, call, answer, twin);
  }
}

async function probe(
  session: Session,
  kind: IdCalls,
  { endpoint, body, headers }: IdCall,
  id: string,
): Promise<Answer> {
  const seen = await look(session, kind, id);
  return seen.answer.exchange.endpoint === endpoint
    ? seen.answer
    : send(session, endpoint, {
        id,
        purpose: kind.purpose,
        ...(body === undefined ? {} : { body: await body() }),
        ...(headers === undefined ? {} : { headers: await headers() }),
      });
}

/**
 * A deleted id that is counted may be given out anew: it is used to change or delete only where no read finds somebody's record under
 * it, and where no number far ahead would do.
 */
async function probeDeleted(session: Session, kind: IdCalls, call: IdCall, deleted: string): Promise<Answer | null> {
  const reading = readingOf(session.api.endpoints, kind.collection);
  const isSafe = isUnguessable(deleted) || reading?.id === call.endpoint;
  // Of records that no call reads, another one may just be made.
  const isToldBy = reading?.isView === false;
  const mayUse = isSafe || (isToldBy && (await look(session, kind, deleted)).says !== 'somebody');
  return mayUse ? probe(session, kind, call, deleted) : null;
}

/** Whether a 400 is about the form of the made-up id: one that was given out gets another answer, or even a read of a made-up one gets 400. */
async function isWellFormedOtherwise(session: Session, kind: IdCalls, ofDeleted: Answer | null): Promise<boolean> {
  if (ofDeleted !== null) {
    return ofDeleted.status !== 400;
  }
  const readable = kind.like === undefined ? kind : await kind.like();
  return (await look(session, readable, madeUpId(readable.real))).answer.status === 400;
}

/**
 * A made-up id may be somebody's. It is used to change or delete only where a read of the record by it finds nothing or, of
 * records that cannot be read by id, where nobody can have it.
 */
async function probeMadeUp(session: Session, kind: IdCalls, call: IdCall): Promise<Answer | null> {
  const reading = readingOf(session.api.endpoints, kind.collection);
  const id = reading === undefined ? madeUpId(kind.real) : await likelyNobodys(session, kind);
  if (reading?.id === call.endpoint) {
    return (await look(session, kind, id)).answer;
  }
  const isRandom = isUnguessable(id) || (reading !== undefined && isHardlyAnybodys(id, givenOut(session, kind)));
  if (reading?.isView !== true && !isRandom) {
    return null;
  }
  const { says } = await look(session, kind, id);
  const mayUse = says === 'nobody' || (says === 'unknown' && isUnguessable(id));
  if (!mayUse) {
    return null;
  }
  session.grounds.nobodys(kind.collection, id);
  return probe(session, kind, call, id);
}

/** Some ids that the deployment has given out to the run. */
const givenOut = ({ ledger }: Session, { collection }: IdCalls): string[] => {
  const ids = ledger.all().flatMap((one) => (one.collection === collection ? (one.id ?? []) : []));
  return [...new Set(ids)].slice(0, mostCompared);
};
const mostCompared = 5;

/** Short ids are given out so densely that one which was made up may be a record's: then another one is made up. */
async function likelyNobodys(session: Session, kind: IdCalls): Promise<string> {
  let id = madeUpId(kind.real);
  for (let attempt = 1; attempt <= mostOthers; attempt += 1) {
    if (isUnguessable(id) || (await look(session, kind, id)).says !== 'somebody') {
      return id;
    }
    id = madeUpId(kind.real, attempt);
  }
  return id;
}
const mostOthers = 2;

function judgeBeside(tally: Tally, { collection }: IdCalls, { endpoint }: IdCall, answer: Answer, twin: Answer): void {
  if (isSuccess(twin) || isSuccess(answer)) {
    tally.judge(expectStatus(answer, 404, `Unknown ${nounOf(collection)} id is not answered with 404`));
  } else {
    tally.leaveOpen(
      findingOn(answer, {
        message: `Unknown ids prove nothing on ${endpoint}: a known one got ${describeAnswer(twin)}`,
        expected: '404',
        actual: describeAnswer(answer),
        blames: endpointOf(endpoint).clause,
      }),
    );
  }
}

const undecidedId = ({ collection, real }: IdCalls, { endpoint }: IdCall, answer: Answer | null): Inconclusive => {
  const text = {
    message: `${endpoint} is not judged: no id is known that is surely nobody's and well-formed, beside ids such as ${real} of ${withArticle(nounOf(collection))}`,
    cause: 'Long ids without check digits would decide it',
  };
  return new Inconclusive(answer === null ? text : findingOn(answer, text));
};

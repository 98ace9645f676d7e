import { withArticle } from '../../../common/words.ts';
import { endpointOf, isEndpoint } from '../../../contract/endpoints.ts';
import type { Outcome, Tally } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { describeAnswer, expectStatus, findingOn } from '../../engine/expect.ts';
import { judgeEach } from '../../engine/parts.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { isUnguessable, uuid } from '../../session/reading/unguessable.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { nounOf, readingOf } from '../collections.ts';
import { isHardlyAnybodys } from './hardly-anybodys.ts';
import { type IdCall, type IdCalls, likelyNobodys, look, madeUpId } from './made-up-ids.ts';

/** Calls with ids that the deployment does not know get 404: one of the run's that was deleted, and one that was made up. */
export const judgeUnknownIds = (session: Session, kind: IdCalls): Promise<Outcome> =>
  judgeEach(kind.calls, (tally, call) => judgeCall(session, tally, kind, call));

async function judgeCall(session: Session, tally: Tally, kind: IdCalls, call: IdCall): Promise<void> {
  const twin = await call.twin();
  const { deleted } = kind;
  const ofDeleted = deleted === null ? null : await probeDeleted(session, kind, call, deleted.id);
  const isEnough = call.deletedIsEnough === true && ofDeleted?.status === 404;
  const ofMadeUp = isEnough ? null : await probeMadeUp(session, kind, call);
  // What an ill-formed id gets is not judged: one that was given out once is well-formed.
  const isIllFormed =
    ofMadeUp?.status === 400 && !uuid.test(kind.real) && (await isWellFormedOtherwise(session, kind, ofDeleted));
  const probes = isIllFormed || ofMadeUp === null ? [] : [ofMadeUp];
  // A deployment may remember what was deleted: then its id is not unknown.
  if (deleted !== null && ofDeleted !== null) {
    const isRevived = call.needsLiving === true && isSuccess(ofDeleted);
    const isRemembered = !isRevived && (await look(session, kind, deleted.id)).says === 'somebody';
    const isRepeated = kind.mayDeleteAgain && call.endpoint.startsWith('DELETE') && isSuccess(ofDeleted);
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
  session.writeGuard.allow(kind.collection, id);
  return probe(session, kind, call, id);
}

/** Some ids that the deployment has given out to the run. */
const givenOut = ({ ledger }: Session, { collection }: IdCalls): string[] => {
  const ids = ledger.all().flatMap((one) => (one.collection === collection ? (one.id ?? []) : []));
  return [...new Set(ids)].slice(0, mostCompared);
};
const mostCompared = 5;

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

/** A deleted id would decide it: where no deletion succeeded, that is to blame. */
const undecidedId = (
  { collection, real, deleted }: IdCalls,
  { endpoint }: IdCall,
  answer: Answer | null,
): Inconclusive => {
  const deletion = `DELETE ${collection}/:id`;
  const text = {
    message: `${endpoint} is not judged: no id is known that is surely nobody's and well-formed, beside ids such as ${real} of ${withArticle(nounOf(collection))}`,
    cause: 'Long ids without check digits would decide it',
    ...(deleted === null && isEndpoint(deletion) ? { blames: endpointOf(deletion).clause } : {}),
  };
  return new Inconclusive(answer === null ? text : findingOn(answer, text));
};

import { at } from '../../common/json.ts';
import { endpointOf, isEndpoint } from '../../contract/endpoints.ts';
import type { Outcome, Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectStatus, findingOn } from '../engine/expect.ts';
import { judgeEach } from '../engine/parts.ts';
import { rowsIn } from '../reading/rows.ts';
import { idsOf } from '../reading/shown-ids.ts';
import { isUnguessable, uuid } from '../reading/unguessable.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import { mainKey } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { nounOf, readingOf } from './collections.ts';
import { sendWithUnknownId } from './made-by-mistake.ts';
import { madeUpId } from './made-up-ids.ts';
import { areScattered, isAlmostCertainlyUnused, isFarAhead } from './unused-ids.ts';
import { type IdCall, type IdCalls, probablyUnused, whoseId } from './whose-id.ts';

/**
 * Calls with ids that the deployment does not know get 404: with the id of a record that the run deleted, and with a
 * made-up id.
 */
export const judgeUnknownIds = (session: Session, kind: IdCalls): Promise<Outcome> =>
  judgeEach(kind.calls, (tally, call) => judgeCall(session, tally, kind, call));

async function judgeCall(session: Session, tally: Tally, kind: IdCalls, call: IdCall): Promise<void> {
  const twin = await call.twin();
  const ofDeleted = await callWithDeleted(session, kind, call);
  const isEnough = call.deletedIsEnough === true && ofDeleted?.status === 404;
  const ofMadeUp = isEnough ? null : await callWithMadeUp(session, kind, call);
  const judged = [
    ...(ofMadeUp === null || (await isAboutForm(session, kind, ofMadeUp, ofDeleted)) ? [] : [ofMadeUp]),
    ...(ofDeleted === null || (await isRemembered(session, kind, call, ofDeleted)) ? [] : [ofDeleted]),
  ];
  if (judged.length === 0) {
    throw undecidedId(kind, call, ofMadeUp ?? ofDeleted);
  }
  for (const answer of judged) {
    judgeBeside(tally, kind, call, answer, twin);
  }
}

/** Makes the call with an id; the read that showed whose id it is serves as the call where it is the same call. */
async function callWith(session: Session, kind: IdCalls, call: IdCall, id: string): Promise<Answer> {
  const { endpoint, body, headers } = call;
  const { answer } = await whoseId(session, kind, id);
  return answer.exchange.endpoint === endpoint
    ? answer
    : sendWithUnknownId(session, endpoint, {
        collection: kind.collection,
        id,
        key: mainKey(session),
        keySetting: mainKey(session).label,
        details: {
          purpose: kind.purpose,
          ...(body === undefined ? {} : { body: await body(id) }),
          ...(headers === undefined ? {} : { headers: await headers() }),
        },
      });
}

/**
 * The answer to the call with the deleted id; null: there is none, or the call may not be made. A deployment may give
 * out a counted id anew: a call changes or deletes under this id only where no read finds somebody's record.
 */
async function callWithDeleted(session: Session, kind: IdCalls, call: IdCall): Promise<Answer | null> {
  if (kind.deleted === null) {
    return null;
  }
  const { id } = kind.deleted;
  const reading = readingOf(session.api.endpoints, kind.collection);
  const isSafe = isUnguessable(id) || areScattered(givenOut(session, kind)) || reading?.id === call.endpoint;
  // Without a call that takes ids, the list alone would show it, and a new record may just be made.
  const isKnowable = reading?.isView === false;
  const mayCall = isSafe || (isKnowable && (await whoseId(session, kind, id)).owner !== 'somebody');
  return mayCall ? callWith(session, kind, call, id) : null;
}

/**
 * The answer to the call with a made-up id; null: the call may not be made. The id may be in use: a call changes or
 * deletes under it only where a read finds nothing or, where no call reads by id, the list does not show it and nobody
 * can have it: it cannot be guessed, or is a number far ahead of all that were given out.
 */
async function callWithMadeUp(session: Session, kind: IdCalls, call: IdCall): Promise<Answer | null> {
  const reading = readingOf(session.api.endpoints, kind.collection);
  const id = reading === undefined ? madeUpId(kind.real) : await probablyUnused(session, kind);
  if (reading?.id === call.endpoint) {
    return (await whoseId(session, kind, id)).answer;
  }
  const isRandom = isUnguessable(id) || (reading !== undefined && isAlmostCertainlyUnused(id, givenOut(session, kind)));
  if (reading?.isView === false && !isRandom) {
    return null;
  }
  const { owner } = await whoseId(session, kind, id);
  const isSure =
    reading === undefined
      ? isRandom || isFarAhead(id, [...givenOut(session, kind), ...listedIds(session, kind)])
      : owner !== 'unknown' || isUnguessable(id);
  if (owner === 'somebody' || !isSure) {
    return null;
  }
  session.writeGuard.allow(kind.collection, id);
  return callWith(session, kind, call, id);
}

/** Some ids of the kind that the deployment gave out to the run. */
const givenOut = ({ ledger }: Session, { collection }: IdCalls): string[] => {
  const ids = ledger.all().flatMap((one) => (one.collection === collection ? (one.id ?? []) : []));
  return [...new Set(ids)].slice(0, mostCompared);
};
const mostCompared = 5;

/** The ids that the lists of the kind have shown. */
const listedIds = ({ api, evidence }: Session, { collection }: IdCalls): string[] =>
  evidence.exchanges
    .filter(({ endpoint }) => endpoint === `GET ${collection}`)
    .flatMap(({ response }) => rowsIn(at(response?.json, api.payload), nounOf(collection)) ?? [])
    .flatMap((row) => idsOf(row, nounOf(collection)));

/**
 * Whether a 400 is about the form of the made-up id, which is not judged: the deleted id, which was well-formed, gets
 * another answer, or a read of a made-up id gets 400 too.
 */
async function isAboutForm(
  session: Session,
  kind: IdCalls,
  ofMadeUp: Answer,
  ofDeleted: Answer | null,
): Promise<boolean> {
  if (ofMadeUp.status !== 400 || uuid.test(kind.real)) {
    return false;
  }
  if (ofDeleted !== null) {
    return ofDeleted.status !== 400;
  }
  const readable = kind.like === undefined ? kind : await kind.like();
  return (await whoseId(session, readable, madeUpId(readable.real))).answer.status === 400;
}

/**
 * Whether the deployment remembers the deleted record, so that its id is not unknown: reads show it, or it may be
 * deleted again.
 */
async function isRemembered(session: Session, kind: IdCalls, call: IdCall, ofDeleted: Answer): Promise<boolean> {
  if (ofDeleted.status === 404 || kind.deleted === null) {
    return false;
  }
  const isRevived = call.needsLiving === true && isSuccess(ofDeleted);
  const isShown = !isRevived && (await whoseId(session, kind, kind.deleted.id)).owner === 'somebody';
  return isShown || (kind.mayDeleteAgain && call.endpoint.startsWith('DELETE') && isSuccess(ofDeleted));
}

function judgeBeside(tally: Tally, { collection }: IdCalls, { endpoint }: IdCall, answer: Answer, twin: Answer): void {
  if (isSuccess(twin) || isSuccess(answer)) {
    tally.judge(expectStatus(answer, 404, `A call with an unknown ${nounOf(collection)} id`));
  } else {
    tally.leaveOpen(
      findingOn(answer, {
        message: `Cannot judge unknown ids on ${endpoint}: a known id got ${describeAnswer(twin)}`,
        expected: '404',
        actual: describeAnswer(answer),
        blames: endpointOf(endpoint).clause,
      }),
    );
  }
}

/** The id of a deleted record would decide it: where no deletion succeeded, the deletion is to blame. */
const undecidedId = (
  { collection, real, deleted }: IdCalls,
  { endpoint }: IdCall,
  answer: Answer | null,
): Inconclusive => {
  const deletion = `DELETE ${collection}/:id`;
  const text = {
    message: `Cannot judge ${endpoint}: no ${nounOf(collection)} id can be made up that is well-formed and certainly unused (real ids look like ${real})`,
    ...(deleted === null && isEndpoint(deletion) ? { blames: endpointOf(deletion).clause } : {}),
  };
  return new Inconclusive(answer === null ? text : findingOn(answer, text));
};

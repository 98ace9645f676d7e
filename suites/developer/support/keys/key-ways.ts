import { endpointOf } from '../../../../contract/endpoints.ts';
import { createTally, type Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import type { Check } from '../../../engine/check.ts';
import { describeAnswer, expectAccepted, findingOn, undecided } from '../../../engine/expect.ts';
import { judgePart, resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { callOf } from '../../../session/call.ts';
import type { ApiKey, KeyMode } from '../../../session/key.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { read, workingRead } from '../../../shared/reads.ts';
import { neverIssuedKeys } from '../../../shared/refusals/never-issued.ts';
import { tryWriteIn } from '../calls/working-write.ts';
import { keysOfBothEnvironments } from '../data/environments.ts';
import { firstKey } from './key-life.ts';
import { inQuery, isAlive, triedAlive } from './tried-key.ts';

/**
 * A key is accepted in the header, or in the query: on a read, on a read with further parameters, on a write, and of both
 * environments. Whether each endpoint works is its own clause: beside the first read, a call that is refused in one mode
 * speaks against it only where it is accepted in the other.
 */
export const acceptedIn =
  (mode: 'header' | 'query', where: string): Check =>
  async (session) => {
    const tally = createTally();
    const what = `Key in ${where} is refused`;
    if (!(await judgeSomewhere(session, tally, mode, what))) {
      return { ...tally.outcome(), compared: 0 };
    }
    const [, live] = await keysOfBothEnvironments(session, (await workingRead(session)).id);
    await judgePart(tally, () => judgeParameters(session, tally, mode, what));
    await judgePart(tally, () => judgeWrite(session, tally, mode, what, mainKey(session)));
    await judgePart(tally, () => (mode === 'header' ? judgeSpellings : judgeOwn)(session, tally, what));
    if (live !== undefined) {
      await judgePart(tally, () => judgeLive(session, tally, mode, what, live));
      await judgePart(tally, () => judgeWrite(session, tally, mode, what, live));
    }
    const isTold = await isUnknownKeyRefused(session, tally, mode);
    const { compared, undecided, failures } = tally.outcome();
    // Where most calls work in no mode, those that are accepted may be chance.
    return failures.length === 0 && (!isTold || compared <= undecided.length)
      ? { ...tally.outcome(), compared: 0 }
      : tally.outcome({ calls: compared, environments: live === undefined ? 1 : 2 });
  };

/** One documented read that accepts the key is enough: those after the first are tried only where it does not. */
async function judgeSomewhere(session: Session, tally: Tally, mode: KeyMode, what: string): Promise<boolean> {
  const findings: Finding[] = [];
  for (const endpoint of [...session.api.probes.slice(0, 1), ...session.api.tryouts]) {
    const finding = expectAccepted(await read(session, endpoint, { mode }), what);
    if (finding === null) {
      tally.judge(null);
      return true;
    }
    findings.push(finding);
  }
  tally.judge(...findings);
  return false;
}

/** That a key is accepted proves something only where one that was never issued, sent the same way, is refused. */
async function isUnknownKeyRefused(session: Session, tally: Tally, mode: KeyMode): Promise<boolean> {
  const [unknown] = neverIssuedKeys(session);
  const call = callOf(await workingRead(session), unknown, { mode, purpose: 'refusal' });
  await session.badKeys;
  const answer = await resultOrNull(session.client.send(call));
  // Where unknown keys lock the caller out, they are told apart.
  if (answer === null || answer.status === 401) {
    return true;
  }
  const message = `A key that was never issued is not refused there either: ${describeAnswer(answer)}`;
  tally.leaveOpen(findingOn(answer, { message, blames: 'developer.auth.invalid-key' }));
  return false;
}

const otherMode = (mode: KeyMode): KeyMode => (mode === 'header' ? 'query' : 'header');

/** A call that is accepted in the other mode is accepted in this one. */
async function judgeBeside(
  tally: Tally,
  what: string,
  answer: Answer,
  otherwise: () => Promise<Answer>,
): Promise<void> {
  if (!answer.accepted && !(await otherwise()).accepted) {
    const message = `${what}: cannot be judged where the call does not work in any mode: ${describeAnswer(answer)}`;
    throw undecided(answer, message, endpointOf(answer.exchange.endpoint ?? '').clause);
  }
  tally.judge(expectAccepted(answer, what));
}

/** Gateways that take the query apart may lose what stands beside the key, or the key. */
async function judgeParameters(session: Session, tally: Tally, mode: KeyMode, what: string): Promise<void> {
  const readIn = (one: KeyMode): Promise<Answer> =>
    read(session, 'GET /api/v1/developer/export/leads', { query: { status: 'new', source: 'organic' }, mode: one });
  await judgeBeside(tally, `${what} beside further parameters`, await readIn(mode), () => readIn(otherMode(mode)));
}

async function judgeWrite(session: Session, tally: Tally, mode: KeyMode, what: string, key: ApiKey): Promise<void> {
  const write = (one: KeyMode): Promise<Answer> => tryWriteIn(session, key, one);
  const answer = await write(mode);
  await judgeBeside(tally, `${what} on a write with ${key.label}`, answer, () => write(otherMode(mode)));
}

/** A key that a call has made is accepted where it is in the header, before and afterwards. */
async function judgeOwn(session: Session, tally: Tally, what: string): Promise<void> {
  const tried = await triedAlive(session, (await firstKey(session)).key);
  const way = tried.find(({ name }) => name === inQuery);
  const refused = way?.answers.find((answer) => answer?.status === 401);
  if (way?.isKnown && tried.some((one) => one !== way && isAlive(one))) {
    tally.judge(refused && way.beside?.accepted ? expectAccepted(refused, `${what} where a call has made it`) : null);
  }
}

/** Header names know no case (RFC 9110, 5.1). */
const spellings = ['x-api-key', 'X-Api-Key', 'X-API-KEY'];

async function judgeSpellings(session: Session, tally: Tally, what: string): Promise<void> {
  const endpoint = await workingRead(session);
  const key = mainKey(session);
  for (const spelling of spellings) {
    const headers = { 'X-API-Key': '', [spelling]: key.secret };
    const answer = await session.client.send(callOf(endpoint, key, { mode: 'header', headers }));
    tally.judge(expectAccepted(answer, `${what} where its name is spelt ${spelling}`));
  }
}

async function judgeLive(session: Session, tally: Tally, mode: KeyMode, what: string, key: ApiKey): Promise<void> {
  const endpoint = (await workingRead(session)).id;
  const readIn = (one: KeyMode): Promise<Answer> => read(session, endpoint, { key, mode: one });
  await judgeBeside(tally, `${what} with ${key.label}`, await readIn(mode), () => readIn(otherMode(mode)));
}

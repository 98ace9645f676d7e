import { endpointOf } from '../../../contract/endpoints.ts';
import { createTally, type Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import type { Check } from '../../engine/check.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { expectAccepted, findingOn, undecided } from '../../engine/expect.ts';
import { judgePart, resultOrNull } from '../../engine/parts.ts';
import { read, workingRead } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import { callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { mainKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { neverIssuedKeys } from '../../shared/refusals/never-issued.ts';
import { tryWriteIn } from '../calls/working-write.ts';
import { keysOfBothEnvironments } from '../environments.ts';

/** The two documented ways of sending a key. */
type Mode = 'header' | 'query';

const leads = 'GET /api/v1/developer/export/leads';

/**
 * A key is accepted in the header, or in the query: on a read, on a read with further parameters and on a write, in
 * both environments. Whether each endpoint works is a clause of its own: except for the first read, a refused call
 * counts only where it is accepted in the other mode.
 */
export const keyAcceptedIn =
  (mode: Mode, place: string): Check =>
  async (session) => {
    const tally = createTally();
    const refused = `Key in ${place} is refused`;
    if (!(await judgeAnyRead(session, tally, mode, refused))) {
      return { ...tally.outcome(), compared: 0 };
    }
    const { id } = await workingRead(session);
    const [, ...live] = await keysOfBothEnvironments(session, id);
    const query = { status: 'new', source: 'organic' };
    const calls: (readonly [string, (mode: Mode) => Promise<Answer>])[] = [
      // Gateways that rewrite the query may lose the key, or the parameters beside it.
      [' when the query has other parameters', (one) => read(session, leads, { query, mode: one })],
      ...[mainKey(session), ...live].map(
        (key) => [` on a write with ${key.label}`, (one: Mode) => tryWriteIn(session, key, one)] as const,
      ),
      ...live.map((key) => [` with ${key.label}`, (one: Mode) => read(session, id, { key, mode: one })] as const),
    ];
    for (const [how, send] of calls) {
      await judgePart(tally, () => judgeInMode(tally, mode, `${refused}${how}`, send));
    }
    await judgePart(tally, () => (mode === 'header' ? judgeSpellings(session, tally, refused) : undefined));
    const areKeysChecked = await refusesUnknownKey(session, tally, mode);
    const { compared, undecided, failures } = tally.outcome();
    // Where most calls work in no mode, the accepted ones may be accepted by chance.
    const isTrusted = areKeysChecked && compared > undecided.length;
    return failures.length > 0 || isTrusted
      ? tally.outcome({ calls: compared, environments: 1 + live.length })
      : { ...tally.outcome(), compared: 0 };
  };

/** One read that accepts the key is enough; the next is tried only where it does not. Gives whether one accepted it. */
async function judgeAnyRead(session: Session, tally: Tally, mode: Mode, refused: string): Promise<boolean> {
  const findings: Finding[] = [];
  for (const endpoint of [...session.api.probes.slice(0, 1), ...session.api.tryouts]) {
    const finding = expectAccepted(await read(session, endpoint, { mode }), refused);
    if (finding === null) {
      tally.judge(null);
      return true;
    }
    findings.push(finding);
  }
  tally.judge(...findings);
  return false;
}

/** Whether a key that was never issued is refused in this mode: otherwise an accepted key proves nothing. */
async function refusesUnknownKey(session: Session, tally: Tally, mode: Mode): Promise<boolean> {
  const [unknown] = neverIssuedKeys(session);
  const call = callOf(await workingRead(session), unknown, { mode, purpose: 'refusal' });
  await session.until('badKeys');
  const answer = await resultOrNull(session.client.send(call));
  // No answer: the deployment locked the caller out for its unknown keys, so it checks keys.
  if (answer === null || answer.status === 401) {
    return true;
  }
  const message = `An unknown key is accepted there too: ${describeAnswer(answer)}`;
  tally.leaveOpen(findingOn(answer, { message, blames: 'developer.auth.invalid-key' }));
  return false;
}

/** Judges a call that `send` makes in either mode. Throws Inconclusive where it is accepted in neither. */
async function judgeInMode(
  tally: Tally,
  mode: Mode,
  refused: string,
  send: (mode: Mode) => Promise<Answer>,
): Promise<void> {
  const answer = await send(mode);
  if (!answer.accepted && !(await send(mode === 'header' ? 'query' : 'header')).accepted) {
    const message = `Cannot tell whether a ${refused.charAt(0).toLowerCase()}${refused.slice(1)}: the call fails in every mode (${describeAnswer(answer)})`;
    throw undecided(answer, message, endpointOf(answer.exchange.endpoint ?? '').clause);
  }
  tally.judge(expectAccepted(answer, refused));
}

/** Header names are case-insensitive (RFC 9110, 5.1). */
const spellings = ['x-api-key', 'X-Api-Key', 'X-API-KEY'];

async function judgeSpellings(session: Session, tally: Tally, refused: string): Promise<void> {
  const endpoint = await workingRead(session);
  const key = mainKey(session);
  for (const spelling of spellings) {
    const headers = { 'X-API-Key': '', [spelling]: key.secret };
    const answer = await session.client.send(callOf(endpoint, key, { mode: 'header', headers }));
    tally.judge(expectAccepted(answer, `${refused} if the name is spelled ${spelling}`));
  }
}

/** Which key wins where one is sent in the header and another in the query, one of them valid. */
export async function precedence(session: Session): Promise<Record<string, string>> {
  const endpoint = await workingRead(session);
  await session.until('badKeys');
  const valid = mainKey(session);
  const [unknown] = neverIssuedKeys(session);
  const send = (key: ApiKey, queryKey: ApiKey): Promise<Answer> =>
    session.client.send(callOf(endpoint, key, { mode: 'header', queryKey, purpose: 'off-document' }));
  const [header, query] = await Promise.all([send(valid, unknown), send(unknown, valid)]);
  return {
    validInHeader: describeAnswer(header),
    validInQuery: describeAnswer(query),
    wins: winner(header.accepted, query.accepted),
  };
}

function winner(headerOpens: boolean, queryOpens: boolean): string {
  if (headerOpens) {
    return queryOpens ? 'either, if it is valid' : 'header';
  }
  return queryOpens ? 'query' : 'neither';
}

/** Which undocumented ways of sending a key open a documented read (Authentication 6 states two more than it shows). */
export async function otherModes(session: Session): Promise<Record<string, string>> {
  const endpoint = await workingRead(session);
  await session.until('badKeys');
  const answers = await Promise.all(
    (['bearer', 'basic', 'cookie'] as const).map(async (mode) => {
      const key: ApiKey = { ...mainKey(session), origin: 'unknown' };
      const answer = await session.client.send(callOf(endpoint, key, { mode, purpose: 'off-document' }));
      return [mode, answer.accepted ? 'accepted' : `refused: ${describeAnswer(answer)}`] as const;
    }),
  );
  return Object.fromEntries(answers);
}

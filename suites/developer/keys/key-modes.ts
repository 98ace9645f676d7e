import { endpointOf } from '../../../contract/endpoints.ts';
import { createTally } from '../../../results/outcome.ts';
import type { Check } from '../../engine/check.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { expectAccepted, undecided } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import { read, workingRead } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import { callOf } from '../../session/call.ts';
import type { ApiKey, KeyMode } from '../../session/key.ts';
import { mainKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { neverIssuedKeys } from '../../shared/refusals/never-issued.ts';
import { keysOfBothEnvironments } from '../environments.ts';
import { keysPath } from './run-key.ts';
import { tryWrite } from './ways.ts';

const leads = 'GET /api/v1/developer/export/leads';

/**
 * A key is accepted in the header, or in the query: on a read, on a read with further parameters, on the list of keys and
 * on a write, in both environments. Whether each endpoint works is a clause of its own: except for the first read, a
 * refused call counts only where it is accepted in the other mode.
 */
export const keyAcceptedIn =
  (mode: 'header' | 'query', place: string): Check =>
  async (session) => {
    const tally = createTally();
    const refused = `Key in ${place} is refused`;
    const reads: Answer[] = [];
    for (const endpoint of [...session.api.probes.slice(0, 1), ...session.api.tryouts]) {
      if (reads.at(-1)?.accepted !== true) {
        reads.push(await read(session, endpoint, { mode }));
      }
    }
    if (reads.at(-1)?.accepted !== true) {
      tally.judge(...reads.map((answer) => expectAccepted(answer, refused)));
      return { ...tally.outcome(), compared: 0 };
    }
    tally.judge(null);
    const { id } = await workingRead(session);
    const [, ...live] = await keysOfBothEnvironments(session, id);
    const query = { status: 'new', source: 'organic' };
    const calls: (readonly [string, (mode: KeyMode) => Promise<Answer>])[] = [
      // Gateways that rewrite the query may lose the key, or the parameters beside it.
      [' when the query has other parameters', (one) => read(session, leads, { query, mode: one })],
      [' on the list of keys', (one) => read(session, `GET ${keysPath}`, { mode: one })],
      ...[mainKey(session), ...live].map(
        (key) =>
          [
            ` on a write with ${key.label}`,
            (one: KeyMode) => tryWrite(session, key, `in the ${one}`, { mode: one }),
          ] as const,
      ),
      ...live.map((key) => [` with ${key.label}`, (one: KeyMode) => read(session, id, { key, mode: one })] as const),
    ];
    for (const [how, send] of calls) {
      await judgePart(tally, async () => {
        const answer = await send(mode);
        if (!answer.accepted && !(await send(mode === 'header' ? 'query' : 'header')).accepted) {
          const message = `Cannot tell whether a key in ${place} is refused${how}: the call fails in every mode (${describeAnswer(answer)})`;
          throw undecided(answer, message, endpointOf(answer.exchange.endpoint ?? '').clause);
        }
        tally.judge(expectAccepted(answer, `${refused}${how}`));
      });
    }
    if (mode === 'header') {
      tally.judge(expectAccepted(await readInLowerCase(session), `${refused} if the name is spelled x-api-key`));
    }
    return tally.outcome({ calls: tally.outcome().compared, environments: 1 + live.length });
  };

/** Header names are case-insensitive (RFC 9110, 5.1). */
async function readInLowerCase(session: Session): Promise<Answer> {
  const key = mainKey(session);
  const headers = { 'X-API-Key': '', 'x-api-key': key.secret };
  return session.client.send(callOf(await workingRead(session), key, { mode: 'header', headers }));
}

/** Which key wins where one is sent in the header and another in the query, one of them valid. */
export async function precedence(session: Session): Promise<Record<string, string>> {
  const endpoint = await workingRead(session);
  await session.until('badKeys');
  const valid = mainKey(session);
  const [unknown] = neverIssuedKeys(session);
  const send = (key: ApiKey, queryKey: ApiKey): Promise<Answer> =>
    session.client.send(callOf(endpoint, key, { mode: 'header', queryKey, purpose: 'off-document' }));
  const [header, query] = [await send(valid, unknown), await send(unknown, valid)];
  const [withQuery, withoutQuery] = header.accepted
    ? (['either, if it is valid', 'header'] as const)
    : (['query', 'neither'] as const);
  return {
    validInHeader: describeAnswer(header),
    validInQuery: describeAnswer(query),
    wins: query.accepted ? withQuery : withoutQuery,
  };
}

/** Which undocumented ways of sending a key open a documented read (Authentication 6 states two more than it shows). */
export async function otherModes(session: Session): Promise<Record<string, string>> {
  const endpoint = await workingRead(session);
  await session.until('badKeys');
  const key: ApiKey = { ...mainKey(session), origin: 'unknown' };
  const found: Record<string, string> = {};
  for (const mode of ['bearer', 'basic', 'cookie'] as const) {
    const answer = await session.client.send(callOf(endpoint, key, { mode, purpose: 'off-document' }));
    found[mode] = answer.accepted ? 'accepted' : `refused: ${describeAnswer(answer)}`;
  }
  return found;
}

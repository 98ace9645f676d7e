import { show } from '../../common/schema.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { type Environment, keyPrefix, scopes } from '../../contract/scopes.ts';
import type { Tally } from '../../results/outcome.ts';
import { atMoment, type Check, type Checks, judgePart, resultOrNull } from '../engine/check.ts';
import { describeAnswer, expectAccepted, judgeThat, needAccepted, undecided } from '../engine/expect.ts';
import { read, workingRead } from '../records/reads.ts';
import { type Answer, type ApiKey, callOf, type KeyMode } from '../session/call.ts';
import { mainKey, type Session } from '../session/session.ts';
import { judgeInvalidKey, judgeMissingKey } from '../shared/refusals/keys-refused.ts';
import { neverIssuedKeys } from '../shared/refusals/never-issued.ts';
import { keysOfBothEnvironments } from './environments.ts';
import { judgeDeletedKey } from './keys/deleted-key.ts';
import { keyStory } from './keys/key-story.ts';
import { create, deleteIfMade, liveKey, standingKey } from './keys/making.ts';
import { mainRotation } from './keys/rotation-story.ts';
import { secretIn } from './keys/run-key.ts';
import { tryWrite } from './keys/ways.ts';
import { judgeRefusedWrites } from './refused-writes.ts';

/** Authentication: how keys are sent, and which are refused. */
export const auth: Checks = {
  'developer.auth.header': keyAcceptedIn('header', 'X-API-Key'),
  'developer.auth.query': keyAcceptedIn('query', 'the query parameter api_key'),
  'developer.auth.missing-key': atMoment('badKeys', judgeMissingKey),
  'developer.auth.invalid-key': atMoment('badKeys', judgeInvalidKey),

  'developer.auth.deleted-key': atMoment('badKeys', judgeDeletedKey),

  'developer.auth.sandbox-prefix': (session, tally) => judgePrefix(session, tally, 'sandbox'),
  'developer.auth.live-prefix': (session, tally) => judgePrefix(session, tally, 'live'),

  'developer.auth.no-effect': atMoment('badKeys', judgeRefusedWrites),

  'developer.auth.precedence': atMoment('badKeys', observePrecedence),

  'developer.auth.rotated-key': async (session) => {
    const { answer, former } = await mainRotation(session);
    needAccepted(answer, 'Key cannot be rotated', 'developer.keys.rotate');
    const { atOnce, later } = former();
    return {
      oldSecretAtOnce: describeAnswer(atOnce),
      [`oldSecretAfter${session.settings.KEY_SETTLE_MS}Ms`]: describeAnswer(later),
    };
  },

  'developer.auth.other-modes': atMoment('badKeys', observeOtherModes),
};

/** A created key begins with the prefix of the environment that was asked for, whichever key makes it. */
async function judgePrefix(session: Session, tally: Tally, environment: Environment): Promise<void> {
  const { record } = (await keyStory(session, environment)).made;
  // The document does not say whether a key may make keys of the other environment.
  const other = await resultOrNull(environment === 'live' ? standingKey(session) : liveKey(session));
  const byOther = other && (await resultOrNull(create(session, 'by another', scopes, environment, other.key)));
  await (byOther && other && deleteIfMade(session, byOther, other.key));
  const prefix = keyPrefix[environment];
  for (const answer of [record.answer, ...(byOther?.answer.accepted ? [byOther.answer] : [])]) {
    const { secret = '', pointer = '/data' } = secretIn(answer) ?? {};
    judgeThat(tally, secret.startsWith(prefix), answer, {
      message: `New ${environment} key, made with ${answer.exchange.keyLabel}, does not begin with ${prefix}`,
      expected: `a key that starts with ${prefix}`,
      actual: show(secret.slice(0, Math.min(9, secret.length >> 2))),
      place: pointer,
    });
  }
}

/**
 * A key is accepted in the header, or in the query: on a read, on a read with further parameters and on a write, in
 * both environments, whose behaviour is identical. Whether each endpoint works is a clause of its own: except for the
 * first read, a refused call counts only where it is accepted in the other mode.
 */
function keyAcceptedIn(mode: 'header' | 'query', place: string): Check {
  return async (session, tally) => {
    const refused = `Key in ${place} is refused`;
    const reads: Answer[] = [];
    for (const endpoint of [...session.api.probes.slice(0, 1), ...session.api.tryouts]) {
      if (reads.at(-1)?.accepted !== true) {
        reads.push(await read(session, endpoint, { mode }));
      }
    }
    if (reads.at(-1)?.accepted !== true) {
      tally.judge(...reads.map((answer) => expectAccepted(answer, refused)));
      return undefined;
    }
    tally.judge(null);
    const endpoint = await workingRead(session);
    const [, ...live] = await keysOfBothEnvironments(session, endpoint.id);
    const query = { status: 'new', source: 'organic' };
    const calls: Record<string, (one: KeyMode) => Promise<Answer>> = {
      // Gateways that rewrite the query may lose the key, or the parameters beside it.
      ' when the query has other parameters': (one) =>
        read(session, 'GET /api/v1/developer/export/leads', { query, mode: one }),
    };
    for (const key of [mainKey(session), ...live]) {
      calls[` on a write with ${key.label}`] = (one) => tryWrite(session, key, `in the ${one}`, { mode: one });
      calls[` on a read with ${key.label}`] = (one) => read(session, endpoint.id, { key, mode: one });
    }
    for (const [how, send] of Object.entries(calls)) {
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
      // Header names are case-insensitive (RFC 9110, 5.1).
      const key = mainKey(session);
      const headers = { 'X-API-Key': '', 'x-api-key': key.secret };
      const answer = await session.client.send(callOf(endpoint, key, { mode, headers }));
      tally.judge(expectAccepted(answer, `${refused} if the name is spelled x-api-key`));
    }
    return { calls: tally.outcome().compared, environments: 1 + live.length };
  };
}

/** Which key wins where one is sent in the header and another in the query, one of them valid. */
async function observePrecedence(session: Session): Promise<unknown> {
  const endpoint = await workingRead(session);
  await session.until('badKeys');
  const valid = mainKey(session);
  const [unknown] = neverIssuedKeys(session);
  const send = (key: ApiKey, queryKey: ApiKey): Promise<Answer> =>
    session.client.send(callOf(endpoint, key, { mode: 'header', queryKey, purpose: 'off-document' }));
  const [header, query] = [await send(valid, unknown), await send(unknown, valid)];
  const ways = [header.accepted ? 'header' : '', query.accepted ? 'query' : ''].filter((one) => one !== '');
  return {
    validInHeader: describeAnswer(header),
    validInQuery: describeAnswer(query),
    wins: ways.length === 2 ? 'either, if it is valid' : (ways[0] ?? 'neither'),
  };
}

/** Which undocumented ways of sending a key open a documented read. "Four modes are stated in total", two are shown. */
async function observeOtherModes(session: Session): Promise<unknown> {
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

import { createTally, observed } from '../../results/outcome.ts';
import type { Inconclusive } from '../../results/stop.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { undecided } from '../engine/expect.ts';
import { judgePart, settle } from '../engine/parts.ts';
import type { Answer } from '../session/answer.ts';
import { callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { workingRead } from '../shared/reads.ts';
import { judgeInvalidKey, judgeMissingKey } from '../shared/refusals/keys-refused.ts';
import { neverIssuedKeys } from '../shared/refusals/never-issued.ts';
import { keyAcceptedIn } from './support/calls/key-modes.ts';
import { judgeRefusedWrites } from './support/calls/refused-writes.ts';
import { isModeOpen, judgeDeletedKey, judgeDeletedKeyOnEveryCall } from './support/keys/deleted-key.ts';
import { firstKey, firstKeyDeletion, firstKeyRead } from './support/keys/first-key.ts';
import { mainEnvironment } from './support/keys/key-makers.ts';
import { judgePrefix } from './support/lives/key-prefix.ts';
import { liveKeyDeletion } from './support/lives/live-key.ts';
import { formerSecret, judgeFormerSecret } from './support/rotation/former-secret.ts';
import { dropRotated } from './support/rotation/kept-by-rotation.ts';

/** Authentication: how keys are sent, and which are refused. */
export const auth: Checks = {
  'developer.auth.header': atMoment('badKeys', keyAcceptedIn('header', 'X-API-Key')),
  'developer.auth.query': atMoment('badKeys', keyAcceptedIn('query', 'the query parameter api_key')),
  'developer.auth.missing-key': atMoment('badKeys', judgeMissingKey),
  'developer.auth.invalid-key': atMoment('badKeys', judgeInvalidKey),

  'developer.auth.deleted-key': atMoment('badKeys', async (session) => {
    const tally = createTally();
    const calls: Record<string, number> = {};
    const isMainLive = mainEnvironment(session) === 'live';
    await Promise.all(
      (isMainLive ? [deletedFirstKey] : [deletedFirstKey, deletedLiveKey]).map((deletedKey) =>
        judgePart(tally, async () => {
          Object.assign(calls, await judgeDeletedKey(session, tally, await deletedKey(session)));
        }),
      ),
    );
    await judgePart(tally, () => judgeFormerSecret(session, tally));
    await judgePart(tally, async () => judgeDeletedKeyOnEveryCall(session, tally, await deletedFirstKey(session)));
    const outcome = tally.outcome({ calls });
    return isModeOpen(calls) ? { ...outcome, compared: 0 } : outcome;
  }),

  'developer.auth.sandbox-prefix': (session) => judgePrefix(session, 'sandbox'),
  'developer.auth.live-prefix': (session) => judgePrefix(session, 'live'),

  'developer.auth.no-effect': atMoment('badKeys', judgeRefusedWrites),

  'developer.auth.precedence': atMoment('badKeys', async (session) => {
    const endpoint = await workingRead(session);
    await session.until('badKeys');
    const valid = mainKey(session);
    const [unknown] = neverIssuedKeys(session);
    const send = (key: ApiKey, queryKey: ApiKey): Promise<Answer> =>
      session.client.send(callOf(endpoint, key, { mode: 'header', queryKey, purpose: 'off-document' }));
    const [header, query] = await Promise.all([send(valid, unknown), send(unknown, valid)]);
    return observed({
      validInHeader: describeAnswer(header),
      validInQuery: describeAnswer(query),
      wins: winner(header.accepted, query.accepted),
    });
  }),

  'developer.auth.rotated-key': async (session) => {
    const { atOnce, later } = await formerSecret(session);
    await settle(dropRotated(session, mainEnvironment(session)));
    return observed({
      oldSecretAtOnce: describeAnswer(atOnce),
      [`oldSecretAfter${session.settings.KEY_SETTLE_MS}Ms`]: describeAnswer(later),
    });
  },

  'developer.auth.other-modes': atMoment('badKeys', async (session) => observed(await otherModes(session))),
};

function winner(headerOpens: boolean, queryOpens: boolean): string {
  if (headerOpens) {
    return queryOpens ? 'either, if it is valid' : 'header';
  }
  return queryOpens ? 'query' : 'neither';
}

/** Which undocumented ways of sending a key open a documented read (Authentication 6 states two more than it shows). */
async function otherModes(session: Session): Promise<Record<string, string>> {
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

const cannotJudge = (answer: Answer, clause: string): Inconclusive =>
  undecided(answer, `Cannot be judged: ${describeAnswer(answer)}`, clause);

/** The run's first key, after its deletion. Throws Inconclusive where it did not work, or was not deleted. */
async function deletedFirstKey(session: Session): Promise<ApiKey> {
  const answer = await firstKeyRead(session);
  if (!answer.accepted) {
    throw cannotJudge(answer, 'developer.keys.create');
  }
  const deleted = await firstKeyDeletion(session);
  if (!deleted.accepted) {
    throw cannotJudge(deleted, 'developer.keys.delete');
  }
  return (await firstKey(session)).key;
}

/** The run's live key, after its deletion. Throws Inconclusive where that failed, Skipped where none may be made. */
async function deletedLiveKey(session: Session): Promise<ApiKey> {
  const { own, answer } = await liveKeyDeletion(session);
  if (!answer.accepted) {
    throw cannotJudge(answer, 'developer.keys.delete');
  }
  return own.key;
}

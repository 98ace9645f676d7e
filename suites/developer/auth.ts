import { show } from '../../common/schema.ts';
import { type Environment, keyPrefix, scopes } from '../../contract/scopes.ts';
import { keyBody } from '../../fixtures/developer-bodies.ts';
import { createTally, type Outcome, observed } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { findingOn, undecided } from '../engine/expect.ts';
import { judgePart, resultOrNull } from '../engine/parts.ts';
import { workingRead } from '../records/reads.ts';
import type { Answer } from '../session/answer.ts';
import { callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import { givenKey, mainKey } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { judgeInvalidKey, judgeMissingKey } from '../shared/refusals/keys-refused.ts';
import { neverIssuedKeys } from '../shared/refusals/never-issued.ts';
import { createKey, deleteIfMade, keyName, mainEnvironment, makerFor } from './keys/creation.ts';
import { isModeOpen, judgeDeletedKey, judgeDeletedKeyOnEveryCall, judgeFormerSecret } from './keys/deleted.ts';
import type { FoundSecret } from './keys/find-secrets.ts';
import { keyAcceptedIn } from './keys/key-modes.ts';
import { liveKey, makeKey, standingKey } from './keys/lending.ts';
import { type RunKey, secretIn } from './keys/run-key.ts';
import { firstStory, rotatedStory } from './keys/story.ts';
import { judgeRefusedWrites } from './refused-writes.ts';
/** Authentication: how keys are sent, and which are refused. */
export const auth: Checks = {
  'developer.auth.header': atMoment('badKeys', keyAcceptedIn('header', 'X-API-Key')),
  'developer.auth.query': atMoment('badKeys', keyAcceptedIn('query', 'the query parameter api_key')),
  'developer.auth.missing-key': atMoment('badKeys', judgeMissingKey),
  'developer.auth.invalid-key': atMoment('badKeys', judgeInvalidKey),

  'developer.auth.deleted-key': atMoment('badKeys', async (session) => {
    const tally = createTally();
    const calls: Record<string, number> = {};
    const main = mainEnvironment(session);
    const stories = [firstStory(session), ...(main === 'live' ? [] : [rotatedStory(session, 'live')])];
    await Promise.all(
      stories.map((story) =>
        judgePart(tally, async () => {
          Object.assign(calls, await judgeDeletedKey(session, tally, await story));
        }),
      ),
    );
    await judgePart(tally, async () => judgeFormerSecret(session, tally, await rotatedStory(session, main)));
    await judgePart(tally, async () => judgeDeletedKeyOnEveryCall(session, tally, await firstStory(session)));
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
    const { rotation } = await rotatedStory(session, mainEnvironment(session));
    const { answer, former } = rotation();
    if (former === null) {
      throw undecided(answer, `Cannot be judged: ${describeAnswer(answer)}`, 'developer.keys.rotate');
    }
    return observed({
      oldSecretAtOnce: describeAnswer(former.atOnce),
      [`oldSecretAfter${session.settings.KEY_SETTLE_MS}Ms`]: describeAnswer(former.later),
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

/** A created key begins with the prefix of the environment that was asked for, whichever key makes it. */
async function judgePrefix(session: Session, environment: Environment): Promise<Outcome> {
  const tally = createTally();
  const { key, record, places } = await (environment === 'live' ? newLiveKey(session) : newSandboxKey(session));
  tally.judge(prefixFinding(record.answer, environment, { secret: key.secret, pointer: places.secret }));
  // The document does not say whether a key may make keys of the other environment.
  const answer = await resultOrNull(creationByOtherEnvironment(session, environment));
  const secret = answer?.accepted ? secretIn(answer) : undefined;
  if (answer && secret !== undefined) {
    tally.judge(prefixFinding(answer, environment, secret, 'asked for with a key of the other environment'));
  }
  return tally.outcome();
}

const newSandboxKey = async (session: Session): Promise<RunKey> =>
  mainKey(session).environment === 'sandbox'
    ? (await firstStory(session)).made
    : makeKey(session, 'sandbox', scopes, { environment: 'sandbox' });

/** A live key that the run made; where the account has no room for a lasting one, the key that is rotated. */
const newLiveKey = async (session: Session): Promise<RunKey> =>
  (await resultOrNull(liveKey(session))) ?? (await rotatedStory(session, 'live')).made;

/**
 * The answer to a creation by a key of the other environment; what it makes is deleted. null: without a given live key,
 * the sandbox key made the live one that is judged already. Throws Skipped where WRITES forbids it.
 */
async function creationByOtherEnvironment(session: Session, environment: Environment): Promise<Answer | null> {
  if (environment === 'live' && givenKey(session, 'LIVE_API_KEY') === undefined) {
    return null;
  }
  const { key } = await (environment === 'live' ? standingKey(session) : liveKey(session));
  const tag = keyName(session, `${environment} by another`);
  const body = keyBody(tag, environment, scopes);
  // Keys may see only those of their own environment, or only those that they made.
  const maker = makerFor(session, environment);
  const attempt = await createKey(session, { tag, body, key, maker });
  await deleteIfMade(session, attempt, maker, key);
  return attempt.answer;
}

function prefixFinding(
  answer: Answer,
  environment: Environment,
  { secret, pointer }: FoundSecret,
  how?: string,
): Finding | null {
  const prefix = keyPrefix[environment];
  return secret.startsWith(prefix)
    ? null
    : findingOn(answer, {
        message: `New ${environment} key${how === undefined ? '' : `, ${how},`} does not begin with ${prefix}`,
        expected: `a key that starts with ${prefix}`,
        actual: show(secret.slice(0, Math.min(9, secret.length >> 2))),
        place: pointer,
      });
}

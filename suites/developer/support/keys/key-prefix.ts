import { show } from '../../../../common/schema.ts';
import { type Environment, keyPrefix, scopes } from '../../../../contract/scopes.ts';
import { keyBody } from '../../../../fixtures/developer-bodies.ts';
import { createTally, type Outcome } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { findingOn } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { givenKey, mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { firstKey } from './key-life.ts';
import { newLiveKey } from './live-key-life.ts';
import { deleteMade, liveKey, makeKey, makerFor, standingKey } from './make-key.ts';
import { createKey, keyName, type OwnKey, secretIn } from './own-key.ts';

/** A created key starts with the prefix of its environment, whichever environment the key is of that makes it. */
export async function judgePrefix(session: Session, environment: Environment): Promise<Outcome> {
  const tally = createTally();
  const { key, record, places } = await (environment === 'live' ? newLiveKey(session) : ownSandboxKey(session));
  tally.judge(prefixFinding(record.answer, environment, { secret: key.secret, pointer: places.secret }));
  const answer = await resultOrNull(madeByOther(session, environment));
  // Whether keys make those of another environment is left open.
  const secret = answer?.accepted ? secretIn(answer) : undefined;
  if (answer && secret !== undefined) {
    tally.judge(prefixFinding(answer, environment, secret, 'asked for with a key of the other environment'));
  }
  return tally.outcome();
}

/** The key whose life is followed, where it is a sandbox one. */
const ownSandboxKey = (session: Session): Promise<OwnKey> =>
  mainKey(session).environment === 'sandbox'
    ? firstKey(session)
    : makeKey(session, 'sandbox', scopes, { environment: 'sandbox' });

/** A key made by one of the other environment, and deleted. null: the first one was made so. Throws Skipped where WRITES forbids it. */
async function madeByOther(session: Session, environment: Environment): Promise<Answer | null> {
  if (environment === 'live' && givenKey(session, 'LIVE_API_KEY') === undefined) {
    return null;
  }
  const { key } = await (environment === 'live' ? standingKey(session) : liveKey(session));
  const tag = await keyName(session, `${environment} by another`);
  const body = keyBody(tag, environment, scopes);
  // Keys may see those of their own environment alone, or those alone that they made.
  const maker = makerFor(session, environment);
  const made = await createKey(session, { tag, body, key, maker });
  await deleteMade(session, made, maker, key);
  return made.answer;
}

function prefixFinding(
  answer: Answer,
  environment: Environment,
  { secret, pointer }: { readonly secret: string; readonly pointer: string },
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

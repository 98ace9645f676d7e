import type { Tally } from '../../../results/outcome.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn, undecided } from '../../engine/expect.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { judgeRefusal, type Refusal } from '../../shared/refusals/refusals.ts';
import { keysPath } from './run-key.ts';
import { firstStory, type KeyStory } from './story.ts';
import { inQuery } from './ways.ts';

// A 401 says nothing about a key's scopes where the deployment does not know the key, or no longer.

/**
 * Throws Inconclusive where the key list, which needs no scope, refuses a new key with 401: the deployment does not know
 * it. `what` begins the finding.
 */
export async function assertKeyKnown(session: Session, what: string, key: ApiKey): Promise<void> {
  const answer = await send(session, `GET ${keysPath}`, { key });
  if (answer.status === 401) {
    throw undecided(answer, `${what} is refused everywhere: ${describeAnswer(answer)}`, 'developer.keys.create');
  }
}

/** Calls of a new key that got 401 though others accept it: these services do not know keys that the run makes. */
export function refusalsOfKnown({ firstRead, uses }: KeyStory): readonly Answer[] {
  if (!firstRead().accepted) {
    return [];
  }
  // In the query, the mode itself may be refused.
  const answers = uses().flatMap((way) => (way.name === inQuery ? [] : way.answers));
  return answers.filter((answer) => answer?.status === 401).filter((answer) => answer !== null);
}

/** Whether a call got 401, as calls of the run's first key did: the service may know no keys that the run makes. */
export async function isRefusedLikeFirstKey(session: Session, { status }: Answer): Promise<boolean> {
  const refusals = status === 401 ? await resultOrNull(firstStory(session).then(refusalsOfKnown)) : null;
  return (refusals ?? []).length > 0;
}

/** A key of the run is refused for its scopes; left open where its keys are refused whatever their scopes. */
export async function judgeRunKeyRefusal(session: Session, tally: Tally, refusal: Refusal): Promise<void> {
  const { probe } = refusal;
  if (await isRefusedLikeFirstKey(session, probe)) {
    const message = `Keys of this run get 401, whatever their scopes: ${describeAnswer(probe)}`;
    tally.leaveOpen(findingOn(probe, { message, blames: 'developer.keys.create' }));
  } else {
    judgeRefusal(tally, refusal);
  }
}

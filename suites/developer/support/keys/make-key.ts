import { type Environment, type Scope, scopes } from '../../../../contract/scopes.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { undecided } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { inBackground } from '../../../session/attribution.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { step, stepFor } from '../../../session/step.ts';
import type { Attempt } from '../../../shared/records.ts';
import { createInTurn, fullAccountClause, mayMeanFullAccount, type Turn } from './account-room.ts';
import { deleteIfMade } from './drop-key.ts';
import { create } from './key-creation.ts';
import { mainEnvironment, makerFor } from './key-makers.ts';
import { type RunKey, runKeyOf, shownKey } from './run-key.ts';
import { firstKeyCreation, scopeNames } from './scope-names.ts';

interface KeyOptions {
  /** Default: that of the main key. */
  readonly environment?: Environment;
  /** How long it waits where the account is full. Default: for its turn. */
  readonly turn?: Turn;
  /** The key that makes it: the standing key, where that may, or else a given one. */
  readonly maker?: 'standing' | 'given';
}

/**
 * Makes a key with those of the chosen scopes whose names creation accepts, and as many as a key can have. `purpose`
 * is in its name and its label. Throws Inconclusive, with the clause to blame, where no key could be made, and
 * Skipped where WRITES forbids it.
 */
export async function makeKey(
  session: Session,
  purpose: string,
  chosen: readonly Scope[],
  { environment = mainEnvironment(session), turn = 'in turn', maker = 'standing' }: KeyOptions = {},
): Promise<RunKey> {
  // Another key could take the last room of the account while the creation of the first key waits out a 429.
  const first = await resultOrNull(firstKeyCreation(session));
  if (first?.answer.accepted) {
    // Where nothing shows the id of the first key, it cannot be deleted, nor could others.
    shownKey(session, first, 'main');
  }
  const { accepted, together } = await scopeNames(session);
  const named = chosen.filter((scope) => accepted.includes(scope));
  const wanted = named.length <= together.length ? named : named.filter((scope) => together.includes(scope));
  if (wanted.length === 0) {
    const message = `Key "${purpose}" cannot be created: none of its scope names is accepted`;
    throw new Inconclusive({ message, blames: 'developer.scopes.accepted' });
  }
  const needsGivenKey = maker === 'given' || environment !== mainEnvironment(session);
  const make = async (): Promise<Attempt> => {
    const helper = needsGivenKey ? null : await resultOrNull(standingKey(session));
    return create(session, { purpose, scopes: wanted, environment }, helper);
  };
  const attempt = await createInTurn(session, turn, make, async () => {
    if (await isRefusedFor(session, environment)) {
      return false;
    }
    void inBackground(async () => session.api.makeRoom?.(session));
    return (await firstKeyCreation(session)).answer.accepted;
  });
  const isRefused = !attempt.answer.accepted && mayMeanFullAccount(attempt);
  if (isRefused && !(await isRefusedFor(session, environment))) {
    const message = `Key "${purpose}" cannot be created: ${describeAnswer(attempt.answer)}`;
    throw undecided(attempt.answer, message, fullAccountClause(session));
  }
  return runKeyOf(session, attempt, { purpose, environment });
}

/**
 * Whether creation refuses keys of an environment, and not because the account is full: it makes a key of the main
 * key's environment, and refuses one of this environment again when that key is deleted.
 */
const isRefusedFor = stepFor(
  (environment: Environment) => environment,
  async (session, environment): Promise<boolean> => {
    if (environment === mainEnvironment(session)) {
      return false;
    }
    const helper = await resultOrNull(standingKey(session));
    const twin = await create(session, { purpose: 'comparison', scopes }, helper);
    if (!twin.answer.accepted) {
      return false;
    }
    await deleteIfMade(session, twin, mainKey(session));
    const again = await create(session, { purpose: 'compared again', scopes, environment });
    await deleteIfMade(session, again, makerFor(session, environment));
    return !again.answer.accepted;
  },
);

/** A lasting key with all scopes: makes other keys, and reads in place of a given key, whose budget is spared. */
export const standingKey = step((session) => makeKey(session, 'shared', scopes, { turn: 'never', maker: 'given' }));

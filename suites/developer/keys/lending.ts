import { at } from '../../../common/json.ts';
import { createSemaphore } from '../../../common/semaphore.ts';
import { type Environment, type Scope, scopes } from '../../../contract/scopes.ts';
import { Inconclusive } from '../../../results/outcome.ts';
import { resultOrNull } from '../../engine/check.ts';
import { describeAnswer, findingOn } from '../../engine/expect.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { step, stepFor } from '../../session/step.ts';
import { acceptedScopes, create, dropKey, firstKeyCreation, mainEnvironment, makerFor } from './creation.ts';
import { type RunKey, runKeyOf, shownKey } from './run-key.ts';
import { readUsage, tryKey } from './ways.ts';

/** Words of a refusal because an account is full. */
const wordsOfFullAccount = /limit|maxim|quota|too many|at most|no more|exceed|reached/i;

/** Whether a creation was refused for a full account. */
export const saysFull = ({ status, json }: Answer): boolean =>
  [402, 409, 429].includes(status) ||
  ([400, 403].includes(status) && wordsOfFullAccount.test(JSON.stringify(at(json, '/error')) ?? ''));

/** Throws Inconclusive where a creation was refused for a full account: that does not show whether creation works. */
export function assertAccountNotFull(answer: Answer): void {
  if (saysFull(answer)) {
    const actual = describeAnswer(answer);
    const message = `No key can be created: the account seems to be full: ${actual}`;
    throw new Inconclusive(
      findingOn(answer, { message, expected: '2xx', actual, advice: 'Delete unused keys and run again' }),
    );
  }
}

/**
 * Makes a key with those of the chosen scopes whose names creation accepts, with `helper` where that may, or with the
 * given key of the environment. `purpose` is in its name and its label. Throws Inconclusive, with the clause to blame,
 * where no key could be made, and Skipped where WRITES forbids it.
 */
export async function makeKey(
  session: Session,
  purpose: string,
  chosen: readonly Scope[],
  environment = mainEnvironment(session),
  helper?: ApiKey,
): Promise<RunKey> {
  // The first key comes first: all clauses on keys need it, and where nothing shows its id, others cannot be deleted.
  const first = await resultOrNull(firstKeyCreation(session));
  if (first?.answer.accepted) {
    shownKey(first, 'main');
  }
  const accepted = await acceptedScopes(session);
  const named = chosen.filter((scope) => accepted.includes(scope));
  if (named.length === 0) {
    const message = `Key "${purpose}" cannot be created: none of its scope names is accepted`;
    throw new Inconclusive({ message, blames: 'developer.scopes.accepted' });
  }
  const attempt = await create(session, purpose, named, environment, helper);
  const { answer } = attempt;
  if (helper !== undefined && [401, 403].includes(answer.status)) {
    return makeKey(session, purpose, chosen, environment);
  }
  assertAccountNotFull(answer);
  return runKeyOf(session, attempt, { purpose, environment });
}

/** How many keys are lent at the same time: an account may have room for few. */
const permit = step(async () => createSemaphore(2));

/** Makes a key for `use`, and deletes it afterwards. Throws as `makeKey` does, and what `use` throws. */
export async function lendKey<T>(
  session: Session,
  [purpose, scopes, environment]: readonly [purpose: string, scopes: readonly Scope[], environment?: Environment],
  use: (own: RunKey) => Promise<T>,
): Promise<T> {
  const withPermit = await permit(session);
  // This spares the budgets of the given keys, since many keys are lent.
  const helper = await resultOrNull(environment === 'live' ? liveKey(session) : standingKey(session));
  return withPermit(async () => {
    const own = await makeKey(session, purpose, scopes, environment, helper?.key);
    try {
      return await use(own);
    } finally {
      await dropKey(session, own);
    }
  });
}

/** A lasting key with all scopes, for calls that would use up much of a given key's budget. */
export const standingKey = step((session) => makeKey(session, 'shared', scopes));

/** A lasting live key with all scopes. */
export const liveKey = step((session) => makeKey(session, 'live', scopes, 'live'));

/**
 * The key that rotates, reads and deletes the keys of an environment: the one that makes them. Where a sandbox key does
 * not find the live keys that it makes, it is a live key of the run.
 */
export const managerOf = stepFor(
  (environment: Environment) => environment,
  async (session, environment): Promise<ApiKey> => {
    const maker = makerFor(session, environment);
    const own = environment === 'live' && maker.environment !== 'live' ? await resultOrNull(liveKey(session)) : null;
    const usage = own && (await resultOrNull(readUsage(session, own.id, { key: maker })));
    return own !== null && usage?.status === 404 ? own.key : maker;
  },
);

/** A lasting live key for reads by filters: with the others, they would take more than a minute of one key. */
export const liveFiltersKey = step((session) => makeKey(session, 'live filters', scopes, 'live'));

/**
 * The key named by key-management calls that must be refused, and a documented read with it before any such call. Nothing
 * else depends on it, if one takes effect.
 */
export const targetKey = step(async (session): Promise<RunKey & { readonly firstRead: Answer | null }> => {
  const own = await makeKey(session, 'in refused calls', scopes);
  return { ...own, firstRead: await resultOrNull(tryKey(session, own.key)) };
});

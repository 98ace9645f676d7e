import { createSemaphore } from '../../../common/semaphore.ts';
import { type Environment, type Scope, scopes } from '../../../contract/scopes.ts';
import { Inconclusive } from '../../../results/outcome.ts';
import { resultOrNull, settle, stageOrNull } from '../../engine/check.ts';
import { assertNotFull } from '../../records/bodies.ts';
import { adviceOnRows } from '../../records/listed-records.ts';
import { type Attempt, type Creation, createRecord, deleteRecord } from '../../records/own.ts';
import type { Answer, ApiKey } from '../../session/call.ts';
import { givenKey, mainKey, type Session, step } from '../../session/session.ts';
import { keysPath, type RunKey, runKeyOf, tryKey } from './run-key.ts';

/** The environment of the main key: keys are made for it unless a check asks for the other one. */
export const mainEnvironment = (session: Session): Environment =>
  mainKey(session).environment === 'live' ? 'live' : 'sandbox';

/** The environments that clauses on keys are judged in: the main one, and live. */
export const environmentsOf = (session: Session): readonly [Environment, ...Environment[]] =>
  mainEnvironment(session) === 'live' ? ['live'] : ['sandbox', 'live'];

/**
 * The given key that makes and deletes keys of an environment, since a key may not see keys of the other environment:
 * for live ones the live key, if there is one; or the main key.
 */
export const makerFor = (session: Session, environment: ApiKey['environment']): ApiKey =>
  (environment === 'live' ? givenKey(session, 'LIVE_API_KEY') : undefined) ?? mainKey(session);

/** So many keys may stay that the run cannot delete. */
const mostLost = 3;

/** The longest name that a key is given: the document does not show how long names may be. */
const longestName = 24;

/** A name that no other key has: short, of lower-case letters, digits and hyphens. */
export const keyName = (session: Session, purpose: string): string =>
  `${session.nextRecord().tag}-${purpose.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
    .slice(0, longestName)
    .replace(/-+$/, '');

/**
 * Sends a key creation; the ledger has what it makes. Throws Skipped where WRITES forbids a live key, which a request
 * may make, well-formed or not.
 */
export const createKey = (session: Session, creation: Creation): Promise<Attempt> => {
  const text = typeof creation.body === 'string' ? creation.body : JSON.stringify(creation.body ?? null);
  const makesLive = /"environment":\s*"\W*(live|prod)/i.test(text);
  return createRecord(session, keysPath, { ...creation, makesLive });
};

/**
 * Creates a key with the given key of its environment, or with `key`; `purpose` is in its name, which must contain the
 * run's tag, by which clean-up finds the key. Throws Inconclusive where nothing proves the ids of too many keys.
 */
export async function create(
  session: Session,
  purpose: string,
  scopes: readonly Scope[],
  environment: Environment,
  key: ApiKey = makerFor(session, environment),
): Promise<Attempt> {
  const lost = session.ledger.toDelete().filter(({ collection, accepted }) => collection === keysPath && accepted);
  if (lost.length >= mostLost) {
    throw new Inconclusive({
      message: `No further key is made: nothing proves the ids of ${lost.length} that the run made, so that it cannot delete them`,
      cause: `GET ${keysPath} shows no row of theirs: a cache may keep an older list`,
      advice: adviceOnRows(keysPath),
      blames: 'developer.keys.list',
    });
  }
  const tag = keyName(session, purpose);
  const maker = makerFor(session, environment);
  return createKey(session, { tag, body: { name: tag, environment, scopes }, key, maker });
}

/** Deletes a key of the run that is needed no more. Where that fails, the key is left to the clean-up. */
export const dropKey = (session: Session, { record, key }: RunKey): Promise<void> =>
  settle(deleteRecord(session, record, { key: makerFor(session, key.environment) }));

/**
 * Deletes the key that a creation made, if it made one. If `key` may not delete it, the new key is noted, so that
 * clean-up can let it delete itself.
 */
export async function deleteIfMade(session: Session, attempt: Attempt, key: ApiKey): Promise<void> {
  const { id } = attempt;
  if (id !== undefined && !(await resultOrNull(deleteRecord(session, { ...attempt, id }, { key })))?.accepted) {
    const role = { purpose: attempt.tag, environment: 'sandbox' } as const;
    stageOrNull(() => runKeyOf(session, { ...attempt, id }, role));
  }
}

// --- The first key of each environment

/** The first creation in an environment, with all twelve scopes. */
const allScopesCreation = step((session, environment: Environment) =>
  create(session, environment, scopes, environment),
);

/** Whether the scopes that a creation asks for may be why it failed. */
export const mayBeDueToScopes = ({ status }: Answer): boolean => status === 400 || status >= 500;

/**
 * The answer to a creation with each scope: with all twelve at once or, where these may be why it fails, by itself.
 * What is made by itself is deleted at once.
 */
export const scopeAnswers = step(async (session, environment: Environment): Promise<ReadonlyMap<Scope, Answer>> => {
  const all = await allScopesCreation(session, environment);
  const answers = new Map(scopes.map((scope) => [scope, all.answer]));
  for (const scope of mayBeDueToScopes(all.answer) ? scopes : []) {
    const attempt = await create(session, `scope ${scope}`, [scope], environment);
    await deleteIfMade(session, attempt, makerFor(session, environment));
    answers.set(scope, attempt.answer);
  }
  return answers;
});

/** The scopes that creation accepts; all where it is not known to accept any: the creation is at fault then. */
async function acceptedScopes(session: Session, environment: Environment): Promise<readonly Scope[]> {
  const answers = await scopeAnswers(session, environment);
  const accepted = scopes.filter((scope) => answers.get(scope)?.accepted);
  return accepted.length > 0 ? accepted : scopes;
}

/** The creation of an environment's first key, with all scopes whose names are accepted; it may have yielded no key. */
export const firstCreation = step(async (session, environment: Environment): Promise<Attempt> => {
  const accepted = await acceptedScopes(session, environment);
  return accepted.length === scopes.length
    ? allScopesCreation(session, environment)
    : create(session, environment, accepted, environment);
});

/** The first key of an environment. Throws Inconclusive where its creation yielded none. */
export const firstKey = step(async (session, environment: Environment) =>
  runKeyOf(session, await firstCreation(session, environment), { purpose: `first ${environment}`, environment }),
);

// --- Keys for other checks, and why there may be none

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
  const main = mainEnvironment(session);
  if ((await resultOrNull(firstCreation(session, main)))?.answer.accepted) {
    await firstKey(session, main);
  }
  const accepted = await acceptedScopes(session, environment);
  const named = chosen.filter((scope) => accepted.includes(scope));
  const attempt = await create(session, purpose, named, environment, helper);
  const { answer } = attempt;
  if (helper !== undefined && [401, 403].includes(answer.status)) {
    return makeKey(session, purpose, chosen, environment);
  }
  assertNotFull(answer, 'key');
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
  const helper = await resultOrNull(lastingKey(session, environment ?? mainEnvironment(session)));
  return withPermit(async () => {
    const own = await makeKey(session, purpose, scopes, environment, helper?.key);
    try {
      return await use(own);
    } finally {
      await dropKey(session, own);
    }
  });
}

/** A lasting key of the main environment with all scopes, for calls that would use up much of a given key's budget. */
export const standingKey = step((session) => makeKey(session, 'shared', scopes));

/** A lasting key of an environment: the first one of the main environment is deleted early. */
export const lastingKey = (session: Session, environment: Environment): Promise<RunKey> =>
  environment === mainEnvironment(session) ? standingKey(session) : firstKey(session, environment);

/**
 * The key that rotates, reads and deletes the keys of an environment: a given one of it or, since a key may not see
 * those of the other environment, a live one of the run.
 */
export const managerOf = async (session: Session, environment: Environment): Promise<ApiKey> => {
  const given = makerFor(session, environment);
  return environment === 'sandbox' || given.environment === 'live' ? given : (await firstKey(session, 'live')).key;
};

/** A lasting live key for reads by filters: with the others, they would take more than a minute of one key. */
export const liveFiltersKey = step((session) => makeKey(session, 'live filters', scopes, 'live'));

/**
 * The key named by key-management calls that must be refused, and a documented read with it before any such call.
 * Nothing else depends on it, if one takes effect.
 */
export const targetKey = step(async (session): Promise<RunKey & { readonly firstRead: Answer | null }> => {
  const own = await makeKey(session, 'in refused calls', scopes);
  return { ...own, firstRead: await resultOrNull(tryKey(session, own.key)) };
});

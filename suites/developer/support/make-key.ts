import { type Environment, type Prefix, type Scope, scopes, scopesWithout } from '../../../contract/scopes.ts';
import { keyBody } from '../../../fixtures/developer-bodies.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import { callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { givenKey, mainKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { step, stepFor } from '../../session/step.ts';
import { workingRead } from '../../shared/reads.ts';
import type { Attempt } from '../../shared/records.ts';
import { createKey, keyName, type OwnKey, ownKeyOf } from './own-key.ts';

/** Keys are made for the environment of the main key. */
export const ownEnvironment = (session: Session): Environment =>
  mainKey(session).environment === 'live' ? 'live' : 'sandbox';

/** Which scope names creation takes; where it took all at once, none is refused. */
export interface ScopeNames {
  readonly taken: readonly Scope[];
  /** What each name got that is not taken. */
  readonly refused: ReadonlyMap<Scope, Answer>;
  readonly atOnce: Answer;
}

/** Who makes keys of an environment: live ones the given live key where there is one, others the main key. */
export const makerFor = (session: Session, environment: Environment): ApiKey =>
  (environment === 'live' ? givenKey(session, 'LIVE_API_KEY') : undefined) ?? mainKey(session);

/** Keys with which the others are made. */
const firstOnes = /^(first$|standing$|scope )/;

/** Creates a key: by the standing one where that may, so that a given key's budget is spared. */
async function create(
  session: Session,
  purpose: string,
  chosen: readonly Scope[],
  environment = ownEnvironment(session),
): Promise<Attempt> {
  const name = keyName(session, purpose);
  const creation = { tag: name, body: keyBody(name, environment, chosen), maker: makerFor(session, environment) };
  const isByItself = firstOnes.test(purpose) || environment !== ownEnvironment(session);
  const helper = isByItself ? null : await resultOrNull(standingKey(session));
  const attempt = helper && (await createKey(session, { ...creation, key: helper.key }));
  return attempt !== null && ![401, 403].includes(attempt.answer.status) ? attempt : createKey(session, creation);
}

const firstCreation = step((session) => create(session, 'first', scopes));

/**
 * The scope names that creation takes. Only where all twelve at once get 400 is each tried alone, so that one bad name is
 * one clause's fault and keys can be made of the others.
 */
export const scopeNames = step(async (session): Promise<ScopeNames> => {
  const { answer } = await firstCreation(session);
  if (answer.status !== 400) {
    return { taken: scopes, refused: new Map(), atOnce: answer };
  }
  const taken: Scope[] = [];
  const refused = new Map<Scope, Answer>();
  for (const scope of scopes) {
    // A write scope without its read scope may be refused for good reason: each is tried beside those that are taken.
    const one = await create(session, `scope ${scope}`, [...taken, scope]);
    if (one.answer.accepted) {
      taken.push(scope);
    } else {
      refused.set(scope, one.answer);
    }
  }
  return { taken: taken.length === 0 ? scopes : taken, refused, atOnce: answer };
});

/** The creation of the run's first key, with all scopes that creation takes, whether it yielded a key or not. */
export const createdKey = step(async (session): Promise<Attempt> => {
  const { taken } = await scopeNames(session);
  return taken.length === scopes.length ? firstCreation(session) : create(session, 'first', taken);
});

/**
 * Makes a throw-away key with the scopes chosen, as far as their names are taken. Throws Inconclusive, naming the clause
 * that is to blame, where none could be made, and Skipped where WRITES forbids it.
 */
export async function makeKey(
  session: Session,
  purpose: string,
  chosen: readonly Scope[],
  environment = ownEnvironment(session),
): Promise<OwnKey> {
  const { taken } = await scopeNames(session);
  const wanted = chosen.filter((scope) => taken.includes(scope));
  if (wanted.length === 0) {
    throw new Inconclusive({
      message: `Key "${purpose}" cannot be made: no name of its scopes is taken`,
      blames: 'developer.scopes.accepted',
    });
  }
  return ownKeyOf(session, await create(session, purpose, wanted, environment), { purpose, environment });
}

/** A throw-away key with exactly these scopes, made once a run for each purpose. */
export const keyWith = stepFor(
  (purpose: string, _chosen: readonly Scope[]) => purpose,
  (session, purpose, chosen): Promise<OwnKey> => makeKey(session, purpose, chosen),
);

/** A throw-away key with the scopes of the five other modules. */
export const keyWithout = (session: Session, prefix: Prefix): Promise<OwnKey> =>
  keyWith(session, `without ${prefix}`, scopesWithout(prefix));

/** A throw-away live key. */
export const liveKey = step((session) => makeKey(session, 'live', scopes, 'live'));

/** A throw-away key with all scopes: it makes others, and reads what a given key need not. */
export const standingKey = step((session) => makeKey(session, 'standing', scopes));

/** A throw-away key that calls on keys name which are to be refused: nothing else depends on it. */
export const namedKey = step((session) => makeKey(session, 'named', scopes));

/** A documented read with it, before such calls are made. */
export const namedUse = step(
  async (session): Promise<Answer> =>
    session.client.send(callOf(await workingRead(session), (await namedKey(session)).key)),
);

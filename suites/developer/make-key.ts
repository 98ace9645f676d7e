import { type Environment, type Scope, scopes } from '../../contract/scopes.ts';
import { keyBody } from '../../fixtures/developer-bodies.ts';
import { Inconclusive } from '../../results/stop.ts';
import { accepted } from '../engine/expect.ts';
import type { Answer } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import type { Entry } from '../session/ledger.ts';
import type { Session } from '../session/session.ts';
import { givenKey, mainKey } from './calls.ts';
import { createKey, keyName, type OwnKey, ownKeyOf } from './own-keys.ts';

/** Keys are made for the environment of the main key. */
export const ownEnvironment = (session: Session): Environment =>
  mainKey(session).environment === 'live' ? 'live' : 'sandbox';

/** A key creation: what was sent and what came. */
export interface Creation {
  readonly answer: Answer;
  readonly entry: Entry;
  readonly body: unknown;
}

/** Which scope names creation takes; where it took all at once, none is refused. */
export interface ScopeNames {
  readonly taken: readonly Scope[];
  /** What each name got that is not taken. */
  readonly refused: ReadonlyMap<Scope, Answer>;
  readonly atOnce: Answer;
}

const create = async (session: Session, purpose: string, chosen: readonly Scope[]): Promise<Creation> => {
  const body = keyBody(keyName(session, purpose), ownEnvironment(session), chosen);
  return { ...(await createKey(session, body, mainKey(session))), body };
};

const firstKey = (session: Session): Promise<Creation> =>
  session.once('first key: create', () => create(session, 'lifecycle', scopes));

/**
 * The scope names that creation takes. Only where all twelve at once get 400 is each tried alone, so that one bad name is
 * one clause's fault and keys can be made of the others.
 */
export const scopeNames = (session: Session): Promise<ScopeNames> =>
  session.once('scope names', async () => {
    const { answer } = await firstKey(session);
    if (answer.status !== 400) {
      return { taken: scopes, refused: new Map(), atOnce: answer };
    }
    const taken: Scope[] = [];
    const refused = new Map<Scope, Answer>();
    for (const scope of scopes) {
      // A write scope without its read scope may be refused for good reason: each is tried beside those that are taken.
      const one = await create(session, `scope ${scope}`, [...taken, scope]);
      if (accepted(one.answer)) {
        taken.push(scope);
      } else {
        refused.set(scope, one.answer);
      }
    }
    return { taken: taken.length === 0 ? scopes : taken, refused, atOnce: answer };
  });

/** The creation of the run's first key, with all scopes that creation takes, whether it yielded a key or not. */
export const createdKey = (session: Session): Promise<Creation> =>
  session.once('lifecycle key: create', async () => {
    const { taken } = await scopeNames(session);
    return taken.length === scopes.length ? firstKey(session) : create(session, 'lifecycle', taken);
  });

/** Who makes keys of an environment: live ones the given live key where there is one, others the main key. */
const makerFor = (session: Session, environment: Environment): ApiKey =>
  (environment === 'live' ? givenKey(session, 'LIVE_API_KEY') : undefined) ?? mainKey(session);

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
  const { answer, entry } = await createKey(
    session,
    keyBody(keyName(session, purpose), environment, wanted),
    makerFor(session, environment),
  );
  return ownKeyOf(session, { answer, entry, purpose, environment, pointer: '/data' });
}

/** A throw-away live key. */
export const liveKey = (session: Session): Promise<OwnKey> =>
  session.once('live key', () => makeKey(session, 'live', scopes, 'live'));

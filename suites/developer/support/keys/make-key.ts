import { type Environment, type Scope, scopes } from '../../../../contract/scopes.ts';
import { keyBody } from '../../../../fixtures/developer-bodies.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer, undecided } from '../../../engine/expect.ts';
import { resultOrNull, settle } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { callOf } from '../../../session/call.ts';
import type { ApiKey } from '../../../session/key.ts';
import { givenKey, mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { refusesBody } from '../../../shared/complaints/refused-body.ts';
import { workingRead } from '../../../shared/reads.ts';
import { type Attempt, deleteRecord } from '../../../shared/records.ts';
import { blamesForRoom, createInTurn, mayBeFull, type Turn } from './key-room.ts';
import { createKey, keyName, keysPath, nameRule, type OwnKey, ownKeyOf } from './own-key.ts';

/** Keys are made for the environment of the main key. */
export const ownEnvironment = (session: Session): Environment =>
  mainKey(session).environment === 'live' ? 'live' : 'sandbox';

/** Which scope names creation takes; where it took all at once, none is refused. */
interface ScopeNames {
  readonly taken: readonly Scope[];
  /** What each refused name got. */
  readonly refused: ReadonlyMap<Scope, Answer>;
  readonly atOnce: Answer;
}

/** Who makes keys of an environment: live ones the given live key where there is one, others the main key. */
export const makerFor = (session: Session, environment: Environment): ApiKey =>
  (environment === 'live' ? givenKey(session, 'LIVE_API_KEY') : undefined) ?? mainKey(session);

/** The given key that deletes what another of its environment makes: keys may see those of their own environment alone. */
export const deleterOf = (session: Session, { environment }: ApiKey): ApiKey =>
  makerFor(session, environment === 'live' ? 'live' : ownEnvironment(session));

/** Whether the run has not deleted a key yet: one that lasts goes before the end, where an account is full. */
export const isKept = (session: Session, own: OwnKey): boolean =>
  session.ledger.toDelete().some(({ collection, id }) => collection === keysPath && id === own.id);

/** Keys with which the others are made. */
const firstOnes = /^(first$|standing$|scope )/;

/** Creates a key; where the connection broke, another one: the clean-up looks for what was made, if anything was. */
async function create(...wanted: Parameters<typeof createOnce>): Promise<Attempt> {
  const attempt = await createOnce(...wanted);
  const isBroken = ['closed', 'reset'].includes(attempt.answer.exchange.failure?.kind ?? '');
  return isBroken ? createOnce(...wanted) : attempt;
}

/** By the standing key where that may, so that a given key's budget is spared. */
async function createOnce(
  session: Session,
  purpose: string,
  chosen: readonly Scope[],
  environment = ownEnvironment(session),
): Promise<Attempt> {
  const name = await keyName(session, purpose);
  const creation = { tag: name, body: keyBody(name, environment, chosen), maker: makerFor(session, environment) };
  const isByItself = firstOnes.test(purpose) || environment !== ownEnvironment(session);
  const helper = isByItself ? null : await resultOrNull(standingKey(session));
  const attempt = helper && isKept(session, helper) ? await createKey(session, { ...creation, key: helper.key }) : null;
  return attempt !== null && ![401, 403].includes(attempt.answer.status) ? attempt : createKey(session, creation);
}

/** Longer than the bursts that limiters count, ms. */
const burstMs = 1_100;

/** What a name may be is not shown: one of letters and digits alone is tried where the first is refused. */
const firstCreation = step(async (session): Promise<Attempt> => {
  const rule = await nameRule(session);
  const make = (): Promise<Attempt> => create(session, 'first', scopes);
  const tried = await make();
  // A limiter of bursts lets it in a moment later; other keys are waited for in any case.
  await session.clock.sleep(tried.answer.status === 429 ? burstMs : 0);
  const first = tried.answer.status === 429 ? await make() : tried;
  if (!refusesBody(first.answer)) {
    return first;
  }
  rule.separator = '';
  const again = await make();
  if (again.answer.accepted) {
    return again;
  }
  rule.separator = '-';
  return first;
});

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
  { environment = ownEnvironment(session), turn = 'in turn' }: { environment?: Environment; turn?: Turn } = {},
): Promise<OwnKey> {
  const { taken } = await scopeNames(session);
  const wanted = chosen.filter((scope) => taken.includes(scope));
  if (wanted.length === 0) {
    const message = `Key "${purpose}" cannot be created: none of its scope names is accepted`;
    throw new Inconclusive({ message, blames: 'developer.scopes.accepted' });
  }
  const make = (): Promise<Attempt> => create(session, purpose, wanted, environment);
  const attempt = await createInTurn(session, turn, make, async () => {
    void retired(session);
    return (await createdKey(session)).answer.accepted;
  });
  if (!attempt.answer.accepted && mayBeFull(attempt)) {
    const message = `Key "${purpose}" cannot be created: ${describeAnswer(attempt.answer)}`;
    throw undecided(attempt.answer, message, blamesForRoom(session));
  }
  return ownKeyOf(session, attempt, { purpose, environment });
}

/** Deletes the keys that are there during the whole run, once only the clauses on limits are left. */
const retired = step(async (session): Promise<void> => {
  await session.quiet;
  for (const lasting of [standingKey, liveKey]) {
    const own = await resultOrNull(lasting(session));
    if (own !== null) {
      await dropKey(session, own);
    }
  }
});

/** Deletes a key of the run's that is needed no more. What keeps it from being deleted is left to the clean-up. */
export async function dropKey(session: Session, { record, key }: OwnKey): Promise<void> {
  const environment = key.environment === 'live' ? 'live' : ownEnvironment(session);
  await settle(deleteRecord(session, record, { key: makerFor(session, environment) }));
}

/** Deletes a key, where one was made, with the first of these keys that may. */
export async function deleteMade(session: Session, made: Attempt, ...keys: readonly ApiKey[]): Promise<void> {
  const { id } = made;
  for (const key of id === undefined ? [] : keys) {
    if ((await resultOrNull(deleteRecord(session, { ...made, id: String(id) }, { key })))?.accepted) {
      return;
    }
  }
}

/** A throw-away live key, and the answer to its first use; null: no read can be made. */
const madeLive = step(async (session): Promise<{ readonly own: OwnKey; readonly use: Answer | null }> => {
  const own = await makeKey(session, 'live', scopes, { environment: 'live', turn: 'never' });
  // At once and alone: of many calls with a key that is not known yet, most would wait until it is.
  const use = await resultOrNull((async () => session.client.send(callOf(await workingRead(session), own.key)))());
  return { own, use };
});

/** A throw-away live key. */
export const liveKey = step(async (session) => (await madeLive(session)).own);

/** A documented read with it, made when it was. Throws Inconclusive where none can be made. */
export const liveUse = step(
  async (session): Promise<Answer> =>
    (await madeLive(session)).use ??
    session.client.send(callOf(await workingRead(session), (await liveKey(session)).key)),
);

/** A throw-away key with all scopes: it makes others, and reads what a given key need not. */
export const standingKey = step((session) => makeKey(session, 'standing', scopes, { turn: 'never' }));

/** A throw-away key that calls on keys name which are to be refused: nothing else depends on it. */
export const namedKey = step((session) => makeKey(session, 'named', scopes, { turn: 'badKeys' }));

/** A documented read with it, before such calls are made. */
export const namedUse = step(
  async (session): Promise<Answer> =>
    session.client.send(callOf(await workingRead(session), (await namedKey(session)).key)),
);

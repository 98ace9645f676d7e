import { type Environment, type Prefix, type Scope, scopes, scopesOf } from '../../../../contract/scopes.ts';
import { keyBody } from '../../../../fixtures/developer-bodies.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer, undecided } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { inBackground } from '../../../session/attribution.ts';
import { callOf } from '../../../session/call.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { step, stepFor } from '../../../session/step.ts';
import { refusesBody } from '../../../shared/complaints/refused-body.ts';
import { workingRead } from '../../../shared/reads.ts';
import type { Attempt } from '../../../shared/records.ts';
import { createInTurn, fullAccountClause, mayMeanFullAccount, type Turn } from './account-room.ts';
import { burstMs, createKey, keyName, nameRule } from './create-key.ts';
import { deleteIfMade, isNotDeletedYet } from './drop-key.ts';
import { mainEnvironment, makerFor } from './key-makers.ts';
import { type RunKey, runKeyOf, shownKey } from './run-key.ts';

/** Creates a key; where the connection broke, another one: the clean-up finds what the first request may have made. */
async function create(...wanted: Parameters<typeof createOnce>): Promise<Attempt> {
  const attempt = await createOnce(...wanted);
  const isBroken = ['closed', 'reset'].includes(attempt.answer.exchange.failure?.kind ?? '');
  return isBroken ? createOnce(...wanted) : attempt;
}

/** Purposes of keys that a given key makes itself: the standing key, which makes the others, and those before it. */
const madeByGivenKey = /^(first$|standing$|scope )/;

/** Creates a key, with the standing key where that one may: the budget of the given key is spared. */
async function createOnce(
  session: Session,
  purpose: string,
  chosen: readonly Scope[],
  environment = mainEnvironment(session),
): Promise<Attempt> {
  const name = await keyName(session, purpose);
  const creation = { tag: name, body: keyBody(name, environment, chosen), maker: makerFor(session, environment) };
  const needsGivenKey = madeByGivenKey.test(purpose) || environment !== mainEnvironment(session);
  const helper = needsGivenKey ? null : await resultOrNull(standingKey(session));
  if (helper !== null && isNotDeletedYet(session, helper)) {
    const attempt = await createKey(session, { ...creation, key: helper.key });
    if (![401, 403].includes(attempt.answer.status)) {
      return attempt;
    }
  }
  return createKey(session, creation);
}

/** The first creation, with all twelve scopes. Where the body is refused, its name may be why: another one is tried. */
const allScopesCreation = step(async (session): Promise<Attempt> => {
  const rule = await nameRule(session);
  const make = (): Promise<Attempt> => create(session, 'first', scopes);
  let first = await make();
  if (first.answer.status === 429) {
    // A limiter of bursts accepts it a moment later. Keys made later are waited for in any case.
    await session.clock.sleep(burstMs);
    first = await make();
  }
  if (!refusesBody(first.answer)) {
    return first;
  }
  // Names stay plain from then on: where this is refused, too, both the name and the scopes may be why.
  rule.separator = '';
  const plainlyNamed = await make();
  return plainlyNamed.answer.accepted ? plainlyNamed : first;
});

/** Which scope names key creation accepts. */
interface ScopeNames {
  /** All twelve where no name is known to be accepted: the creation is at fault then, and not the names. */
  readonly accepted: readonly Scope[];
  /** Those that one key can have: an account may limit how many scopes a key has. */
  readonly together: readonly Scope[];
  /** The answer to each refused name. */
  readonly refused: ReadonlyMap<Scope, Answer>;
  /** The answer to all twelve at once. */
  readonly allAtOnce: Answer;
  /** Whether a name was accepted: then a refusal is about another name. */
  readonly isAnyAccepted: boolean;
}

/** Whether the scopes that a creation asks for may be why it failed. */
const mayBeDueToScopes = ({ status }: Answer): boolean => status === 400 || status >= 500;

/** The scope names that creation accepts. Each is tried by itself only where all twelve at once fail. */
export const scopeNames = step(async (session): Promise<ScopeNames> => {
  const { answer } = await allScopesCreation(session);
  if (!mayBeDueToScopes(answer)) {
    const isAnyAccepted = answer.accepted;
    return { accepted: scopes, together: scopes, refused: new Map(), allAtOnce: answer, isAnyAccepted };
  }
  const accepted: Scope[] = [];
  const together: Scope[] = [];
  const refused = new Map<Scope, Answer>();
  for (const scope of scopes) {
    const tried = await tryScope(session, scope, { accepted, together });
    if (tried.isBesideOthers) {
      together.push(scope);
    }
    if (tried.answer.accepted) {
      accepted.push(scope);
    } else if (mayBeDueToScopes(tried.answer)) {
      refused.set(scope, tried.answer);
    }
  }
  return accepted.length === 0
    ? { accepted: scopes, together: scopes, refused, allAtOnce: answer, isAnyAccepted: false }
    : { accepted, together, refused, allAtOnce: answer, isAnyAccepted: true };
});

/** What the creation of a key with a scope showed. */
interface ScopeTrial {
  readonly answer: Answer;
  /** Whether one key can have the scope and all others that were accepted together. */
  readonly isBesideOthers: boolean;
}

/**
 * Creates a key with a scope beside others that were accepted together: a write scope may rightly be refused without
 * its read scope. Where the key is refused, another one has the accepted scopes of its module alone: there may be too
 * many.
 */
export async function tryScope(
  session: Session,
  scope: Scope,
  { accepted, together }: Pick<ScopeNames, 'accepted' | 'together'>,
  environment = mainEnvironment(session),
): Promise<ScopeTrial> {
  const tryWith = async (chosen: readonly Scope[]): Promise<Answer> => {
    const attempt = await create(session, `scope ${scope} of a ${environment} key`, chosen, environment);
    // Deleted at once, since an account may have only few keys.
    await deleteIfMade(session, attempt, makerFor(session, environment));
    return attempt.answer;
  };
  const beside = await tryWith([...together, scope]);
  const [prefix] = scope.split(':') as [Prefix];
  const ofModule = scopesOf(prefix).filter((other) => other === scope || accepted.includes(other));
  const areOthersApart = together.some((other) => !ofModule.includes(other));
  if (beside.accepted || !areOthersApart) {
    return { answer: beside, isBesideOthers: beside.accepted };
  }
  return { answer: await tryWith(ofModule), isBesideOthers: false };
}

/** The creation of the run's first key, with all scopes that one key can have; it may have yielded no key. */
export const firstKeyCreation = step(async (session): Promise<Attempt> => {
  const { together } = await scopeNames(session);
  return together.length === scopes.length ? allScopesCreation(session) : create(session, 'first', together);
});

/**
 * Makes a key with those of the chosen scopes whose names creation accepts, and as many as a key can have. `purpose`
 * stands in its name and its label, `turn` says how long it waits where the account is full. Throws Inconclusive, with
 * the clause to blame, where no key could be made, and Skipped where WRITES forbids it.
 */
export async function makeKey(
  session: Session,
  purpose: string,
  chosen: readonly Scope[],
  { environment = mainEnvironment(session), turn = 'in turn' }: { environment?: Environment; turn?: Turn } = {},
): Promise<RunKey> {
  // Another key could take the last room of the account while the creation of the first key waits out a 429.
  const first = await resultOrNull(firstKeyCreation(session));
  if (first?.answer.accepted) {
    // Where nothing shows the id of the first key, it cannot be deleted, nor could others.
    shownKey(session, first, 'first');
  }
  const { accepted, together } = await scopeNames(session);
  const named = chosen.filter((scope) => accepted.includes(scope));
  const wanted = named.length <= together.length ? named : named.filter((scope) => together.includes(scope));
  if (wanted.length === 0) {
    const message = `Key "${purpose}" cannot be created: none of its scope names is accepted`;
    throw new Inconclusive({ message, blames: 'developer.scopes.accepted' });
  }
  const make = (): Promise<Attempt> => create(session, purpose, wanted, environment);
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
    const twin = environment === mainEnvironment(session) ? null : await create(session, 'twin', scopes);
    if (twin === null || !twin.answer.accepted) {
      return false;
    }
    await deleteIfMade(session, twin, mainKey(session));
    const again = await create(session, 'beside its twin', scopes, environment);
    await deleteIfMade(session, again, makerFor(session, environment));
    return !again.answer.accepted;
  },
);

/** A lasting key with all scopes: makes other keys, and reads in place of a given key, whose budget is spared. */
export const standingKey = step((session) => makeKey(session, 'standing', scopes, { turn: 'never' }));

/** A live key, and the answer to its first read; null: no read can be made. */
const liveKeyAndRead = step(async (session): Promise<{ readonly own: RunKey; readonly answer: Answer | null }> => {
  const own = await makeKey(session, 'live', scopes, { environment: 'live', turn: 'never' });
  // At once and alone: a key that is not known yet is waited for, and so would many calls with it be.
  const answer = await resultOrNull((async () => session.client.send(callOf(await workingRead(session), own.key)))());
  return { own, answer };
});

/** Kept for the whole run: a live key with all scopes. */
export const liveKey = step(async (session) => (await liveKeyAndRead(session)).own);

/** A live key for the exports: reads of all filters with one key would take more than its minute. */
export const liveExportsKey = step((session) =>
  makeKey(session, 'live exports', scopesOf('scheduling'), { environment: 'live', turn: 'never' }),
);

/** A documented read with the live key, sent when the key was made. Throws Inconclusive where none can be made. */
export const liveKeyRead = step(
  async (session): Promise<Answer> =>
    (await liveKeyAndRead(session)).answer ??
    session.client.send(callOf(await workingRead(session), (await liveKey(session)).key)),
);

/** The key named by key-management calls that must be refused. Nothing else depends on it, if one takes effect. */
export const targetKey = step((session) => makeKey(session, 'named', scopes, { turn: 'badKeys' }));

/** A documented read with the target key, before any such call is made. */
export const targetKeyRead = step(
  async (session): Promise<Answer> =>
    session.client.send(callOf(await workingRead(session), (await targetKey(session)).key)),
);

import { type Environment, type Scope, scopes } from '../../../../contract/scopes.ts';
import { keyBody } from '../../../../fixtures/developer-bodies.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer, undecided } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { callOf } from '../../../session/call.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { step, stepFor } from '../../../session/step.ts';
import { refusesBody } from '../../../shared/complaints/refused-body.ts';
import { workingRead } from '../../../shared/reads.ts';
import type { Attempt } from '../../../shared/records.ts';
import { createInTurn, fullAccountClause, suggestsFullAccount, type Turn } from './account-room.ts';
import { createKey, keyName, nameRule } from './create-key.ts';
import { deleteIfMade, dropKey, isNotDeletedYet } from './drop-key.ts';
import { mainEnvironment, makerFor } from './key-makers.ts';
import { type RunKey, runKeyOf } from './run-key.ts';

/** Creates a key; where the connection broke, another one: the clean-up finds what the first request may have made. */
export async function create(...wanted: Parameters<typeof createOnce>): Promise<Attempt> {
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

/** Longer than the bursts that limiters count, ms. */
const burstMs = 1_100;

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
  rule.separator = '';
  const plainlyNamed = await make();
  if (plainlyNamed.answer.accepted) {
    return plainlyNamed;
  }
  rule.separator = '-';
  return first;
});

/** Which scope names key creation accepts. */
interface ScopeNames {
  /** All twelve where creation accepts none by itself: the creation is at fault then, and not the names. */
  readonly accepted: readonly Scope[];
  /** The answer to each refused name. */
  readonly refused: ReadonlyMap<Scope, Answer>;
  /** The answer to all twelve at once. */
  readonly allAtOnce: Answer;
}

/** The scope names that creation accepts. Each is tried by itself only where all twelve at once get 400. */
export const scopeNames = step(async (session): Promise<ScopeNames> => {
  const { answer } = await allScopesCreation(session);
  if (answer.status !== 400) {
    return { accepted: scopes, refused: new Map(), allAtOnce: answer };
  }
  const accepted: Scope[] = [];
  const refused = new Map<Scope, Answer>();
  for (const scope of scopes) {
    // A write scope may rightly be refused without its read scope, so each name is tried beside those already accepted.
    const attempt = await create(session, `scope ${scope}`, [...accepted, scope]);
    if (attempt.answer.accepted) {
      accepted.push(scope);
    } else {
      refused.set(scope, attempt.answer);
    }
  }
  return { accepted: accepted.length === 0 ? scopes : accepted, refused, allAtOnce: answer };
});

/** The creation of the run's first key, with all scopes that creation accepts; it may have yielded no key. */
export const firstKeyCreation = step(async (session): Promise<Attempt> => {
  const { accepted } = await scopeNames(session);
  return accepted.length === scopes.length ? allScopesCreation(session) : create(session, 'first', accepted);
});

/**
 * Makes a key with those of the chosen scopes whose names creation accepts. `purpose` stands in its name and its label,
 * `turn` says how long it waits where the account is full. Throws Inconclusive, with the clause to blame, where no key
 * could be made, and Skipped where WRITES forbids it.
 */
export async function makeKey(
  session: Session,
  purpose: string,
  chosen: readonly Scope[],
  { environment = mainEnvironment(session), turn = 'in turn' }: { environment?: Environment; turn?: Turn } = {},
): Promise<RunKey> {
  const { accepted } = await scopeNames(session);
  const wanted = chosen.filter((scope) => accepted.includes(scope));
  if (wanted.length === 0) {
    const message = `Key "${purpose}" cannot be created: none of its scope names is accepted`;
    throw new Inconclusive({ message, blames: 'developer.scopes.accepted' });
  }
  const make = (): Promise<Attempt> => create(session, purpose, wanted, environment);
  const attempt = await createInTurn(session, turn, make, async () => {
    if (await isRefusedFor(session, environment)) {
      return false;
    }
    void dropLastingKeys(session);
    return (await firstKeyCreation(session)).answer.accepted;
  });
  const isRefused = !attempt.answer.accepted && suggestsFullAccount(attempt);
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

/** Deletes the lasting keys when only the clauses on limits are left: a full account needs the room. */
const dropLastingKeys = step(async (session): Promise<void> => {
  await session.quiet;
  for (const lastingKey of [standingKey, liveKey]) {
    const own = await resultOrNull(lastingKey(session));
    if (own !== null) {
      await dropKey(session, own);
    }
  }
});

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

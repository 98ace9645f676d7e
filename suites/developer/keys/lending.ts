import { type Environment, type Scope, scopes, scopesOf } from '../../../contract/scopes.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn } from '../../engine/expect.ts';
import { resultOrNull, settle } from '../../engine/parts.ts';
import { workingRead } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import { callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { mainKey } from '../../session/keys.ts';
import type { Moment } from '../../session/moments.ts';
import { createSemaphore } from '../../session/semaphore.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import {
  create,
  deleteIfMade,
  dropKey,
  firstKeyCreation,
  isNotDeletedYet,
  mainEnvironment,
  makerFor,
  scopeNames,
} from './creation.ts';
import { keysPath, type RunKey, runKeyOf, shownKey } from './run-key.ts';

/** How a key is made. */
interface Terms {
  /** Default: that of the main key. */
  readonly environment?: Environment;
  /** Whether it waits for room in a full account, as long as the run gives keys back; or until a moment, too. */
  readonly waits?: boolean | Moment;
  /** Whether it may take the room of the lasting keys, when only the clauses on limits are left. */
  readonly evicts?: boolean;
  /** Whether a given key makes it. Default: the standing key, where that may. */
  readonly byGivenKey?: boolean;
}

/** The keys that are lent, and who waits for one of them to be given back. */
interface Lent {
  count: number;
  /** How many were given back. */
  returned: number;
  /** Whether the lasting keys were deleted to make room. */
  isEvicted: boolean;
  /** Whether the first key was deleted to make room. */
  isFirstSpared: boolean;
  /** Whether a key was still listed after its deletion: it may take the room of another one. */
  hasDeletedKeys: boolean;
  readonly waiting: (() => void)[];
  /** An account may have room for few keys. */
  readonly permit: ReturnType<typeof createSemaphore>;
}

const lent = step(
  async (): Promise<Lent> => ({
    count: 0,
    returned: 0,
    isEvicted: false,
    isFirstSpared: false,
    hasDeletedKeys: false,
    waiting: [],
    permit: createSemaphore(2),
  }),
);

/** Statuses that say that an account has no room for another key, where nothing is wrong with the request. */
export const fullAccountStatuses: readonly number[] = [402, 403, 409, 429];

/** What a user can do about a full account. */
export const fullAccountAdvice = 'Delete unused keys and run again';

/**
 * Makes a key with those of the chosen scopes whose names creation accepts. `purpose` is in its name and its label.
 * Throws Inconclusive, with the clause to blame, where no key could be made, and Skipped where WRITES forbids it.
 */
export async function makeKey(
  session: Session,
  purpose: string,
  chosen: readonly Scope[],
  { environment = mainEnvironment(session), waits = true, evicts = false, byGivenKey = false }: Terms = {},
): Promise<RunKey> {
  // Another key could take the last room of the account before the first key is made.
  const first = await resultOrNull(firstKeyCreation(session));
  if (first?.answer.accepted) {
    // Where nothing shows the id of the first key, it cannot be deleted, nor could others.
    shownKey(session, first, 'main');
  }
  const { accepted } = await scopeNames(session);
  const named = chosen.filter((scope) => accepted.includes(scope));
  if (named.length === 0) {
    const message = `Key "${purpose}" cannot be created: none of its scope names is accepted`;
    throw new Inconclusive({ message, blames: 'developer.scopes.accepted' });
  }
  if (typeof waits === 'string') {
    await session.until(waits);
  }
  const isOther = environment !== mainEnvironment(session);
  const pool = await lent(session);
  for (let returnedAtPause = -1; ; ) {
    const helper = byGivenKey || isOther ? null : await resultOrNull(standingKey(session));
    const attempt = await create(session, { purpose, scopes: named, environment }, helper);
    if (!fullAccountStatuses.includes(attempt.answer.status)) {
      return runKeyOf(session, attempt, { purpose, environment });
    }
    if (
      waits !== false &&
      pool.count === 0 &&
      first !== null &&
      !pool.isFirstSpared &&
      isNotDeletedYet(session, first)
    ) {
      // No story of the first key was begun, as in a run of few clauses: nobody needs it.
      pool.isFirstSpared = true;
      await deleteIfMade(session, first, mainKey(session));
    } else if (waits !== false && pool.count > 0) {
      await new Promise<void>((resolve) => pool.waiting.push(resolve));
    } else if (evicts && !pool.isEvicted) {
      pool.isEvicted = true;
      await dropLastingKeys(session);
    } else if (waits !== false && pool.returned > returnedAtPause) {
      // Keys that are deleted as soon as they are made may have taken the room, and others that of a returned key.
      returnedAtPause = pool.returned;
      await session.clock.sleep(session.settings.KEY_SETTLE_MS);
    } else {
      throw noRoom(pool, attempt.answer, purpose);
    }
  }
}

const noRoom = ({ hasDeletedKeys }: Lent, answer: Answer, purpose: string): Inconclusive =>
  new Inconclusive(
    findingOn(answer, {
      message: `Key "${purpose}" cannot be created: ${describeAnswer(answer)}`,
      blames: hasDeletedKeys ? 'developer.keys.delete' : 'developer.keys.create',
      advice: fullAccountAdvice,
    }),
  );

/** Makes a key for `use`, and deletes it afterwards. Throws as `makeKey` does, and what `use` throws. */
export async function lendKey<T>(
  session: Session,
  [purpose, scopes, environment]: readonly [purpose: string, scopes: readonly Scope[], environment?: Environment],
  use: (own: RunKey) => Promise<T>,
): Promise<T> {
  const { permit } = await lent(session);
  return permit(() =>
    untilGivenBack(
      session,
      () => makeKey(session, purpose, scopes, environment === undefined ? {} : { environment }),
      use,
    ),
  );
}

/** Makes a key for `use`; deletes it afterwards, and tells those who wait for room. */
export async function untilGivenBack<T>(
  session: Session,
  make: () => Promise<RunKey>,
  use: (own: RunKey) => Promise<T>,
): Promise<T> {
  const pool = await lent(session);
  const own = await make();
  pool.count += 1;
  try {
    return await use(own);
  } finally {
    await dropKey(session, own);
    pool.count -= 1;
    pool.returned += 1;
    for (const goOn of pool.waiting.splice(0)) {
      goOn();
    }
  }
}

/** Notes that a key was still listed after its deletion. */
export async function noteStillListed(session: Session): Promise<void> {
  (await lent(session)).hasDeletedKeys = true;
}

/** A lasting key with all scopes: makes other keys, and reads in place of a given key, whose budget is spared. */
export const standingKey = step((session) => makeKey(session, 'shared', scopes, { waits: false, byGivenKey: true }));

/** A lasting live key with all scopes. */
export const liveKey = step((session) => makeKey(session, 'live', scopes, { environment: 'live', waits: false }));

/**
 * The key that rotates, reads and deletes live keys: the one that makes them. Where that is a sandbox key, which may
 * not find keys of the other environment, it is a live key of the run.
 */
export const liveManager = step(async (session: Session): Promise<ApiKey> => {
  const maker = makerFor(session, 'live');
  const own = maker.environment === 'live' ? null : await resultOrNull(liveKey(session));
  if (own === null) {
    return maker;
  }
  const usageWith = (key: ApiKey) => resultOrNull(send(session, `GET ${keysPath}/:id/usage`, { id: own.id, key }));
  return (await usageWith(maker))?.status === 404 && (await usageWith(own.key))?.accepted ? own.key : maker;
});

/** A lasting live key for the exports: reads of all filters with one key would take more than its minute. */
export const liveExportsKey = step((session) =>
  makeKey(session, 'live exports', scopesOf('scheduling'), { environment: 'live', waits: false }),
);

/** The key named by key-management calls that must be refused. Nothing else depends on it, if one takes effect. */
export const targetKey = step((session) => makeKey(session, 'in refused calls', scopes, { waits: 'badKeys' }));

/** A documented read with the target key, before any such call is made. */
export const targetKeyRead = step(
  async (session): Promise<Answer> =>
    session.client.send(callOf(await workingRead(session), (await targetKey(session)).key)),
);

/** Deletes the lasting keys when only the clauses on limits are left. */
async function dropLastingKeys(session: Session): Promise<void> {
  await session.until('quiet');
  const lasting = [standingKey, liveKey, liveExportsKey].flatMap((key) => key.begun(session));
  await settle(...lasting.map(async (key) => dropKey(session, await key)));
}

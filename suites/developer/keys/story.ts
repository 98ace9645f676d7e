import { type Environment, type Scope, scopesOf } from '../../../contract/scopes.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { type Told, told, toldOrNull } from '../../engine/parts.ts';
import { isUnguessable } from '../../reading/unguessable.ts';
import { findInList, findInListUntil, type ListSearch } from '../../records/list-search.ts';
import { isStillListed } from '../../records/listed-records.ts';
import { sendWithUnknownId } from '../../records/made-by-mistake.ts';
import { madeUpId } from '../../records/made-up-ids.ts';
import { type Created, deleteRecord } from '../../records/own.ts';
import { noteIneffective } from '../../records/still-there.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { givenKey } from '../../session/keys.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { step, stepFor } from '../../session/step.ts';
import { dropKey, firstKeyCreation, mainEnvironment, makerFor } from './creation.ts';
import { liveManager, makeKey } from './lending.ts';
import { type Rotation, rotate } from './rotation.ts';
import { keysPath, type RunKey, runKeyOf } from './run-key.ts';
import { onKeyList, type TriedWay, tryKey, useInEveryWay, worksEachTime } from './ways.ts';

// The life of a key, from its creation to its deletion, as the run saw it. Three keys live one: the first, with all
// scopes; one that is rotated; and a live one, which is rotated, too. All clauses on keys are judged on these stories.

/** The values of `days` for which usage is read. */
export const usageDays = { documented: ['none', '1', '7', '90'], open: ['91', '1.5', 'soon'] } as const;
type Days = (typeof usageDays)['documented' | 'open'][number];

/** What the run saw of one key. */
export interface KeyStory {
  readonly environment: Environment;
  /** The key as it was made. */
  readonly made: RunKey;
  /** A documented read with the new key. */
  readonly firstRead: Told<Answer>;
  /** Where the key list shows the key. null: no given key of its environment reads that list. */
  readonly listed: Told<ListSearch | null>;
  /** The usage of the key by the days that were asked for. Throws Inconclusive where it was not asked for. */
  readonly usage: (days: Days) => Answer;
  readonly usageAsked: readonly Days[];
  /** The key's calls in every way, before its deletion. */
  readonly uses: Told<readonly TriedWay[]>;
  /** Throws Inconclusive where the key is not rotated. */
  readonly rotation: Told<Rotation>;
  /** Where the key list shows the key right before its deletion. */
  readonly lastListed: Told<ListSearch | null>;
  readonly deletion: Told<Answer>;
  /** The key list after the deletion, read until it shows the key no more. null: it did not show the key before. */
  readonly listedAfter: Told<ListSearch | null>;
  /** Calls with the key on an id that no key has. */
  readonly unknownIds: Told<readonly Answer[]>;
  /** The key as it was deleted: with its last secret. */
  readonly last: RunKey;
}

/** Whose story is told. */
interface Hero {
  readonly environment: Environment;
  readonly make: () => Promise<RunKey>;
  readonly usage: readonly Days[];
  readonly isRotated: boolean;
  /** Whether its deletion is judged: what comes before and after. */
  readonly isFollowed: boolean;
}

/** The run's first key, with all scopes, whose creation the others wait for. */
export const firstStory = step((session) =>
  tell(session, {
    environment: mainEnvironment(session),
    make: async () => {
      const role = { purpose: 'main', environment: mainEnvironment(session) };
      return runKeyOf(session, await firstKeyCreation(session), role);
    },
    usage: [...usageDays.documented, ...usageDays.open],
    isRotated: false,
    isFollowed: true,
  }),
);

/**
 * The key of an environment that is rotated. It has most scopes, but not all, so that a scope gained shows as well as a
 * scope lost; some modules with one of the two alone. A live one is followed to its end: no other live key is.
 */
export const rotatedStory = stepFor(
  (environment: Environment) => environment,
  (session, environment) => {
    const purpose = `${environment}, to be rotated`;
    const isFollowed = environment !== mainEnvironment(session);
    return tell(session, {
      environment,
      make: () => makeKey(session, purpose, heldScopes[environment], { environment }),
      usage: isFollowed ? ['none', '90'] : [],
      isRotated: true,
      isFollowed,
    });
  },
);

const heldScopes: Readonly<Record<Environment, readonly Scope[]>> = {
  sandbox: [...scopesOf('ads'), ...scopesOf('investor'), ...scopesOf('inbox'), 'scheduling:read', 'routing:write'],
  live: [...(['ads', 'investor', 'routing', 'content'] as const).flatMap(scopesOf), 'scheduling:read'],
};

/** Tells a key's life. Throws Inconclusive or Skipped where no key could be made; later stages may stop by themselves. */
async function tell(session: Session, hero: Hero): Promise<KeyStory> {
  const { environment, isRotated, isFollowed } = hero;
  const made = await hero.make();
  const isOfMain = environment === mainEnvironment(session);
  // The key list, as the key that made it sees it: a sandbox key may not see live keys.
  const lister = isOfMain ? makerFor(session, environment) : givenKey(session, 'LIVE_API_KEY');
  const manager = isOfMain ? makerFor(session, environment) : await liveManager(session);
  const usage = new Map<Days, Told<Answer>>();
  const askUsage = async ({ id, key }: RunKey): Promise<void> => {
    const ask = async (days: Days): Promise<void> => {
      usage.set(days, await told(() => readUsage(session, id, days, isOfMain || days === 'none' ? manager : key)));
    };
    await Promise.all(hero.usage.map(ask));
  };

  // Usage before its first use, or after its rotation; and that first use.
  await (isRotated ? undefined : askUsage(made));
  const firstRead = await told(() => tryKey(session, made.key));

  // Rotation: the new secret, and the old one, until it no longer works.
  const rotation = await told(() =>
    isRotated ? rotate(session, made, { manager, triesFormer: isOfMain }) : Promise.reject(notRotated),
  );
  const last = toldOrNull(() => rotation().successor()) ?? made;
  const { key, id, record } = last;
  await (isRotated ? askUsage(last) : undefined);

  // The list, and use in every way.
  const listed = await told(async () =>
    lister === undefined || !isFollowed
      ? null
      : findInListUntil(session, record, ({ isShown }) => isShown, { key: lister }),
  );
  const uses = await told(async () => (isFollowed ? useInEveryWay(session, key) : []));
  const managesKeys = (): boolean => uses().some((way) => way.name === onKeyList && worksEachTime(way));
  const unknownIds = await told(async () =>
    isFollowed && !isOfMain && managesKeys() ? tryUnknownIds(session, last) : [],
  );

  const lastListed = await told(async () => lastListing(session, record, listed(), manager));
  const deletion = await told(() => deleteRecord(session, record, { key: manager }));
  if (id !== made.id) {
    await dropKey(session, made);
  }
  const listedAfter = await told(async () => {
    const before = lastListed();
    return deletion().accepted && before !== null && isFollowed ? listAfter(session, record, before, manager) : null;
  });
  return {
    environment,
    made,
    firstRead,
    listed,
    usage: (days) => (usage.get(days) ?? notAsked)(),
    usageAsked: hero.usage,
    uses,
    rotation,
    lastListed,
    deletion,
    listedAfter,
    unknownIds,
    last,
  };
}

const notAsked = (): never => {
  throw new Inconclusive({ message: 'This usage was not asked for' });
};

const notRotated = new Inconclusive({ message: 'This key is not rotated' });

const readUsage = (session: Session, id: string, days: Days, key: ApiKey): Promise<Answer> =>
  send(session, `GET ${keysPath}/:id/usage`, {
    id,
    key,
    ...(days === 'none' ? {} : { query: { days } }),
    ...((usageDays.open as readonly string[]).includes(days) ? { purpose: 'off-document' } : {}),
  });

/**
 * Where the key list shows a key that is about to be deleted: read again, since its use may have changed its row, and a
 * date of that would look like the date of the deletion.
 */
async function lastListing(
  session: Session,
  record: Created,
  before: ListSearch | null,
  key: ApiKey,
): Promise<ListSearch | null> {
  const last = before === null ? null : await findInList(session, keysPath, record, { key });
  return last?.isShown ? last : before;
}

async function listAfter(session: Session, record: Created, before: ListSearch, key: ApiKey): Promise<ListSearch> {
  const after = await findInListUntil(session, record, (search) => !isStillListed(search, before, record), { key });
  if (isStillListed(after, before, record)) {
    await noteIneffective(session, keysPath);
  }
  return after;
}

/**
 * Calls with a key on an id that no key has: usage and, only where that got 404, rotation and deletion. None where ids
 * of keys can be guessed, since somebody might have the made-up one.
 */
async function tryUnknownIds(session: Session, { id: known, key, record }: RunKey): Promise<readonly Answer[]> {
  const id = madeUpId(known);
  if (!isUnguessable(id)) {
    return [];
  }
  const { keySetting } = record.entry;
  const call = (endpoint: string): Promise<Answer> =>
    sendWithUnknownId(session, endpoint, {
      collection: keysPath,
      id,
      key,
      keySetting,
      details: { purpose: 'refusal' },
    });
  const usage = await call(`GET ${keysPath}/:id/usage`);
  if (usage.status !== 404) {
    return [usage];
  }
  session.writeGuard.allow(keysPath, id);
  return [usage, await call(`POST ${keysPath}/:id/rotate`), await call(`DELETE ${keysPath}/:id`)];
}

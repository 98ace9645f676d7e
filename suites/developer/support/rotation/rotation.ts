import { endpointOf } from '../../../../contract/endpoints.ts';
import { type Environment, type Scope, scopesOf } from '../../../../contract/scopes.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { type CallDetails, callOf } from '../../../session/call.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import type { Created } from '../../../shared/records.ts';
import { tryWrite } from '../bodies/working-write.ts';
import { trySeeding } from '../data/seeding.ts';
import { tryKey } from '../keys/first-key.ts';
import { makerFor } from '../keys/key-makers.ts';
import { liveManager } from '../keys/live-manager.ts';
import { makeKey } from '../keys/make-key.ts';
import { keysPath, type RunKey, runKeyOf } from '../keys/run-key.ts';
import { type Rotated, rotateKey } from './rotate-key.ts';
import { rotatedId } from './rotated-id.ts';
import { type RecordList, recordLists } from './rotated-records.ts';

/** The lists that the first trials read. */
export const lists = Object.keys(recordLists) as RecordList[];

/**
 * The scopes of the key that is rotated, so that a scope gained shows as well as a scope lost: most modules, another one
 * left out in each environment, and some with one of the two scopes alone.
 */
const heldScopes: Readonly<Record<Environment, readonly Scope[]>> = {
  sandbox: [...scopesOf('ads'), ...scopesOf('investor'), ...scopesOf('inbox'), 'scheduling:read', 'routing:write'],
  live: [
    ...scopesOf('ads'),
    ...scopesOf('investor'),
    ...scopesOf('routing'),
    ...scopesOf('content'),
    'scheduling:read',
  ],
};

type Trial = (session: Session, key: ApiKey, details: CallDetails) => Promise<Answer>;

const tryEndpoint =
  (id: string, mode?: 'query'): Trial =>
  (session, key, details) =>
    session.client.send(callOf(endpointOf(id), key, mode === undefined ? details : { ...details, mode }));

/** Calls that are accepted before the rotation and after it, or neither time; those of `lists` first, in order. */
export const trials: readonly Trial[] = [
  ...lists.map((id) => tryEndpoint(id)),
  tryEndpoint('GET /api/v1/platform/me'),
  tryEndpoint('GET /api/v1/content/posts'),
  tryEndpoint('GET /api/v1/developer/export/leads'),
  // Each mode may look keys up in a place of its own.
  tryEndpoint('GET /api/v1/inbox/skills', 'query'),
  (session, key, details) => tryWrite(session, key, 'a rotated key', details),
];

/** A key that was rotated. */
interface Rotation {
  readonly before: RunKey;
  /** The answers to the trials before the rotation; null: a trial could not be made. */
  readonly opened: readonly (Answer | null)[];
  /** The answer to the rotation. */
  readonly answer: Answer;
  /** Whether the id of the record with the new secret is known: rotation may give it another id, and show none. */
  readonly isIdKnown: boolean;
  /** The key with its new secret. Throws Inconclusive where the answer shows none. */
  after(): RunKey;
}

/** Makes a key of an environment, tries it, and rotates it: the key whose rotation is judged. */
export const rotationIn = stepFor(
  (environment: Environment) => environment,
  async (session, environment): Promise<Rotation> => {
    const purpose = `${environment}, to be rotated`;
    const before = await makeKey(session, purpose, heldScopes[environment], { environment });
    // Only seeded lists show which environment a key reads.
    await trySeeding(session);
    const opened = await Promise.all(trials.map((trial) => resultOrNull(trial(session, before.key, {}))));
    const maker = environment === 'live' ? await liveManager(session) : makerFor(session, environment);
    const { answer, entry } = await rotateKey(session, before, { key: maker });
    const shown = await rotatedId(session, before, answer, maker);
    const isOwn = shown === null || shown === before.id || session.writeGuard.allow(keysPath, shown);
    const id = isOwn ? shown : null;
    const record = recordAfterRotation(session, before, id, { answer, entry });
    const role = { purpose: `${environment}, rotated`, environment };
    const after = (): RunKey => runKeyOf(session, record, role, answer, before.key);
    return { before, opened, answer, isIdKnown: id !== null, after };
  },
);

/** A documented read with the new secret. */
export const rotatedKeyRead = stepFor(
  (environment: Environment) => environment,
  async (session, environment): Promise<Answer> =>
    tryKey(session, (await rotationIn(session, environment)).after().key),
);

/** The answers to the trials with the new secret; null: not made, or neither accepted nor forbidden before. */
export const trialsAfterRotation = stepFor(
  (environment: Environment) => environment,
  async (session, environment): Promise<readonly (Answer | null)[]> => {
    const { opened, after } = await rotationIn(session, environment);
    const { key } = after();
    const answers: (Answer | null)[] = [];
    for (const [index, trial] of trials.entries()) {
      const before = opened[index];
      const wasForbidden = before?.status === 403;
      const isOutdated = (status: number): boolean => (wasForbidden ? status !== 403 : [401, 403].includes(status));
      const isTried = before?.accepted === true || wasForbidden;
      answers.push(isTried ? await resultOrNull(trial(session, key, { isOutdated })) : null);
    }
    return answers;
  },
);

/**
 * The record of the key after its rotation, which may have replaced it by one with another id, or added one. A new
 * record is noted in the ledger, as the run's to delete; `id` is null where nothing shows its id.
 */
function recordAfterRotation(session: Session, before: RunKey, id: string | null, { answer, entry }: Rotated): Created {
  if (id === before.id) {
    // Where the answer is lost, the list shows at the end whether there is a new record.
    if (answer.accepted) {
      session.ledger.remove(entry);
    }
    return before.record;
  }
  if (id === null) {
    // MAX_REQUESTS may have forbidden the calls that show it: then the list shows at the end whether there is one.
    if (session.settings.MAX_REQUESTS === undefined) {
      session.ledger.accept(entry);
    }
    return before.record;
  }
  session.ledger.identify(entry, id);
  session.settling.made(keysPath, id, session.clock.now());
  return { ...before.record, id, entry };
}

import { at, parentOf } from '../../../common/json.ts';
import { type Environment, type Scope, scopes, scopesOf } from '../../../contract/scopes.ts';
import { resultOrNull, runStage, type Stage, stageOrNull } from '../../engine/check.ts';
import { idIn } from '../../reading/record.ts';
import { deleteRecord, sendOrForget, timeToSettle } from '../../records/own.ts';
import { findInList, isFound } from '../../records/reads.ts';
import { deleteListed } from '../../records/taken.ts';
import { type Answer, type ApiKey, type CallDetails, isServerFailure, isSuccess } from '../../session/call.ts';
import { type Entry, intentOf } from '../../session/ledger/ledger.ts';
import { type Session, send, step } from '../../session/session.ts';
import { trySeeding } from '../seeding.ts';
import { firstKey, mainEnvironment, makeKey, managerOf, standingKey } from './making.ts';
import { keysPath, type RunKey, readUsage, runKeyOf, secretIn, tryKey, useInEveryWay, waysOf } from './run-key.ts';

// --- A key that is used and deleted

/** The values of `days` for which usage is read. */
export const usageDays = { documented: ['none', '1', '7', '90'], open: ['91', '1.5', 'soon'] } as const;
type Days = (typeof usageDays)['documented' | 'open'][number];

/** What the run saw of a key with all scopes, from its creation to its deletion. */
export type KeyStory = Awaited<ReturnType<typeof keyStory>>;

/**
 * Tells the story of a key in an environment; in the main one it is that of the run's first key. Throws Inconclusive or
 * Skipped where no key could be made; later stages may stop by themselves.
 */
export const keyStory = step(async (session, environment: Environment) => {
  const isMain = environment === mainEnvironment(session);
  const made = isMain
    ? await firstKey(session, environment)
    : await makeKey(session, `${environment}, to be deleted`, scopes, environment);
  const { key, id, record } = made;
  const manager = await managerOf(session, environment);

  const usageOf = (days: Days): Promise<Answer> =>
    readUsage(session, id, {
      key: manager,
      ...(days === 'none' ? {} : { query: { days } }),
      ...((usageDays.open as readonly Days[]).includes(days) ? { purpose: 'off-document' } : {}),
    });
  const usage: Partial<Record<Days, Stage<Answer>>> = {};
  for (const days of [...usageDays.documented, ...usageDays.open]) {
    usage[days] = await runStage(() => usageOf(days));
  }
  const firstRead = await runStage(() => tryKey(session, key));
  const uses = await useInEveryWay(session, key);
  // A deletion may take another key: there has to be one.
  await resultOrNull(standingKey(session));
  // After its use, which may change its row: a date of that would look like the date of the deletion.
  const listed = await runStage(() => findInList(session, record, { key: manager, shows: isFound }));
  const make = async () => (await makeKey(session, `${environment}, further`, scopes, environment)).record;
  const deletion = await runStage(() => deleteListed(session, record, stageOrNull(listed), { make, key: manager }));
  return {
    environment,
    made,
    /** A documented read with the new key. */
    firstRead,
    /** Calls with the new key in every way; null: one could not be made. */
    uses,
    usage: usage as Readonly<Record<Days, Stage<Answer>>>,
    /** Where the key list shows the key, right before its deletion. */
    listed,
    /** The deletion, and the key list afterwards. */
    deletion,
  };
});

/** The story of the run's first key. */
export const mainKeyStory = (session: Session): Promise<KeyStory> => keyStory(session, mainEnvironment(session));

// --- A key that is rotated

/** A call with the key, before its rotation and with its new secret. */
export interface Trial {
  readonly before: Answer;
  readonly after: Answer;
}

/**
 * Most scopes, but not all, so that a scope gained shows as well as a scope lost; some modules with one of the two
 * alone, since either may open all calls of a module.
 */
const heldScopes: readonly Scope[] = [
  ...scopesOf('ads'),
  ...scopesOf('investor'),
  ...scopesOf('inbox'),
  'scheduling:read',
  'routing:write',
];

/** What the run saw of a key that it rotated, and deleted in the end. */
export type RotationStory = Awaited<ReturnType<typeof rotationStory>>;

/**
 * Makes a key, tries it, rotates it, tries the new secret and the old one, and deletes the key. Throws Inconclusive or
 * Skipped where no key could be made, or the rotation could not be sent.
 */
export const rotationStory = step(async (session, environment: Environment) => {
  // Only seeded lists show which environment a key reads.
  await trySeeding(session);
  const made = await makeKey(session, `${environment}, to be rotated`, heldScopes, environment);
  const manager = await managerOf(session, environment);
  const before = await useInEveryWay(session, made.key);
  const { answer, entry } = await rotateKey(session, made, { key: manager });
  const keepsRecord = noteSuccessor(session, made, { answer, entry });
  const role = { purpose: `${environment}, rotated`, environment };
  const successor = await runStage(async () => runKeyOf(session, made.record, role, { answer, former: made.key }));
  const key = stageOrNull(successor)?.key ?? null;

  const former: ApiKey = { ...made.key, origin: 'unknown' };
  const useFormer = (): Promise<Answer> => tryKey(session, former, { purpose: 'off-document' });
  const atOnce = await runStage(useFormer);
  const firstRead = await runStage(() => tryKey(session, successor().key));
  const trials = key === null ? [] : await tryAgain(session, before, key);
  const listed = key === null ? null : await resultOrNull(findInList(session, made.record, { key }));
  const later = await runStage(async () => {
    await session.clock.sleep(timeToSettle(session, atOnce()));
    return useFormer();
  });
  // Once more: a deployment may refuse that while the former secret still works.
  const again = await runStage(async () => {
    const { key: second, ...first } = successor();
    const rotated = await rotateKey(session, first, { key: manager });
    noteSuccessor(session, { ...first, key: second }, rotated);
    const how = { answer: rotated.answer, former: second };
    const newest = await runStage(async () =>
      runKeyOf(session, made.record, { ...role, purpose: `${role.purpose} twice` }, how),
    );
    const key = stageOrNull(newest)?.key;
    return { ...how, key, firstRead: key && (await tryKey(session, key)) };
  });
  const deletion = await runStage(() => deleteRecord(session, made.record, { key: manager }));
  return {
    environment,
    /** The key before its rotation. */
    made,
    answer,
    /** Whether the new secret is that of the same record, as far as the answer shows it. */
    keepsRecord,
    /** The key with its new secret. Throws Inconclusive where the answer shows none. */
    successor,
    /** A documented read with the new secret. */
    firstRead,
    /** Calls that were accepted or forbidden before the rotation, and their answers after it. */
    trials,
    /** Where the key list shows the key, read with its new secret; null: it could not be read. */
    listed,
    /** The secret before: right after the rotation, and KEY_SETTLE_MS later. */
    former: () => ({ key: former, atOnce: atOnce(), later: later() }),
    /** A second rotation, and a read with the newest secret. `key`: undefined: the answer shows none. */
    again,
    deletion,
  };
});

/** Notes the record that a rotated key has now. Gives whether it is the same, as far as the answer shows it. */
function noteSuccessor(
  { ledger }: Session,
  { id: former, key }: RunKey,
  { answer, entry }: { readonly answer: Answer; readonly entry: Entry },
): boolean {
  // An answer may show several keys, such as the one before and its successor: its id stands beside its secret.
  const beside = parentOf(secretIn(answer, key.secret)?.place ?? '');
  const id = answer.unredacted(({ json }) => idIn(at(json, beside), 'key'));
  if (id === former) {
    ledger.note(entry, { gone: true });
  } else if (id !== undefined) {
    ledger.note(entry, { accepted: true, answeredIds: [id] });
  }
  return id === undefined || id === former;
}

/** The rotation of the main environment's key. */
export const mainRotation = (session: Session): Promise<RotationStory> =>
  rotationStory(session, mainEnvironment(session));

/** Makes the calls again that were accepted or forbidden before; what shows the key as it was is repeated. */
async function tryAgain(session: Session, earlier: readonly (Answer | null)[], key: ApiKey): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  for (const [index, use] of (await waysOf(session)).entries()) {
    const before = earlier[index];
    if (before?.accepted || before?.status === 403) {
      const isOutdated = (status: number): boolean =>
        before.accepted ? [401, 403].includes(status) : status !== before.status;
      const after = await resultOrNull(use(session, key, { isOutdated }));
      trials.push(...(after === null ? [] : [{ before, after }]));
    }
  }
  return trials;
}

/**
 * Rotates a key of the run. A line goes into the ledger first, since a rotation may create a record with another id,
 * even if the answer is lost or says that it was refused. That record has the name of the key, by which clean-up finds
 * it in the list. Throws as the client does.
 */
export async function rotateKey(
  session: Session,
  { id, record }: Pick<RunKey, 'id' | 'record'>,
  details: CallDetails & { readonly key: ApiKey | null },
): Promise<{ readonly answer: Answer; readonly entry: Entry }> {
  const entry = session.ledger.intend(intentOf(record.entry));
  const rotate = (): Promise<Answer> => send(session, `POST ${keysPath}/:id/rotate`, { ...details, id });
  const answer = await sendOrForget(session, entry, rotate);
  if (!isSuccess(answer) && !isServerFailure(answer)) {
    session.ledger.note(entry, { gone: true });
  }
  return { answer, entry };
}

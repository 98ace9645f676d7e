import { type Environment, scopes } from '../../../contract/scopes.ts';
import { resultOrNull, runStage, type Stage } from '../../engine/check.ts';
import { isStillListed } from '../../records/listed-records.ts';
import { begunAfter, findInListUntil, type ListSearch } from '../../records/lists.ts';
import { deleteRecord } from '../../records/own.ts';
import { isNothing, takenBetween, takenBy } from '../../records/taken.ts';
import type { Answer } from '../../session/call.ts';
import { type Session, stepFor } from '../../session/session.ts';
import { firstKeyCreation, mainEnvironment, makeKey, managerOf, standingKey } from './making.ts';
import { runKeyOf } from './run-key.ts';
import { readUsage, tryKey, useInEveryWay } from './ways.ts';

/** The values of `days` for which usage is read. */
export const usageDays = { documented: ['none', '1', '7', '90'], open: ['91', '1.5', 'soon'] } as const;
type Days = (typeof usageDays)['documented' | 'open'][number];

/** What the run saw of a key with all scopes, from its creation to its deletion. */
export type KeyStory = Awaited<ReturnType<typeof keyStory>>;

/**
 * Tells the story of a key in an environment; in the main one it is that of the run's first key. Throws Inconclusive or
 * Skipped where no key could be made; later stages may stop by themselves.
 */
export const keyStory = stepFor(
  (environment: Environment) => environment,
  async (session, environment) => {
    const isMain = environment === mainEnvironment(session);
    const made = isMain
      ? runKeyOf(session, await firstKeyCreation(session), { purpose: 'main', environment })
      : await makeKey(session, `${environment}, to be deleted`, scopes, environment);
    const { key, id, record } = made;
    const manager = await managerOf(session, environment);
    // A key of the other environment may see this one by its id, and not in its list.
    const lister = isMain || manager.environment === environment ? manager : null;

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
    const usageAfter = await runStage(() => usageOf('none'));
    // A deletion may take another key: there has to be one.
    await resultOrNull(standingKey(session));
    // After its use, which may change its row: a date of that would look like the date of the deletion.
    const listed = await runStage(async () =>
      lister === null ? null : findInListUntil(session, record, ({ isShown }) => isShown, { key: lister }),
    );
    const deletion = await runStage(() => deleteRecord(session, record, { key: manager }));
    const listedAfter = await runStage(async () => {
      const before = listed();
      if (before === null || !deletion().accepted) {
        return null;
      }
      const isStill = (search: ListSearch): boolean => isStillListed(search, before, record);
      const tookNothing = (search: ListSearch): boolean => isNothing(takenBetween(session, record, before, search));
      const isOver = (search: ListSearch): boolean => !isStill(search) && tookNothing(search);
      const options = { key: manager, reuse: begunAfter(session, deletion()) };
      const after = await findInListUntil(session, record, isOver, options);
      const make = async () => (await makeKey(session, `${environment}, further`, scopes, environment)).record;
      if (isStill(after)) {
        session.ledger.reopen(record.entry);
      }
      return { ...after, taken: await takenBy(session, record, [before, after], { make, key: manager }) };
    });
    return {
      environment,
      made,
      /** A documented read with the new key. */
      firstRead,
      /** Calls with the new key in every way; null: one could not be made. */
      uses,
      usage: usage as Readonly<Record<Days, Stage<Answer>>>,
      /** Usage without days, after the key was used. */
      usageAfter,
      /**
       * Where the key list shows the key, right before its deletion. null: the manager is a key of the other
       * environment, whose list may not show this key.
       */
      listed,
      deletion,
      /**
       * The key list after the deletion, read until it shows the key no more, and what else it lacks. null: it was not
       * read before.
       */
      listedAfter,
    };
  },
);

/** The story of the run's first key. */
export const mainKeyStory = (session: Session): Promise<KeyStory> => keyStory(session, mainEnvironment(session));

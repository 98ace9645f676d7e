import { resultOrNull, settle } from '../../../engine/parts.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { type Attempt, deleteRecord } from '../../../shared/records.ts';
import { deleterOf } from './key-makers.ts';
import { keysPath, type RunKey, runKeyOf } from './run-key.ts';

/** Whether the run has not deleted a key yet. */
export const isNotDeletedYet = (session: Session, own: RunKey): boolean =>
  session.ledger.toDelete().some(({ collection, id }) => collection === keysPath && id === own.id);

/** Deletes a key of the run that is needed no more. Where that fails, the key is left to the clean-up. */
export async function dropKey(session: Session, { record, key }: RunKey): Promise<void> {
  await settle(deleteRecord(session, record, { key: deleterOf(session, key) }));
}

/**
 * Deletes the key that a creation made, if it made one, with the first of `keys` that may delete it. Where none may,
 * clean-up lets the key delete itself.
 */
export async function deleteIfMade(session: Session, attempt: Attempt, ...keys: readonly ApiKey[]): Promise<void> {
  const { id } = attempt;
  if (id === undefined) {
    return;
  }
  for (const key of keys) {
    if ((await resultOrNull(deleteRecord(session, { ...attempt, id }, { key })))?.accepted) {
      return;
    }
  }
  const role = { purpose: attempt.tag, environment: 'sandbox' } as const;
  await resultOrNull(Promise.resolve().then(() => runKeyOf(session, { ...attempt, id }, role)));
}

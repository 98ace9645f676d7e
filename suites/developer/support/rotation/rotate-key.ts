import { type Answer, isServerFailure, isSuccess } from '../../../session/answer.ts';
import type { CallDetails } from '../../../session/call.ts';
import type { ApiKey } from '../../../session/key.ts';
import { type Entry, intentOf } from '../../../session/ledger/ledger.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { keysPath, type RunKey } from '../keys/run-key.ts';

/** A rotation, and the ledger's line for the record that it may have made. */
export interface Rotated {
  readonly answer: Answer;
  readonly entry: Entry;
}

/**
 * Rotates a key of the run, after a line in the ledger: a rotation may make a record with another id, even if its
 * answer is lost or refuses. That record has the name of the key. Throws as the client does.
 */
export async function rotateKey(
  session: Session,
  { id, record }: Pick<RunKey, 'id' | 'record'>,
  details: CallDetails & { readonly key: ApiKey | null },
): Promise<Rotated> {
  const entry = session.ledger.intend(intentOf(record.entry));
  try {
    const answer = await send(session, `POST ${keysPath}/:id/rotate`, { ...details, id });
    if (!isSuccess(answer) && !isServerFailure(answer)) {
      session.ledger.remove(entry);
    }
    return { answer, entry };
  } catch (error) {
    // A call that was never sent created nothing.
    session.ledger.remove(entry);
    throw error;
  }
}

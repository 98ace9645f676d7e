import { settle } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import { send } from '../../session/send.ts';
import { step } from '../../session/step.ts';
import { deleteRecord } from '../../shared/records.ts';
import { lookFor, readUntil, type Sighting } from '../../shared/sighting.ts';
import { assertCreated, type Created } from './create.ts';
import { judgeListed } from './judged-records.ts';
import { pathOf, reading } from './kinds.ts';
import { mainRecord, recordFor } from './records.ts';

/** A record of the run's that was deleted. */
export interface Deletion {
  readonly record: Created;
  readonly answer: Answer;
}

/** Deletes an agent made for that, and looks what is left of it. Throws Inconclusive where none can be made. */
export const agentDeleted = step(
  async (session): Promise<Deletion & { readonly later: Answer; readonly sighting: Sighting }> => {
    const record = assertCreated(await recordFor(session, 'agents', 'deleting'));
    const answer = await deleteRecord(session, record);
    const later = await readUntil(
      session,
      () => send(session, reading('agents'), { id: record.id }),
      ({ status }) => status === 404,
    );
    const sighting = await readUntil(
      session,
      () => lookFor(session, pathOf('agents'), record),
      ({ isShown }) => !isShown,
    );
    return { record, answer, later, sighting };
  },
);

/** The main booking, judged in the list while it is scheduled. */
export const bookingListed = step((session) => judgeListed(session, 'bookings', () => mainRecord(session, 'bookings')));

/** Cancels the main booking. Throws Inconclusive where there is none. */
export const bookingCancelled = step(async (session): Promise<Deletion> => {
  const record = assertCreated(await mainRecord(session, 'bookings'));
  // A list may leave cancelled bookings out.
  await settle(bookingListed(session));
  return { record, answer: await deleteRecord(session, record) };
});

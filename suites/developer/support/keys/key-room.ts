import { at, hasValue, isObject } from '../../../../common/json.ts';
import { decoded } from '../../../../common/uri.ts';
import { isSuccess } from '../../../session/answer.ts';
import { createSemaphore, type Semaphore } from '../../../session/semaphore.ts';
import type { Moment, Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { complaintOf } from '../../../shared/complaints/complaint.ts';
import { refusesBody } from '../../../shared/complaints/refused-body.ts';
import type { Attempt } from '../../../shared/records.ts';
import { keysPath } from './own-key.ts';

/**
 * When a key is made that a full account has no room for: `in turn` (needed for a while), at a moment (needed by clauses that wait
 * for it), or `never` (another key can stand in for it).
 */
export type Turn = 'in turn' | 'never' | Moment;

/** What is known of the room that an account has for keys. */
interface Room {
  /** One key is waited for at a time, in the order of asking. */
  readonly queue: Semaphore;
  /** Tags of the keys that were waited for in vain. */
  readonly inVain: Set<string>;
  /** A key was refused for want of room. */
  isFull: boolean;
}

const roomOf = step(async (): Promise<Room> => ({ queue: createSemaphore(1), inVain: new Set(), isFull: false }));

/** Pauses, ms, between attempts to make a key where an account is full: the run deletes keys that it needs no more. */
const pauses = [500, 1_000, 2_000, 4_000, 4_000, 8_000, 8_000, 16_000, 32_000, 32_000, 32_000];
/** Added until a key was waited for in vain: where answers are slow, keys are in use for minutes. */
const furtherPauses = Array.from({ length: 10 }, () => 32_000);

/** Statuses of a full account. */
export const noRoom: readonly number[] = [402, 403, 409, 429];

/** A refusal that may be for want of room: one that names a field of the body is for what stands there. */
export function mayBeFull({ answer, body }: Pick<Attempt, 'answer' | 'body'>): boolean {
  const isOfField = (): boolean =>
    complaintOf({ ...answer, json: at(answer.json, '/error') }, body).fields.some((field) => hasField(body, field));
  return noRoom.includes(answer.status) || (refusesBody(answer) && !isOfField());
}

/** The clause to blame where an account has no room: that of deletion, where keys that the run deleted are listed long after. */
export function blamesForRoom({ evidence, settings }: Session): string {
  const { exchanges } = evidence;
  const deletions = exchanges.filter(
    ({ endpoint, response }) => endpoint === `DELETE ${keysPath}/:id` && response !== null && isSuccess(response),
  );
  const lists = exchanges.filter(({ endpoint }) => endpoint === `GET ${keysPath}`);
  const isKept = deletions.some(({ request, receivedAt }) => {
    const id = decoded(request.url.split('/').at(-1) ?? '');
    const later = lists.filter(({ sentAt }) => sentAt >= receivedAt + settings.KEY_SETTLE_MS);
    return id !== '' && later.some(({ response }) => hasValue(response?.json, id));
  });
  return isKept ? 'developer.keys.delete' : 'developer.keys.create';
}

const hasField = (body: unknown, field: string): boolean => isObject(body) && field in body;

/**
 * Makes a key, and again where an account is full, when its turn comes. `whenFull` tells whether such keys were taken before,
 * and makes room.
 */
export async function createInTurn(
  session: Session,
  turn: Turn,
  make: () => Promise<Attempt>,
  whenFull: () => Promise<boolean>,
): Promise<Attempt> {
  const room = await roomOf(session);
  if (room.isFull && isLater(turn)) {
    await session[turn];
  }
  const first = await make();
  if (!mayBeFull(first) || turn === 'never' || !(await whenFull())) {
    return first;
  }
  room.isFull = true;
  if (isLater(turn)) {
    await session[turn];
  }
  return room.queue(() => repeated(session, room, make, first));
}

const isLater = (turn: Turn): turn is Moment => turn === 'quiet' || turn === 'badKeys';

async function repeated(session: Session, room: Room, make: () => Promise<Attempt>, first: Attempt): Promise<Attempt> {
  let attempt = first;
  for (const pause of room.inVain.size > 0 ? pauses : [...pauses, ...furtherPauses]) {
    if (mayBeFull(attempt)) {
      await session.clock.sleep(pause);
      attempt = await make();
    }
  }
  if (mayBeFull(attempt)) {
    room.inVain.add(attempt.tag);
  }
  return attempt;
}

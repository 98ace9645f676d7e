import { at, hasValue, isObject } from '../../../../common/json.ts';
import { decoded } from '../../../../common/uri.ts';
import { refusesBody } from '../../../records/bodies.ts';
import { fieldsNamed } from '../../../records/named-fields.ts';
import { isSuccess } from '../../../session/answer.ts';
import type { Moment } from '../../../session/moments.ts';
import { createSemaphore, type Semaphore } from '../../../session/semaphore.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import type { Attempt } from '../../../shared/records.ts';
import { keysPath } from './run-key.ts';

/**
 * When a key is made, and how long it waits where the account is full: `in turn` at once or for its place in the queue;
 * at a moment of the run, since the clauses that need the key wait for it anyhow, and a key that lasts until then would
 * take the room of others; `never` at once or not at all, since another key can stand in for it.
 */
export type Turn = 'in turn' | 'never' | Moment;

/** How the run's keys wait for the account's room. */
interface Room {
  /** One key is waited for at a time, in the order of asking. */
  readonly queue: Semaphore;
  /** How many keys are in the queue. */
  waiting: number;
  /** Tags of the keys that were waited for in vain. */
  readonly inVain: Set<string>;
}

const roomOf = step(async (): Promise<Room> => ({ queue: createSemaphore(1), waiting: 0, inVain: new Set() }));

/** Pauses, ms, between attempts where the account is full: meanwhile the run deletes keys that it no longer needs. */
const pauses = [500, 1_000, 2_000, 4_000, 4_000, 8_000, 8_000, 16_000, 32_000, 32_000, 32_000];
/** Added until a key was waited for in vain: where answers are slow, keys are in use for minutes. */
const furtherPauses = Array.from({ length: 10 }, () => 32_000);

/** Statuses that say that an account is full. A refused body may say so too. */
export const fullAccountStatuses: readonly number[] = [402, 403, 409, 429];

/** Fields that a refusal for a full account may name, though nothing is wrong with them. */
const namedForRoom: readonly string[] = ['name', 'environment'];

/**
 * Whether a refusal may mean a full account, where a key whose body is alike was accepted before: it may name a field
 * that is as it was then.
 */
export const mayMeanFullAccount = (attempt: Pick<Attempt, 'answer' | 'body'>): boolean =>
  suggestsFullAccount(attempt, namedForRoom);

/** Whether a refusal may mean a full account. One that names a field of the body is about that field, `fine` ones aside. */
export function suggestsFullAccount(
  { answer, body }: Pick<Attempt, 'answer' | 'body'>,
  fine: readonly string[] = [],
): boolean {
  if (fullAccountStatuses.includes(answer.status)) {
    return true;
  }
  if (!refusesBody(answer)) {
    return false;
  }
  const { all } = fieldsNamed({ ...answer, json: at(answer.json, '/error') }, body);
  return !all.some((field) => isObject(body) && field in body && !fine.includes(field));
}

/** The clause to blame for a full account: deletion, where deleted keys are still listed; otherwise creation. */
export function fullAccountClause({ evidence, settings }: Session): string {
  const { exchanges } = evidence;
  const deletions = exchanges.filter(
    ({ endpoint, response }) => endpoint === `DELETE ${keysPath}/:id` && response !== null && isSuccess(response),
  );
  const lists = exchanges.filter(({ endpoint }) => endpoint === `GET ${keysPath}`);
  const isListedAfterwards = deletions.some(({ request, receivedAt }) => {
    const id = decoded(request.url.split('/').at(-1) ?? '');
    const later = lists.filter(({ sentAt }) => sentAt >= receivedAt + settings.KEY_SETTLE_MS);
    return id !== '' && later.some(({ response }) => hasValue(response?.json, id));
  });
  return isListedAfterwards ? 'developer.keys.delete' : 'developer.keys.create';
}

/**
 * Makes a key; where the account is full, waits as `turn` says and tries again. `makeRoom` is called then: it frees
 * what the run can spare, and says whether such keys were accepted before, so that waiting makes sense.
 */
export async function createInTurn(
  session: Session,
  turn: Turn,
  make: () => Promise<Attempt>,
  makeRoom: () => Promise<boolean>,
): Promise<Attempt> {
  const room = await roomOf(session);
  if (isMoment(turn)) {
    await session.until(turn);
  }
  const mayWait = async (attempt: Attempt): Promise<boolean> =>
    turn !== 'never' && mayMeanFullAccount(attempt) && makeRoom();
  const makePatiently = async (first: Attempt): Promise<Attempt> =>
    (await mayWait(first)) ? makeAgain(session, room, make, first) : first;
  if (room.waiting > 0 && turn !== 'never') {
    // A key that is made at once would take the room for which others wait.
    return inQueue(room, async () => makePatiently(await make()));
  }
  const first = await make();
  return (await mayWait(first)) ? inQueue(room, () => makeAgain(session, room, make, first)) : first;
}

/** Whether the account may be full: it refused a key that nothing is wrong with. */
export const mayBeFull = ({ evidence }: Session): boolean =>
  evidence.exchanges.some(
    ({ endpoint, purpose, response }) =>
      endpoint === `POST ${keysPath}` &&
      purpose === 'documented' &&
      response !== null &&
      fullAccountStatuses.includes(response.status),
  );

/** Acts while nobody else takes the account's room, except for keys that are made at once or not at all. */
export const withRoomKept = async <T>(session: Session, act: () => Promise<T>): Promise<T> =>
  inQueue(await roomOf(session), act);

async function inQueue<T>(room: Room, act: () => Promise<T>): Promise<T> {
  room.waiting += 1;
  try {
    return await room.queue(act);
  } finally {
    room.waiting -= 1;
  }
}

const isMoment = (turn: Turn): turn is Moment => turn === 'quiet' || turn === 'badKeys';

/** Makes the key again after each pause, until the account has room for it. Gives the last attempt. */
async function makeAgain(session: Session, room: Room, make: () => Promise<Attempt>, first: Attempt): Promise<Attempt> {
  let attempt = first;
  for (const pause of room.inVain.size > 0 ? pauses : [...pauses, ...furtherPauses]) {
    if (mayMeanFullAccount(attempt)) {
      await session.clock.sleep(pause);
      attempt = await make();
    }
  }
  if (mayMeanFullAccount(attempt)) {
    room.inVain.add(attempt.tag);
  }
  return attempt;
}

import { type JsonObject, walk } from '../../../common/json.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { isSuccess } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Entry } from '../../session/ledger/ledger.ts';
import { mentions } from '../../session/reading/own-words.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { readingOf } from '../collections.ts';
import { findInList, readUntil } from '../lists/list-search.ts';

/**
 * Whether a record that DELETE does not find is there all the same: no call of the run has deleted it, and a read goes on showing
 * it, and not as gone. What cannot be read is taken for gone.
 */
export async function isStillThere(session: Session, entry: Entry, id: string, key: ApiKey): Promise<boolean> {
  if (wasDeleted(session, id)) {
    return false;
  }
  const look = (): Promise<boolean> => isShown(session, entry, id, key);
  return (await resultOrNull(readUntil(session, look, (there) => !there))) === true;
}

/** The calls of the run that were to delete it. */
export function deletionsOf({ evidence, records }: Session, id: string): Exchange[] {
  const numbers = records.deletionsOf(id);
  return numbers.length === 0 ? [] : evidence.exchanges.filter(({ number }) => numbers.includes(number));
}

/** Whether a call of the run has deleted it. */
export const wasDeleted = (session: Session, id: string): boolean =>
  deletionsOf(session, id).some(({ response }) => response !== null && response.status < 300);

async function isShown(session: Session, { collection, tag }: Entry, id: string, key: ApiKey): Promise<boolean> {
  const reading = readingOf(session.api.endpoints, collection);
  if (reading?.isView !== true) {
    const { row } = await findInList(session, collection, { id, tag }, { key });
    return row !== undefined && !isShownGone(row);
  }
  const view = await send(session, reading.id, { id, key });
  return isSuccess(view) && mentions(view.payload, tag);
}

/**
 * Whether a row says that its record is gone, as a deletion may leave it: by a state, a flag or a date. `before`: the row until
 * then; what that one said already tells nothing.
 */
export function isShownGone(row: JsonObject, before: JsonObject = {}): boolean {
  const earlier = new Map(walk(before).map(({ pointer, value }) => [pointer, value]));
  return walk(row).some(({ name, value, pointer }) => value !== earlier.get(pointer) && saysGone(name, value));
}

/** Fields that each change touches. */
export const ofAnyChange = /updat|modif|chang|version|etag|revision/i;

/** The field of a row that shows another state than before, in words that need not be known: `lifecycle`, `live` before, `trashed` now. */
export function changedState(row: JsonObject, before: JsonObject): string | undefined {
  const earlier = new Map(walk(before).map(({ pointer, value }) => [pointer, value]));
  const isWord = (value: unknown): boolean => typeof value === 'string' && /^\p{L}[\p{L}_-]*$/u.test(value);
  return walk(row).find(
    ({ name, value, pointer }) =>
      isWord(value) && isWord(earlier.get(pointer)) && value !== earlier.get(pointer) && !ofAnyChange.test(name),
  )?.name;
}

/** Whether a field says that its record is gone. A state is one word: prose, and the names of events that a webhook asks for, tell of anything. */
export function saysGone(name: string, value: unknown): boolean {
  if (goneName.test(name)) {
    return !isNothing(value);
  }
  return typeof value === 'string'
    ? /^[\w-]+$/.test(value) && (goneState.test(value) || ended.test(value))
    : value === false && /^(is_?)?(active|enabled|valid)$/i.test(name);
}

/** A flag that is not set, in any spelling, or a moment that has not come. */
const isNothing = (value: unknown): boolean =>
  typeof value === 'object'
    ? Object.keys(value ?? {}).length === 0
    : /^(|0|f|false|n|no|none|null|never|0000-.*)$/i.test(String(value));

/** What has been done: `cancel_url` and `deletable` say what may be. */
const goneName =
  /(cancell?|delet|revok|archiv|remov|(de|in)activat|disabl)ed|inactive|(cancel|delet|revo[kc]|archiv|remov|deactiv)[a-z]*_?(at|on|by|date|time|reason)$|cancell?ation$/i;
const goneState = /(cancell?|delet|revo[kc]|archiv|remov|(de|in)activat|disabl)(ed|ing|i?on|ation|al)|inactive/i;
/** As states alone: a date of the end stands in many a record that is there. */
const ended = /expir|terminat|^(rotated|retired|superseded|replaced)$/i;

import { at, type JsonObject, walk } from '../../common/json.ts';
import { encoded } from '../../common/uri.ts';
import { resultOrNull } from '../engine/parts.ts';
import { isSuccess } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import type { Entry } from '../session/ledger.ts';
import { mentions } from '../session/own-words.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { readingOf } from './collections.ts';
import { lookFor, readUntil } from './list-search.ts';

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

const wasDeleted = ({ evidence }: Session, id: string): boolean =>
  evidence.exchanges.some(
    ({ request, response }) =>
      request.method === 'DELETE' &&
      response !== null &&
      response.status < 300 &&
      request.url.split('?')[0]?.endsWith(`/${encoded(id)}`) === true,
  );

async function isShown(session: Session, { collection, tag }: Entry, id: string, key: ApiKey): Promise<boolean> {
  const reading = readingOf(session.api.endpoints, collection);
  if (reading?.isView !== true) {
    const { row } = await lookFor(session, collection, { id, tag }, { key });
    return row !== undefined && !isShownGone(row);
  }
  const view = await send(session, reading.id, { id, key });
  return isSuccess(view) && mentions(at(view.json, session.api.payload), tag);
}

/**
 * Whether a row says that its record is gone, as a deletion may leave it: by a state, a flag or a date. `before`: the row until
 * then; what that one said already tells nothing.
 */
export function isShownGone(row: JsonObject, before: JsonObject = {}): boolean {
  const earlier = new Map(walk(before).map(({ pointer, value }) => [pointer, value]));
  return walk(row).some(({ name, value, pointer }) => value !== earlier.get(pointer) && saysGone(name, value));
}

/** A state is one word: prose, and the names of events that a webhook asks for, tell of anything. */
function saysGone(name: string, value: unknown): boolean {
  if (gone.test(name)) {
    return value !== null && value !== false && value !== 0;
  }
  return typeof value === 'string'
    ? /^[\w-]+$/.test(value) && (gone.test(value) || ended.test(value))
    : value === false && /^(is_?)?(active|enabled|valid)$/i.test(name);
}
const gone = /cancel|delet|revok|archiv|remov|(in|de)activ|disabl/i;
/** As states alone: a date of the end stands in many a record that is there. */
const ended = /expir|terminat|^(rotated|retired|superseded|replaced)$/i;

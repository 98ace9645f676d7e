import { at, type Found, type JsonObject, walk } from '../../common/json.ts';
import { resultOrNull } from '../engine/parts.ts';
import { isSuccess } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import type { Entry } from '../session/ledger.ts';
import { mentions } from '../session/record.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { readingOf } from './collections.ts';
import { lookFor, readUntil } from './sighting.ts';

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
      request.url.split('?')[0]?.endsWith(`/${encodeURIComponent(id)}`) === true,
  );

async function isShown(session: Session, { collection, tag }: Entry, id: string, key: ApiKey): Promise<boolean> {
  const reading = readingOf(session.api.endpoints, collection);
  if (reading?.isView !== true) {
    const { row } = await lookFor(session, collection, { id, tag }, key);
    return row !== undefined && !isShownGone(row);
  }
  const view = await send(session, reading.id, { id, key });
  return isSuccess(view) && mentions(at(view.json, session.api.payload), tag);
}

/** A deletion may leave a row that says so: by a state, a flag or a date. */
const isShownGone = (row: JsonObject): boolean => walk(row).some(isGoneMark);

/** Whether a row says that its record is gone, as the answer to the record's create does not. */
export function saysGone(row: JsonObject | undefined, created: unknown): boolean {
  const before = new Set(walk(created).map(nameAndValue));
  return walk(row).some((one) => isGoneMark(one) && !before.has(nameAndValue(one)));
}

const isGoneMark = ({ name, value }: Found): boolean =>
  gone.test(name)
    ? value !== null && value !== false && value !== undefined
    : typeof value === 'string' && /^\w+$/.test(value) && gone.test(value);
const nameAndValue = ({ name, value }: Found): string => `${name} ${JSON.stringify(value)}`;
const gone = /cancel|delet|revok|archiv|remov|inactiv|disabl/i;

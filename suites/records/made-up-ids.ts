import { isWrite } from '../../contract/endpoint.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { idIn } from '../reading/record.ts';
import { type Answer, type ApiKey, isSuccess } from '../session/call.ts';
import { type Session, send } from '../session/session.ts';
import { canDelete, nounOf } from './reads.ts';

/**
 * The characters that stand in for those of an id or key, so that it stays well-formed: those of hexadecimal numbers,
 * or those that all alphabets have in common, base 32, base 58 and base 64 among them. `step`: how far a letter is
 * turned, so far that not only the bits change that the last character of a base64 text leaves unused.
 */
const hexadecimal = { digits: '0123456789', letters: 'abcdef', step: 3 };
const common = { digits: '123456789', letters: 'abcdefghjkmnpqrstvwxyz', step: 13 };

/** Another digit for a digit, another letter of the same case for a letter. */
function turned(character: string, { digits, letters, step }: typeof common): string {
  const turn = (wheel: string, by: number): string => wheel.charAt((wheel.indexOf(character) + by) % wheel.length);
  if (/\d/.test(character)) {
    return turn(digits, 4);
  }
  return turn(/[a-z]/.test(character) ? letters : letters.toUpperCase(), step);
}

/** The text with other letters and digits for its last ones, four by default. */
export function altered(text: string, count = 4): string {
  const tail = text.replace(/^.*[^0-9A-Za-z](?=[0-9A-Za-z])/s, '');
  const alphabet = /^[0-9a-f]*$/i.test(tail) ? hexadecimal : common;
  const places = [...text.matchAll(/[0-9A-Za-z]/g)].map(({ index }) => index).slice(-count);
  return [...text].map((one, index) => (places.includes(index) ? turned(one, alphabet) : one)).join('');
}

/**
 * The text with another letter or digit at the place or, where something else is there, at the nearest place before
 * it.
 */
export function alteredAt(text: string, index: number): string {
  return altered(text.slice(0, index + 1), 1) + text.slice(index + 1);
}

/** Where ids count from one, a number of 32 bits is well-formed everywhere. */
const ahead = 2_000_000_000;
const farAhead = 900_000_000_000;

/**
 * An id shaped like a real one of the deployment: a counted id gets far ahead of the newest, any other gets other
 * characters at its end.
 */
export function madeUpId(real: string): string {
  const [, prefix = '', counter] = /^([A-Za-z]{0,10}[_-]?)(\d{1,12})$/.exec(real) ?? [];
  const from = Number(counter);
  return counter === undefined ? altered(real) : `${prefix}${from + (from < 100_000_000 ? ahead : farAhead)}`;
}

// --- Calls with such an id

/** A call with an id that no record has: made up, or that of a record that the run has deleted. */
interface UnknownIdCall {
  readonly collection: string;
  readonly id: string;
  readonly key: ApiKey;
  /** The setting of the key that can delete what the call makes. */
  readonly keySetting: string;
  readonly details: Omit<NonNullable<Parameters<typeof send>[2]>, 'id' | 'key'>;
}

/**
 * Sends a call with an id that no record has. A broken deployment may make a record of that id or of a new one, so a
 * line in the ledger comes before a write. Throws as the client does.
 */
export async function sendWithUnknownId(session: Session, endpoint: string, call: UnknownIdCall): Promise<Answer> {
  const { collection, id, key, keySetting, details } = call;
  const sendIt = (): Promise<Answer> => send(session, endpoint, { ...details, id, key });
  const { method } = endpointOf(endpoint);
  if (!isWrite(method) || method === 'DELETE') {
    return sendIt();
  }
  const { ledger, api, origin } = session;
  const entry = ledger.intend({
    api: api.name,
    origin,
    collection,
    keySetting,
    tag: id,
    ...(canDelete(collection) ? {} : { lasting: true }),
  });
  const answer = await sendIt();
  const shown = answer.unredacted(({ payload }) => idIn(payload, nounOf(collection))) ?? id;
  if (!isSuccess(answer)) {
    ledger.remove(entry);
  } else if (shown === id) {
    // It may be one that was deleted, and lives again.
    session.writeGuard.allow(collection, id);
    ledger.identify(entry, id);
  } else {
    // It may be a new record, or somebody's that was changed.
    ledger.noteAnsweredIds(entry, [shown]);
    ledger.accept(entry);
  }
  return answer;
}

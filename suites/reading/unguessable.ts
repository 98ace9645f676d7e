import { switchesOften } from '../../common/redaction/key-like.ts';

/** Its characters do not check each other: a changed one is well-formed. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** The end of digests, and of ids that databases give. */
const hex = /^(?=.*[a-f].*[a-f])(?=.*\d.*\d)[0-9a-f]{24,}$/i;

/** A ULID, or the end of a TypeID: 26 characters of Crockford's base32, which has no i, l, o and u, for 128 bits. */
const ulid = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/i;

/** A text that people can read, except for up to three bytes at its end, which may have been altered. */
const readable = /^[\x20-\x7e]{9,}[\s\S]{0,3}$/;

/** The text that an id encodes in base64, such as `gid://shop/Booking/1234567`; undefined: it encodes none. */
function textInBase64(id: string): string | undefined {
  const text = /^[\w+/-]+={0,2}$/.test(id) ? Buffer.from(id, 'base64').toString('latin1') : '';
  return readable.test(text) ? text : undefined;
}

/**
 * Whether an id is so long and so mixed that nobody can guess it, and a made-up id like it is unused. Numbers, words
 * and dates can be guessed, alone or one behind the other, in base64 or not.
 */
export function isUnguessable(id: string): boolean {
  const text = textInBase64(id);
  if (text !== undefined) {
    return isUnguessable(text);
  }
  const last = /[A-Za-z0-9]*$/.exec(id)?.[0] ?? '';
  // URL-safe base64 has hyphens and underscores anywhere.
  return (
    uuid.test(id) ||
    hex.test(last) ||
    ulid.test(last) ||
    switchesOften(last, 16) ||
    switchesOften(id.replace(/[_-]/g, ''), 18, 0.4)
  );
}

import { textInBase64 } from '../reading/unguessable.ts';
import { altered } from './altered.ts';

/**
 * An id shaped like a real one of the deployment, another one at each attempt (from 0): a counted id gets far ahead of
 * the newest, any other gets other characters at its end.
 */
export function madeUpId(real: string, attempt = 0): string {
  const [, path, number] = /^(.*\D)(\d{1,12})$/.exec(textInBase64(real) ?? '') ?? [];
  if (number !== undefined) {
    return inBase64(`${path}${madeUpId(number, attempt)}`, real);
  }
  const [, prefix = '', counter] = /^([A-Za-z]{0,10}[_-]?)(\d{1,12})$/.exec(real) ?? [];
  if (counter === undefined) {
    return attempt === 0 ? altered(real) : altered(madeUpId(real, attempt - 1));
  }
  // Where ids count from one, a number of 32 bits is well-formed everywhere.
  const ahead = Number(counter) < 100_000_000 ? 2_000_000_000 : 900_000_000_000;
  return `${prefix}${Number(counter) + ahead + attempt}`;
}

/** A text in the base64 in which another text is written. */
function inBase64(text: string, like: string): string {
  const encoded = Buffer.from(text).toString(/[-_]/.test(like) ? 'base64url' : 'base64');
  return like.length % 4 === 0 ? encoded : encoded.replaceAll('=', '');
}

/**
 * A text encoded as a part of a URL. Half a surrogate pair, which no URL can hold, becomes the replacement character.
 */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Longer texts are no ids: many servers take URLs of some thousand characters only. */
const longestPart = 2_000;

/** Whether a URL can hold a text as a part of its path: `..` leads to the collection above. */
export const fitsInUrl = (text: string): boolean =>
  text.length <= longestPart && text.isWellFormed() && text !== '.' && text !== '..';

/** The text of an encoded part of a URL; the part itself if its encoding is broken. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether the URL's host is this machine. */
export function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host);
}

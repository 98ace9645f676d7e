/**
 * A text encoded as a part of a URL. Half a surrogate pair, which no URL can hold, becomes the replacement character.
 */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The text of an encoded part of a URL; the part itself if its encoding is broken. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A text of somebody's as a part of a URL. Half a surrogate pair, which no URL can hold, becomes the replacement character. */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** A part of a URL as text; as it is, where that is not encoded well. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

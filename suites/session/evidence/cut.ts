/** Most characters of a body that any report shows. */
export const mostText = 65_536;

/** The text, cut to `length` characters where it is longer; a cut text says how long it was. */
export const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;

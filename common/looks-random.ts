/**
 * Whether a text has at least `minLength` characters and switches between lower case, upper case and digits after at
 * least `share` of them. Words do so now and then, random text all the time.
 */
export function looksRandom(text: string, minLength: number, share = 0.25): boolean {
  const switches = text.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
  return text.length >= minLength && switches >= (text.length - 1) * share;
}

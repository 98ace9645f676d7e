/**
 * Whether a text has that length at least, and changes between small letters, capitals and digits after that share of its characters:
 * words do so now and then, what is random all the time.
 */
export function looksRandom(text: string, least: number, share = 0.25): boolean {
  const changes = text.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
  return text.length >= least && changes >= (text.length - 1) * share;
}

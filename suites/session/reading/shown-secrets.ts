import { walk } from '../../../common/json.ts';
import type { HeaderLines } from '../../../results/exchange.ts';
import { looksRandom, secretCandidates } from '../../../webhooks/signature/secret-candidates.ts';

/**
 * The secrets that the answer to a create shows: values of fields and headers that are named as secrets first, then
 * values that look random and are no ids, then random pieces of longer texts. Masked values are left out, and those in
 * the body that was `sent`. `collection`: the last part of the path; what follows it in a link is an id.
 */
export function shownSecrets(json: unknown, headers: HeaderLines, collection: string, sent?: unknown): string[] {
  const candidates = secretCandidates(json, headers, sent).map(({ value }) => value);
  return [...new Set([...candidates, ...randomPieces(json, headers, collection, sent)])];
}

/** Headers whose values are random by their purpose, and no secrets. */
const publicHeader = /^(etag|.*(trace|request|correlation).*)$/i;

/** The random pieces of texts that say more: of a link, a block of PEM, a cookie, credentials. */
function randomPieces(json: unknown, headers: HeaderLines, collection: string, sent: unknown): string[] {
  const texts = walk(json).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const shown = headers.flatMap(([name, value]) => (publicHeader.test(name) ? [] : [value]));
  const known = new Set([
    ...texts,
    ...walk(sent).flatMap(({ value }) => (typeof value === 'string' ? partsOf(value) : [])),
  ]);
  return [...texts, ...shown].flatMap((text) => {
    const parts = partsOf(text);
    return parts.filter((part, index) => looksMixed(part) && !known.has(part) && parts[index - 1] !== collection);
  });
}

/** Longer texts are read to here. */
const mostRead = 65_536;

/** The pieces of a text between blanks, quotes and the delimiters of URLs. A line break does not end a piece. */
const partsOf = (text: string): string[] =>
  text
    .slice(0, mostRead)
    .split(/[ \t"'`;,&?#:@<>(){}[\]|]+|=(?=[^=\s])/)
    .flatMap((part) => (text.includes('://') || part.startsWith('/') ? part.split('/') : [part]))
    .map((part) => part.replace(/[\r\n]+/g, ''));

/** How many of the neighbours in a random text are of two kinds: lower case, upper case, digits. Words have fewer. */
const leastMixed = 0.3;

/** Whether a piece looks random, and not only long: letters and digits alternate. */
function looksMixed(text: string): boolean {
  if (!looksRandom(text)) {
    return false;
  }
  const kinds = [...text.replace(/[^a-z0-9]/gi, '')].map((one) =>
    /\d/.test(one) ? 'digit' : one === one.toLowerCase(),
  );
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  return changes >= leastMixed * kinds.length;
}

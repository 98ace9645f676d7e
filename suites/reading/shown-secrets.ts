import { stringsIn, walk } from '../../common/json.ts';
import { isMasked } from '../../common/redaction/key-like.ts';
import type { HeaderLines } from '../../results/exchange.ts';
import { alternates, looksRandom, secretCandidates } from '../../webhooks/signature/secret-candidates.ts';

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
  const texts = stringsIn(json);
  const shown = headers.flatMap(([name, value]) => (publicHeader.test(name) ? [] : [value]));
  const known = new Set([...texts, ...stringsIn(sent).flatMap(partsOf)]);
  return [...texts, ...shown].flatMap((text) => {
    const parts = partsOf(text);
    return parts.filter(
      (part, index) => looksRandom(part) && alternates(part) && !known.has(part) && parts[index - 1] !== collection,
    );
  });
}

/** The pieces of a text between blanks, quotes and the delimiters of URLs. A line break does not end a piece. */
const partsOf = (text: string): string[] =>
  text
    .split(/[ \t"'`;,&?#:@<>(){}[\]|]+|=(?=[^=\s])/)
    .flatMap((part) => (text.includes('://') || part.startsWith('/') ? part.split('/') : [part]))
    .map((part) => part.replace(/[\r\n]+/g, ''));

const signingName = /secret|signing_?key|shared_?key|hmac_?key|verification_?(key|token)/i;

/** The signing secrets in a body, found by the names of their fields; masked ones do not count. */
export function signingSecretsIn(json: unknown): string[] {
  const shown = walk(json).flatMap(({ name, value }) =>
    signingName.test(name) && typeof value === 'string' && value.length >= 8 ? [value] : [],
  );
  return [...new Set(shown)].filter((value) => !isMasked(value) && !/\s/.test(value));
}

import { type KeyForm, type Part, placeKey, type Scheme } from './scheme.ts';

/** How the deliveries of a webhook are signed, as far as they and the secret show. */
export type Discovery = (Explained | { readonly kind: Unexplained }) & {
  /** The same in a sentence. Shows no secret. */
  readonly says: string;
  readonly notes: readonly string[];
};

export interface Explained {
  /**
   * `verified`: the scheme verifies every delivery. `other-text`: the signature is over a text other than the bytes sent,
   * so that receivers which verify the raw body reject it. `body-not-covered`: it leaves the body out. `inconsistent`:
   * the scheme does not verify the deliveries in `odd`.
   */
  readonly kind: 'verified' | 'other-text' | 'body-not-covered' | 'inconsistent';
  readonly scheme: Scheme;
  readonly odd?: readonly OddDelivery[];
  /** Each receiver can rebuild the other text from what was sent, as with RFC 8785. */
  readonly isCanonical?: boolean;
}

/**
 * `unsigned`: no delivery carries anything of a signature's size. `other-algorithm`: signed with something else than
 * HMAC-SHA256 under the secret. `unknown-content`: there are values of a signature's size, but no content that was tried
 * explains them, or none that can be read.
 */
type Unexplained = 'unsigned' | 'other-algorithm' | 'unknown-content';

export interface OddDelivery {
  /** The index of the delivery, in the order given. */
  readonly index: number;
  readonly difference: 'unsigned' | 'other-secret' | 'other-scheme' | 'mismatch';
  /** What follows its number: `carries no signature`. */
  readonly says: string;
}

/** The signed content in one line, for example `<webhook-id>.<webhook-timestamp>.<body>`. */
export function contentFormula(scheme: Scheme): string {
  switch (scheme.kind) {
    case 'jws':
      return `<JWS header>.<claims ${scheme.claim !== undefined ? `with the body's SHA-256 at ${scheme.claim}` : scheme.signature.from === 'field' ? 'that are the payload' : 'without the body'}>`;
    case 'rfc9421':
      return `<RFC 9421 signature base of ${scheme.label}${scheme.digest ? ' with content-digest' : ''}>`;
    case 'parts':
      return scheme.parts.map(partFormula).join(visible(scheme.joiner)) || '<nothing>';
  }
}

const visible = (text: string): string => text.replaceAll('\r', String.raw`\r`).replaceAll('\n', String.raw`\n`);

const urlWords: Readonly<Record<string, string>> = { url: 'URL', target: 'path and query' };

function partFormula(part: Part): string {
  switch (part.from) {
    case 'text':
      return visible(part.text);
    case 'body':
      return part.hash === undefined ? '<body>' : `<${part.hash} SHA-256 of the body>`;
    case 'header':
      return `<${[part.name, part.label === '' ? 'first entry' : part.label].filter(Boolean).join(' ')}>`;
    case 'query':
    case 'field':
      return `<${part.from === 'field' ? 'body' : 'query'} ${part.name}>`;
    case 'signed-headers':
      return `<headers named in ${part.name}>`;
    default:
      return `<${urlWords[part.from] ?? part.from}>`;
  }
}

/** The key in words. Shows no secret. */
const keyWords = ({ strip, decode }: KeyForm): string =>
  `${strip === '' ? 'the whole secret' : `what follows \`${strip}\` in the secret`}, ${decode === 'text' ? 'as text' : `decoded from ${decode}`}`;

/** The scheme in sentences by which a receiver can be written. Shows no secret. `isAsSent`: the body is signed as it is. */
export function describeScheme(scheme: Scheme, isAsSent = true): string {
  const { signature, key, time } = scheme;
  const shape = signature.template.replace('{signature}', '<signature>').replaceAll('{time}', '<time>');
  const encoding = scheme.kind === 'parts' ? scheme.encoding : 'base64';
  const what = scheme.kind === 'jws' ? 'a JWS with HS256' : `an HMAC-SHA256 in ${encoding}`;
  const formula = contentFormula(scheme);
  const body = isAsSent && formula.includes('<body>') ? ', <body> as it arrived' : '';
  return [
    `The ${placeKey(signature)} carries \`${shape}\`: ${what} of \`${formula}\`${body}.`,
    ...(signature.list === undefined ? [] : ['It may hold several signatures: one that matches is enough.']),
    `The key is ${keyWords(key)}.`,
    ...(time === undefined
      ? []
      : [`The ${placeKey(time)} is the time of sending (${time.unit}): refuse old deliveries.`]),
  ].join(' ');
}

/**
 * How deliveries differ, each difference once: `Delivery 2 carries no signature`, `Deliveries 2, 3: each carries no
 * signature`.
 */
export function oddWords(odd: readonly OddDelivery[]): string[] {
  return [...Map.groupBy(odd, ({ says }) => says)].map(([says, deliveries]) => {
    const numbers = deliveries.map(({ index }) => index + 1);
    return numbers.length === 1 ? `Delivery ${numbers[0]} ${says}` : `Deliveries ${numbers.join(', ')}: each ${says}`;
  });
}

/** The discovery in full: the sentence, how to verify, what else was seen. Shows no secret. */
export const discoveryLines = (found: Discovery): string[] => [
  found.says,
  ...('scheme' in found ? [describeScheme(found.scheme, found.kind !== 'other-text')] : []),
  ...found.notes.map((note) => `Note: ${note}`),
];

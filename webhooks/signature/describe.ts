import type { Discovery, OddDelivery } from './discovery.ts';
import type { Encoding, KeyForm, Part, Place, Scheme, TimeUnit } from './scheme.ts';

/** The scheme in sentences by which a receiver can be written. Shows no secret. */
export const describeScheme = (scheme: Scheme): string =>
  [placeSentence(scheme), contentSentence(scheme), keySentence(scheme.key), timeSentence(scheme)]
    .filter((sentence) => sentence !== '')
    .join(' ');

/** The signed content in one line, for example `<webhook-id>.<webhook-timestamp>.<body>`. */
export function contentFormula(scheme: Scheme): string {
  switch (scheme.kind) {
    case 'jws':
      return scheme.claim === undefined
        ? '<JWS header>.<claims without the body>'
        : `<JWS header>.<claims with the body's SHA-256 at ${scheme.claim}>`;
    case 'rfc9421':
      return `<RFC 9421 signature base of ${scheme.label}${scheme.digest ? ' with content-digest' : ''}>`;
    case 'parts':
      return scheme.parts.map(partFormula).join(visible(scheme.joiner)) || '<nothing>';
  }
}

const visible = (text: string): string => text.replaceAll('\r', String.raw`\r`).replaceAll('\n', String.raw`\n`);

const plainWords = {
  method: 'method',
  url: 'URL',
  target: 'path and query',
  path: 'path',
  host: 'host',
} as const;

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
      return `<${plainWords[part.from]}>`;
  }
}

/** The place of a value in words: header `webhook-id`, text after `t=` in header `Stripe-Signature`. */
function placeWords(place: Place): string {
  if (place.from !== 'header') {
    return place.from === 'query' ? `query parameter \`${place.name}\`` : `body field \`${place.name}\``;
  }
  if (place.label === undefined) {
    return `header \`${place.name}\``;
  }
  return place.label === ''
    ? `first entry of header \`${place.name}\``
    : `text after \`${place.label}\` in header \`${place.name}\``;
}

const encodingWords: Readonly<Record<Encoding, string>> = {
  hex: 'hexadecimal form',
  base64: 'base64',
  base64url: 'URL-safe base64',
  'base64-hex': 'base64 of the hexadecimal text',
};

const listWords = { ' ': 'blanks', ',': 'commas', ';': 'semicolons' } as const;

function placeSentence(scheme: Scheme): string {
  const { signature } = scheme;
  const place = placeWords(signature);
  if (scheme.kind === 'jws') {
    return `The ${place} is a JWS in compact form, signed with HMAC-SHA256 (HS256).`;
  }
  const shape = signature.template.replace('{signature}', '<signature>').replaceAll('{time}', '<time>');
  const several =
    signature.list === undefined
      ? ''
      : ` It may hold several signatures, separated by ${listWords[signature.list]}: one that matches is enough.`;
  const encoding = encodingWords[scheme.kind === 'parts' ? scheme.encoding : 'base64'];
  return `The ${place} carries \`${shape}\`, where <signature> is the ${encoding} of an HMAC-SHA256.${several}`;
}

function contentSentence(scheme: Scheme): string {
  switch (scheme.kind) {
    case 'jws':
      return scheme.claim === undefined
        ? 'No claim holds a hash of the body.'
        : `Its claim \`${scheme.claim}\` is the ${scheme.encoding} SHA-256 of the raw request body.`;
    case 'rfc9421':
      return `The signed content is the signature base of RFC 9421 for the entry \`${scheme.label}\` of \`Signature-Input\`; ${
        scheme.digest
          ? 'it holds `Content-Digest` (RFC 9530), which is the digest of the raw request body.'
          : 'it does not hold a digest of the body.'
      }`;
    case 'parts':
      return `The signed content is \`${contentFormula(scheme)}\`, where <body> is the request body as it arrived.`;
  }
}

function keySentence({ strip, decode }: KeyForm): string {
  const rest = strip === '' ? 'the secret' : `what follows \`${strip}\` in the secret`;
  const words: Readonly<Record<KeyForm['decode'], string>> = {
    text: strip === '' ? 'the whole secret as text (UTF-8), prefix and all' : `${rest}, as text (UTF-8)`,
    base64: `${rest}, base64-decoded`,
    hex: `${rest}, hex-decoded`,
    'sha256-hex': `the hexadecimal SHA-256 of ${rest}`,
    sha256: `the SHA-256 of ${rest} (32 bytes)`,
  };
  return `The key is ${words[decode]}.`;
}

const unitWords: Readonly<Record<TimeUnit, string>> = {
  s: 'in seconds since 1970',
  ms: 'in milliseconds since 1970',
  iso: 'as ISO 8601',
  http: 'as an HTTP date',
};

const timeSentence = ({ time }: Scheme): string =>
  time === undefined
    ? ''
    : `The ${placeWords(time)} is the time of sending ${unitWords[time.unit]}; reject deliveries that are more than five minutes old.`;

/** The discovery in one sentence. Shows no secret. */
export function describeDiscovery(found: Discovery): string {
  switch (found.kind) {
    case 'verified':
      return `Signed with HMAC-SHA256 over the payload${found.provisional ? ' (provisional)' : ''}: ${contentFormula(found.scheme)}`;
    case 'unsigned':
      return 'Not signed: no header, query parameter or body field holds a value the size of a signature that changes with the payload';
    case 'other-algorithm':
      return `Not signed with HMAC-SHA256 under the secret: ${placeWords(found.place)} holds ${found.algorithm}`;
    case 'other-text':
      return `Signed over different bytes than those sent: the ${found.words}. Receivers that verify the raw body reject it`;
    case 'body-not-covered':
      return `The signature leaves the payload out: it is made over ${contentFormula(found.scheme)}`;
    case 'inconsistent':
      return `Not every delivery is signed in the same way: ${oddWords(found.odd).slice(0, 5).join('; ')}`;
    case 'unknown-content':
      return unknown(found);
  }
}

/**
 * How deliveries differ, each difference once: `Delivery 2 carries no signature`, `Deliveries 2, 3: each carries no
 * signature`.
 */
export function oddWords(odd: readonly OddDelivery[]): string[] {
  const byDifference = Map.groupBy(odd, ({ index, message }) => message.slice(`Delivery ${index + 1} `.length));
  return [...byDifference].map(([text, deliveries]) => {
    const numbers = deliveries.map(({ index }) => index + 1);
    return numbers.length === 1 ? `Delivery ${numbers[0]} ${text}` : `Deliveries ${numbers.join(', ')}: each ${text}`;
  });
}

/** A value has the right form, so either another secret was used or the signed content is one that was not tried. */
function unknown({ places, tried }: Extract<Discovery, { kind: 'unknown-content' }>): string {
  const where = places.slice(0, 5).map(placeWords).join(', ');
  if (tried.hmacs === 0) {
    return `Cannot be decided: ${where} may hold a signature in a form that cannot be read; hexadecimal and base64 can`;
  }
  const search = `${tried.hmacs} HMACs of ${tried.contents} contents under ${tried.keys} readings of ${tried.secrets === 1 ? 'the secret' : `${tried.secrets} secrets`}${tried.complete ? '' : ', stopped at a limit'}`;
  return `Cannot be decided: ${where} has the form of an HMAC-SHA256, made with a secret or over content that was not tried (none of ${search} matches)`;
}

/** The discovery in full: the sentence, how to verify, what else was seen. Shows no secret. */
export function discoveryLines(found: Discovery): string[] {
  const lines = [describeDiscovery(found)];
  if ('scheme' in found) {
    lines.push(describeScheme(found.scheme));
  }
  if (found.kind === 'inconsistent') {
    lines.push(...oddWords(found.odd).slice(5, 50));
  }
  if (found.kind === 'verified') {
    const equally = 'Equally possible, since these deliveries do not distinguish the two';
    lines.push(...found.alternatives.map((other) => `${equally}: ${contentFormula(other)}`));
    lines.push(...found.others.map((other) => `Another signature that verifies. ${describeScheme(other)}`));
  }
  return [...lines, ...found.notes.map((note) => `Note: ${note}`)];
}

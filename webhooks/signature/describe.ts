import type { BodyForm, Content, KeyForm, Part, Scheme, Source, Timestamp, UrlForm } from './scheme.ts';

/** The scheme in sentences that a receiver's author can implement. Shows no secret. */
export function describeScheme(scheme: Scheme): string {
  return [placeSentence(scheme), contentSentence(scheme), keySentence(scheme.key), timestampSentence(scheme.timestamp)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** The signed content in one line, for example `<webhook-id>.<webhook-timestamp>.<body>`. */
export function contentFormula(content: Content): string {
  if (content.kind === 'jws') {
    return content.claim === ''
      ? '<JWS header>.<claims without the body>'
      : `<JWS header>.<claims with the body's SHA-256 at ${content.claim}>`;
  }
  if (content.kind === 'message-signature') {
    return `<RFC 9421 signature base of ${content.label}${content.digest ? ' with content-digest' : ''}>`;
  }
  if (content.kind === 'canonical-request') {
    return `<method>\\n<path and query>\\n<headers named in ${content.signedHeaders}>\\n<body>`;
  }
  return content.parts.map(partFormula).join('') || '<nothing>';
}

function partFormula(part: Part): string {
  if (part.kind === 'literal') {
    return part.text.replaceAll('\n', String.raw`\n`);
  }
  if (part.kind === 'method') {
    return '<method>';
  }
  if (part.kind === 'url') {
    return `<${urlWords[part.form]}>`;
  }
  if (part.kind === 'body') {
    return part.form === 'raw' ? '<body>' : `<${bodyWords[part.form]}>`;
  }
  const { source } = part;
  if (source.in === 'header') {
    return source.label === null ? `<${source.name}>` : `<${source.name} ${source.label || 'first entry'}>`;
  }
  return `<${source.in} ${source.in === 'query' ? source.name : source.pointer}>`;
}

const urlWords: Readonly<Record<UrlForm, string>> = {
  registered: 'URL',
  normalised: 'normalised URL',
  'without-query': 'URL without query',
  path: 'path',
  'path-query': 'path and query',
};

export const bodyWords: Readonly<Record<BodyForm, string>> = {
  raw: 'body',
  empty: 'nothing in place of the body',
  base64: 'base64 of the body',
  decompressed: 'decompressed body',
  'sha256-hex': 'hex SHA-256 of the body',
  'sha256-base64': 'base64 SHA-256 of the body',
  'json-compact': 'body as compact JSON (JSON.stringify)',
  'json-python': 'body as Python json.dumps writes it',
  'json-python-utf8': 'body as Python json.dumps(ensure_ascii=False) writes it',
  'json-sorted': 'body as compact JSON with sorted keys',
  'json-python-sorted': 'body as Python json.dumps(sort_keys=True) writes it',
  'json-ascii': 'body as compact JSON in ASCII',
  'json-php': 'body as PHP json_encode writes it',
  'json-pretty-2': 'body as JSON indented by 2',
  'json-pretty-4': 'body as JSON indented by 4',
  'newline-added': 'body with a newline added',
  trimmed: 'body without white space at its ends',
  'json-unsigned': 'body as compact JSON without the signature field',
  'json-unsigned-sorted': 'body as compact JSON without the signature field, keys sorted',
  'json-unsigned-python': 'body as Python json.dumps writes it without the signature field',
  'json-inside': 'payload as it stands in a text of the body, unescaped',
  'sorted-pairs': "body's fields as name=value joined by &, sorted, without the signature field",
};

/** A place in words: header `webhook-id`, field `t` of header `Stripe-Signature`. */
export function sourceWords(source: Source): string {
  if (source.in === 'query') {
    return `query parameter \`${source.name}\``;
  }
  if (source.in === 'body') {
    return `body field \`${source.pointer}\``;
  }
  if (source.label === null) {
    return `header \`${source.name}\``;
  }
  return source.label === ''
    ? `first entry of header \`${source.name}\``
    : `text after \`${source.label}\` in header \`${source.name}\``;
}

const encodingWords = {
  hex: 'hexadecimal form',
  base64: 'base64',
  base64url: 'URL-safe base64',
  'base64-hex': 'base64 of the hexadecimal text',
} as const;

function placeSentence({ signature, encoding, content }: Scheme): string {
  const { source, template, list } = signature;
  const place = source.in === 'header' ? `header \`${source.name}\`` : sourceWords(source);
  if (content.kind === 'jws') {
    return `The ${place} is a JWS in compact form, signed with HMAC-SHA256 (HS256).`;
  }
  const shape = template.replace('{signature}', '<signature>').replaceAll('{timestamp}', '<timestamp>');
  const separator = list === undefined ? '' : list === ' ' ? 'blanks' : list === ',' ? 'commas' : 'semicolons';
  const several =
    separator === ''
      ? ''
      : ` Several signatures may stand there, separated by ${separator}: one that matches is enough.`;
  return `The ${place} carries \`${shape}\`, where <signature> is the ${encodingWords[encoding]} of an HMAC-SHA256.${several}`;
}

function contentSentence({ content }: Scheme): string {
  if (content.kind === 'jws') {
    return content.claim === ''
      ? 'No claim holds a hash of the body.'
      : `Its claim \`${content.claim}\` is the ${content.claimEncoding} SHA-256 of the raw request body.`;
  }
  if (content.kind === 'message-signature') {
    return `The signed content is the signature base of RFC 9421 for the entry \`${content.label}\` of \`Signature-Input\`; ${
      content.digest
        ? 'it holds `Content-Digest` (RFC 9530), which is the digest of the raw request body.'
        : 'it does not hold a digest of the body.'
    }`;
  }
  if (content.kind === 'canonical-request') {
    return `The signed content is, one to a line: the method; path and query; \`name:value\` of each header named in \`${content.signedHeaders}\`, joined by semicolons; the raw request body.`;
  }
  const words = content.parts.map(partWords);
  const plain = words.length === 1 ? ' alone' : ', joined without anything between them';
  return `The signed content is ${words.join(', then ')}${plain}.`;
}

function partWords(part: Part): string {
  if (part.kind === 'literal') {
    return part.text === '\n' ? 'a newline' : `the text \`${part.text.replaceAll('\n', String.raw`\n`)}\``;
  }
  if (part.kind === 'method') {
    return 'the request method in capitals';
  }
  if (part.kind === 'url') {
    return `the ${urlWords[part.form]}${part.form === 'registered' ? ' as registered' : ''}`;
  }
  if (part.kind === 'body') {
    return part.form === 'raw' ? 'the raw request body' : `the ${bodyWords[part.form]}`;
  }
  return `the ${sourceWords(part.source)} as sent`;
}

function keySentence({ strip, decode }: KeyForm): string {
  const rest = strip === '' ? 'the secret' : `what follows \`${strip}\` in the secret`;
  const words = {
    utf8: strip === '' ? 'the whole secret as text (UTF-8), prefix and all' : `${rest}, as text (UTF-8)`,
    base64: `${rest}, base64-decoded`,
    hex: `${rest}, hex-decoded`,
    trimmed: `${rest} without white space around it`,
    'sha256-hex': `the hexadecimal SHA-256 of ${rest}`,
    sha256: `the SHA-256 of ${rest} (32 bytes)`,
  } as const;
  return `The key is ${words[decode]}.`;
}

const unitWords = {
  s: 'in seconds since 1970',
  ms: 'in milliseconds since 1970',
  us: 'in microseconds since 1970',
  ns: 'in nanoseconds since 1970',
  'iso-8601': 'as ISO 8601',
  'http-date': 'as an HTTP date',
} as const;

function timestampSentence(timestamp: Timestamp | undefined): string {
  if (timestamp === undefined) {
    return '';
  }
  const place = `The ${sourceWords(timestamp.source)} is the time of sending ${unitWords[timestamp.unit]}`;
  return timestamp.covered
    ? `${place}; reject deliveries that are more than five minutes old.`
    : `${place}, and is not signed.`;
}

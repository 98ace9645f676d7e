import { bodyForms } from './read/body-forms.ts';
import type { KeyForm } from './read/keys.ts';
import type { TimeUnit } from './read/times.ts';
import type { UrlForm } from './read/url-forms.ts';
import type { Content, Encoding, Part, Scheme, Source, Timestamp } from './scheme.ts';

/** The scheme in sentences by which a receiver can be written. Shows no secret. */
export function describeScheme(scheme: Scheme): string {
  return [placeSentence(scheme), contentSentence(scheme), keySentence(scheme.key), timestampSentence(scheme.timestamp)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** The signed content in one line, for example `<webhook-id>.<webhook-timestamp>.<body>`. */
export function contentFormula(content: Content): string {
  switch (content.kind) {
    case 'jws':
      return jwsFormula(content.covers);
    case 'message-signature':
      return `<RFC 9421 signature base of ${content.label}${content.digest ? ' with content-digest' : ''}>`;
    case 'http-signature':
      return `<signing string of the headers listed${content.digest ? ', a digest of the body among them' : ''}>`;
    case 'canonical-request':
      return `<method>\\n<path and query>\\n<headers named in ${content.signedHeaders}>\\n<body>`;
    case 'parts':
      return content.parts.map(partFormula).join('') || '<nothing>';
  }
}

function jwsFormula(covers: Extract<Content, { kind: 'jws' }>['covers']): string {
  switch (covers.by) {
    case 'hash':
      return `<JWS header>.<claims with the body's SHA-256 at ${covers.claim}>`;
    case 'claim':
      return `<JWS header>.<claims with the body at ${covers.claim || 'their top'}>`;
    case 'detached':
      return `<JWS header>.<${covers.encoded ? bodyForms.base64url.words : 'body'}>`;
    case 'place':
      return '<JWS header>.<claims>';
    case 'nothing':
      return '<JWS header>.<claims without the body>';
  }
}

const visible = (text: string): string => text.replaceAll('\r', String.raw`\r`).replaceAll('\n', String.raw`\n`);

function partFormula(part: Part): string {
  switch (part.kind) {
    case 'literal':
      return visible(part.text);
    case 'method':
      return part.lower === true ? '<method in lower case>' : '<method>';
    case 'url':
      return `<${urlWords[part.form]}>`;
    case 'body':
      return `<${bodyForms[part.form].words}>`;
    case 'value':
      return `<${sourceFormula(part.source)}${part.as === undefined ? '' : ` ${unitWords[part.as]}`}>`;
  }
}

function sourceFormula(source: Source): string {
  if (source.in === 'header') {
    return source.label === null ? source.name : `${source.name} ${source.label || 'first entry'}`;
  }
  return `${source.in} ${source.in === 'query' ? source.name : source.pointer}`;
}

const urlWords: Readonly<Record<UrlForm, string>> = {
  registered: 'URL',
  normalised: 'normalised URL',
  'without-query': 'URL without query',
  'as-called': 'URL as it was called',
  'path-query': 'path and query',
  path: 'path',
  query: 'query',
  host: 'host',
  hostname: 'host without port',
};

/** The place of a value in words: header `webhook-id`, text after `t=` in header `Stripe-Signature`. */
export function sourceWords(source: Source): string {
  if (source.in === 'query') {
    return `query parameter \`${source.name}\``;
  }
  if (source.in === 'body') {
    return source.pointer === '' ? 'body' : `body field \`${source.pointer}\``;
  }
  if (source.label === null) {
    return `header \`${source.name}\``;
  }
  return source.label === ''
    ? `first entry of header \`${source.name}\``
    : `text after \`${source.label.replace('{signature}', '<signature>')}\` in header \`${source.name}\``;
}

const encodingWords: Readonly<Record<Encoding, string>> = {
  hex: 'hexadecimal form',
  base64: 'base64',
  base64url: 'URL-safe base64',
  'base64-hex': 'base64 of the hexadecimal text',
};

const listWords = { ' ': 'blanks', ',': 'commas', ';': 'semicolons' } as const;

function placeSentence({ signature: { source, template, list, groups }, encoding, content }: Scheme): string {
  const place = source.in === 'header' ? `header \`${source.name}\`` : sourceWords(source);
  if (content.kind === 'jws') {
    return `The ${place} is a JWS in compact form, signed with HMAC-SHA256 (HS256).`;
  }
  const shape = template.replace('{signature}', '<signature>').replaceAll('{timestamp}', '<timestamp>');
  const grouped = groups === undefined ? '' : ` in groups of ${groups.every} joined by \`${groups.by}\``;
  const several =
    list === undefined
      ? ''
      : ` It may hold several signatures, separated by ${listWords[list]}: one that matches is enough.`;
  return `The ${place} carries \`${shape}\`, where <signature> is the ${encodingWords[encoding]}${grouped} of an HMAC-SHA256.${several}`;
}

function contentSentence({ content }: Scheme): string {
  switch (content.kind) {
    case 'jws':
      return jwsSentence(content.covers);
    case 'message-signature':
      return `The signed content is the signature base of RFC 9421 for the entry \`${content.label}\` of \`Signature-Input\`; ${
        content.digest
          ? 'it holds `Content-Digest` (RFC 9530), which is the digest of the raw request body.'
          : 'it does not hold a digest of the body.'
      }`;
    case 'http-signature':
      return `The signed content is \`name: value\` of each header that \`headers="…"\` lists, one to a line, with \`(request-target)\` for method and path; ${
        content.digest ? 'one of them holds the digest of the raw request body.' : 'none holds a digest of the body.'
      }`;
    case 'canonical-request':
      return `The signed content is, one to a line: the method; path and query; \`name:value\` of each header named in \`${content.signedHeaders}\`, joined by semicolons; the raw request body.`;
    case 'parts': {
      const words = content.parts.map(partWords);
      const plain = words.length === 1 ? ' alone' : ', joined without anything between them';
      return `The signed content is ${words.join(', then ')}${plain}.`;
    }
  }
}

function jwsSentence(covers: Extract<Content, { kind: 'jws' }>['covers']): string {
  switch (covers.by) {
    case 'hash':
      return `Its claim \`${covers.claim}\` is the ${covers.encoding} SHA-256 of the raw request body.`;
    case 'claim':
      return `Its ${covers.claim === '' ? 'claims are' : `claim \`${covers.claim}\` is`} the payload.`;
    case 'detached':
      return `Its second part is left out: it is the raw request body${covers.encoded ? ' in URL-safe base64' : ''}.`;
    case 'place':
      return 'Its claims are the payload.';
    case 'nothing':
      return 'No claim holds a hash of the body.';
  }
}

function partWords(part: Part): string {
  switch (part.kind) {
    case 'literal':
      return part.text === '\n' ? 'a newline' : `the text \`${visible(part.text)}\``;
    case 'method':
      return `the request method in ${part.lower === true ? 'lower case' : 'upper case'}`;
    case 'url':
      return `the ${urlWords[part.form]}${part.form === 'registered' ? ' as registered' : ''}`;
    case 'body':
      return part.form === 'raw' ? 'the raw request body' : `the ${bodyForms[part.form].words}`;
    case 'value':
      return `the ${sourceWords(part.source)} ${part.as === undefined ? 'as sent' : `written ${unitWords[part.as]}`}`;
  }
}

function keySentence({ strip, decode }: KeyForm): string {
  const rest = strip === '' ? 'the secret' : `what follows \`${strip}\` in the secret`;
  const words: Readonly<Record<KeyForm['decode'], string>> = {
    utf8: strip === '' ? 'the whole secret as text (UTF-8), prefix and all' : `${rest}, as text (UTF-8)`,
    base64: `${rest}, base64-decoded`,
    hex: `${rest}, hex-decoded`,
    trimmed: `${rest} without white space around it`,
    'sha256-hex': `the hexadecimal SHA-256 of ${rest}`,
    sha256: `the SHA-256 of ${rest} (32 bytes)`,
  };
  return `The key is ${words[decode]}.`;
}

const unitWords: Readonly<Record<TimeUnit, string>> = {
  s: 'in seconds since 1970',
  ms: 'in milliseconds since 1970',
  us: 'in microseconds since 1970',
  ns: 'in nanoseconds since 1970',
  's-float': 'in seconds since 1970 with a fraction',
  's-hex': 'in seconds since 1970 in hexadecimal',
  'iso-8601': 'as ISO 8601',
  'iso-basic': 'as ISO 8601 without separators',
  'http-date': 'as an HTTP date',
  'rfc-2822': 'as a date of RFC 2822',
};

function timestampSentence(timestamp: Timestamp | undefined): string {
  if (timestamp === undefined) {
    return '';
  }
  const place = `The ${sourceWords(timestamp.source)} is the time of sending ${unitWords[timestamp.unit]}`;
  return timestamp.covered
    ? `${place}; reject deliveries that are more than five minutes old.`
    : `${place}, and is not signed.`;
}

import { pointerNames } from '../../../common/json.ts';
import { valuePattern } from '../read/header-values.ts';
import type { KeyForm } from '../read/keys.ts';
import type { TimeUnit } from '../read/times.ts';
import type { UrlForm } from '../read/url-forms.ts';
import type { Encoding, Part, Scheme, Source } from '../scheme.ts';
import { httpSignatureNode, jwsNode, messageSignatureNode } from './node-envelopes.ts';
import { hashForm, holds, nameOf, signaturePattern, sourcesOf } from './patterns.ts';

/** The verifying function for Node. */
export function nodeSnippet(scheme: Scheme): string {
  const lines = [...nodeKey(scheme), ...bodyOf(scheme)];
  const zlib = holds(scheme, (part) => part.kind === 'body' && part.form === 'decompressed')
    ? "import { gunzipSync } from 'node:zlib';\n"
    : '';
  const crypto = lines.some((line) => line.includes('createHash('))
    ? 'createHash, createHmac, timingSafeEqual'
    : 'createHmac, timingSafeEqual';
  return `import { ${crypto} } from 'node:crypto';
${zlib}
/**
 * Returns true if the request is signed with the secret. rawBody: Buffer of the bytes as received, before any JSON
 * parser. headers: names in lower case. path: path and query as received. registeredUrl: the webhook's URL as
 * registered.
 */
export function verifyWebhook({ method = 'POST', path = '/', registeredUrl = '', headers, rawBody, secret, now = Date.now() }) {
${lines.map((line) => `  ${line}`).join('\n')}
}
`;
}

function bodyOf(scheme: Scheme): string[] {
  switch (scheme.content.kind) {
    case 'jws':
      return jwsNode(scheme.content.covers, read(scheme.signature.source));
    case 'message-signature':
      return [...messageSignatureNode(scheme.content.label), ...comparison(['const given = [signature];'])];
    case 'http-signature':
      return [...httpSignatureNode(scheme), ...comparison(givenSignatures(scheme))];
    default:
      return [...values(scheme), ...freshness(scheme), ...content(scheme), ...comparison(givenSignatures(scheme))];
  }
}

/** The lines that set one constant for each value of the content and for the timestamp. */
function values(scheme: Scheme): string[] {
  const sources = sourcesOf(scheme);
  const payload = sources.some((source) => source.in === 'body')
    ? ["const payload = JSON.parse(rawBody.toString('utf8'));"]
    : [];
  return [
    ...payload,
    ...sources.flatMap((source) => {
      const name = nameOf(scheme, source);
      return [`const ${name} = ${read(source)};`, `if (${name} === undefined) return false;`];
    }),
  ];
}

function read(source: Source): string {
  if (source.in === 'query') {
    return `new URLSearchParams(path.split('?')[1] ?? '').get(${JSON.stringify(source.name)}) ?? undefined`;
  }
  if (source.in === 'body') {
    const names = pointerNames(source.pointer);
    return names.length === 0
      ? "rawBody.toString('utf8')"
      : `payload${names.map((name) => `?.[${JSON.stringify(name)}]`).join('')}?.toString()`;
  }
  const header = `headers[${JSON.stringify(source.name.toLowerCase())}]`;
  return source.label === null ? header : `/${inSlashes(valuePattern(source.label))}/.exec(${header} ?? '')?.[1]`;
}

const inSlashes = (pattern: string): string => pattern.replaceAll(/(?<!\\)\//g, String.raw`\/`);

function freshness(scheme: Scheme): string[] {
  if (scheme.timestamp?.covered !== true) {
    return [];
  }
  const name = nameOf(scheme, scheme.timestamp.source);
  const moments: Readonly<Record<TimeUnit, string>> = {
    s: `Number(${name}) * 1000`,
    ms: `Number(${name})`,
    us: `Number(${name}) / 1000`,
    ns: `Number(${name}) / 1000000`,
    's-float': `Number(${name}) * 1000`,
    's-hex': `Number.parseInt(${name}, 16) * 1000`,
    'iso-8601': `Date.parse(${name})`,
    'iso-basic': `Date.parse(${name}.replace(/^(\\d{4})(\\d\\d)(\\d\\d)T?(\\d\\d)(\\d\\d)(\\d\\d)/, '$1-$2-$3T$4:$5:$6').replace(/\\d$/, '$&Z'))`,
    'http-date': `Date.parse(${name})`,
    'rfc-2822': `Date.parse(${name})`,
  };
  return [
    `const moment = ${moments[scheme.timestamp.unit]};`,
    'if (!(Math.abs(now - moment) <= 300000)) return false; // also if it is not a time',
  ];
}

function content(scheme: Scheme): string[] {
  if (scheme.content.kind === 'canonical-request') {
    const list = `headers[${JSON.stringify(scheme.content.signedHeaders.toLowerCase())}]`;
    return [
      `const names = (${list} ?? '').split(/[,; ]+/).filter(Boolean);`,
      "const pairs = names.map((name) => `${name.toLowerCase()}:${(headers[name.toLowerCase()] ?? '').trim()}`);",
      "const content = Buffer.concat([Buffer.from(`${method}\\n${path}\\n${pairs.join(';')}\\n`), rawBody]);",
    ];
  }
  const parts = scheme.content.kind === 'parts' ? scheme.content.parts : [];
  return [`const content = Buffer.concat([${parts.map((part) => piece(part, scheme)).join(', ')}]);`];
}

const urls: Readonly<Record<UrlForm, string>> = {
  registered: 'registeredUrl',
  normalised: 'new URL(registeredUrl).href',
  'without-query': "registeredUrl.split('?')[0]",
  'as-called': '(new URL(registeredUrl).origin + path)',
  'path-query': 'path',
  path: "path.split('?')[0]",
  query: "(path.split('?')[1] ?? '')",
  host: 'new URL(registeredUrl).host',
  hostname: 'new URL(registeredUrl).hostname',
};

const spellings: Partial<Record<TimeUnit, string>> = {
  s: 'String(Math.floor(moment / 1000))',
  ms: 'String(moment)',
  'iso-8601': 'new Date(moment).toISOString()',
};

function piece(part: Part, scheme: Scheme): string {
  switch (part.kind) {
    case 'body':
      return bodyPiece(part);
    case 'literal':
      return `Buffer.from(${JSON.stringify(part.text)})`;
    case 'method':
      return `Buffer.from(method${part.lower === true ? '.toLowerCase()' : ''})`;
    case 'url':
      return `Buffer.from(${urls[part.form]})`;
    case 'value':
      return `Buffer.from(${(part.as && spellings[part.as]) ?? nameOf(scheme, part.source)})`;
  }
}

function bodyPiece({ form }: Extract<Part, { kind: 'body' }>): string {
  const hash = hashForm(form);
  if (hash !== undefined) {
    const text = `createHash('${hash.algorithm}').update(rawBody).digest('${hash.encoding}')`;
    return `Buffer.from(${text}${hash.upper ? '.toUpperCase()' : ''})`;
  }
  if (form === 'base64' || form === 'base64url') {
    return `Buffer.from(rawBody.toString('${form}'))`;
  }
  if (form === 'sorted-fields') {
    const fields = '[...new URLSearchParams(rawBody.toString())]';
    const sorted = `${fields}.sort(([a], [b]) => (a < b ? -1 : Number(a > b)))`;
    return `Buffer.from(${sorted}.map((field) => field.join('')).join(''))`;
  }
  return form === 'decompressed' ? 'gunzipSync(rawBody, { maxOutputLength: 10000000 })' : 'rawBody';
}

/** The lines that set `key`. */
function nodeKey({ key }: Scheme): string[] {
  const rest = key.strip === '' ? 'secret' : `secret.slice(${key.strip.length})`;
  const bytes: Readonly<Record<KeyForm['decode'], string>> = {
    utf8: `Buffer.from(${rest}, 'utf8')`,
    base64: `Buffer.from(${rest}, 'base64')`,
    hex: `Buffer.from(${rest}, 'hex')`,
    trimmed: `Buffer.from(${rest}.trim(), 'utf8')`,
    'sha256-hex': `Buffer.from(createHash('sha256').update(${rest}).digest('hex'))`,
    sha256: `createHash('sha256').update(${rest}).digest()`,
  };
  const guard =
    key.strip === ''
      ? []
      : [`if (!secret.startsWith(${JSON.stringify(key.strip)})) throw new TypeError('The secret has another form');`];
  return [...guard, `const key = ${bytes[key.decode]};`];
}

/** The lines that set `given`, the signatures in the delivery. */
function givenSignatures(scheme: Scheme): string[] {
  const { source, groups } = scheme.signature;
  const decode: Readonly<Record<Encoding, string>> = {
    hex: groups === undefined ? "Buffer.from(text, 'hex')" : `Buffer.from(text.replaceAll('${groups.by}', ''), 'hex')`,
    base64: "Buffer.from(text, 'base64')",
    base64url: "Buffer.from(text, 'base64url')",
    'base64-hex': "Buffer.from(Buffer.from(text, 'base64').toString('latin1'), 'hex')",
  };
  const value = read(source.in === 'header' ? { ...source, label: null } : source);
  return [
    `const texts = [...(${value} ?? '').matchAll(/${inSlashes(signaturePattern(scheme))}/g)].map((match) => match[1]);`,
    `const given = texts.map((text) => ${decode[scheme.encoding]});`,
  ];
}

const comparison = (given: readonly string[]): string[] => [
  "const expected = createHmac('sha256', key).update(content).digest();",
  ...given,
  'return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));',
];

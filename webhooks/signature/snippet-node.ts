import type { BodyForm, Part, Scheme, Source, TimeUnit } from './scheme.ts';
import { jwsNode, messageSignatureNode } from './snippet-node-envelopes.ts';
import { nameOf, signaturePattern, sourcesOf, valuePattern } from './snippet-patterns.ts';

const indent = (lines: readonly string[]): string => lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n');

/** The verifying function for Node. */
export function nodeSnippet(scheme: Scheme): string {
  if (scheme.content.kind === 'jws') {
    return jwsNode(scheme, nodeKey(scheme));
  }
  const body =
    scheme.content.kind === 'message-signature'
      ? messageSignatureNode(scheme.content.label)
      : [...values(scheme), ...freshness(scheme), ...content(scheme)];
  const crypto = usesHash(scheme) ? 'createHash, createHmac, timingSafeEqual' : 'createHmac, timingSafeEqual';
  const zlib = holdsBody(scheme, (form) => form === 'decompressed') ? "import { gunzipSync } from 'node:zlib';\n" : '';
  return `import { ${crypto} } from 'node:crypto';
${zlib}
/**
 * True where the request is signed with the secret. rawBody: Buffer of the bytes as received, before any JSON parser.
 * headers: names in lower case. path: path and query as received. registeredUrl: the webhook's URL as registered.
 */
export function verifyWebhook({ method = 'POST', path = '/', registeredUrl = '', headers, rawBody, secret, now = Date.now() }) {
${indent([...body, ...nodeKey(scheme), ...comparison(scheme)])}
}
`;
}

const holdsBody = ({ content }: Scheme, is: (form: BodyForm) => boolean): boolean =>
  content.kind === 'parts' && content.parts.some((part) => part.kind === 'body' && is(part.form));

const usesHash = (scheme: Scheme): boolean =>
  scheme.key.decode.startsWith('sha256') ||
  scheme.content.kind === 'message-signature' ||
  holdsBody(scheme, (form) => form.startsWith('sha256'));

/** One constant for each value that the content holds or the timestamp needs. */
function values(scheme: Scheme): string[] {
  return sourcesOf(scheme).flatMap((source) => {
    const name = nameOf(scheme, source);
    return [`const ${name} = ${read(source)};`, `if (${name} === undefined) return false;`];
  });
}

function read(source: Source): string {
  if (source.in !== 'header') {
    return `new URLSearchParams(path.split('?')[1] ?? '').get(${JSON.stringify(source.in === 'query' ? source.name : '')}) ?? undefined`;
  }
  const header = `headers[${JSON.stringify(source.name.toLowerCase())}]`;
  return source.label === null ? header : `/${valuePattern(source.label)}/.exec(${header} ?? '')?.[1]`;
}

function freshness(scheme: Scheme): string[] {
  if (scheme.timestamp?.covered !== true) {
    return [];
  }
  const name = nameOf(scheme, scheme.timestamp.source);
  const moment: Readonly<Record<TimeUnit, string>> = {
    s: `Number(${name}) * 1000`,
    ms: `Number(${name})`,
    us: `Number(${name}) / 1000`,
    ns: `Number(${name}) / 1000000`,
    'iso-8601': `Date.parse(${name})`,
    'http-date': `Date.parse(${name})`,
  };
  return [
    `if (!(Math.abs(now - ${moment[scheme.timestamp.unit]}) <= 300000)) return false; // also where it is no time at all`,
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

function piece(part: Part, scheme: Scheme): string {
  if (part.kind === 'body') {
    return bodyPiece(part.form);
  }
  if (part.kind === 'literal') {
    return `Buffer.from(${JSON.stringify(part.text)})`;
  }
  if (part.kind === 'value') {
    return `Buffer.from(${nameOf(scheme, part.source)})`;
  }
  if (part.kind === 'method') {
    return 'Buffer.from(method)';
  }
  const urls = {
    registered: 'registeredUrl',
    normalised: 'new URL(registeredUrl).href',
    'without-query': "registeredUrl.split('?')[0]",
    path: "path.split('?')[0]",
    'path-query': 'path',
  } as const;
  return `Buffer.from(${urls[part.form]})`;
}

function bodyPiece(form: BodyForm): string {
  if (form === 'sha256-hex') {
    return "Buffer.from(createHash('sha256').update(rawBody).digest('hex'))";
  }
  if (form === 'sha256-base64') {
    return "Buffer.from(createHash('sha256').update(rawBody).digest('base64'))";
  }
  if (form === 'base64') {
    return "Buffer.from(rawBody.toString('base64'))";
  }
  return form === 'decompressed' ? 'gunzipSync(rawBody, { maxOutputLength: 10000000 })' : 'rawBody';
}

/** The line that makes `key`. */
function nodeKey({ key }: Scheme): string[] {
  const rest = key.strip === '' ? 'secret' : `secret.slice(${key.strip.length})`;
  const bytes = {
    utf8: `Buffer.from(${rest}, 'utf8')`,
    base64: `Buffer.from(${rest}, 'base64')`,
    hex: `Buffer.from(${rest}, 'hex')`,
    trimmed: `Buffer.from(${rest}.trim(), 'utf8')`,
    'sha256-hex': `Buffer.from(createHash('sha256').update(${rest}).digest('hex'))`,
    sha256: `createHash('sha256').update(${rest}).digest()`,
  } as const;
  const guard =
    key.strip === ''
      ? []
      : [`if (!secret.startsWith(${JSON.stringify(key.strip)})) throw new TypeError('The secret has another form');`];
  return [...guard, `const key = ${bytes[key.decode]};`];
}

function comparison(scheme: Scheme): string[] {
  const { source } = scheme.signature;
  const decode = {
    hex: "Buffer.from(text, 'hex')",
    base64: "Buffer.from(text, 'base64')",
    base64url: "Buffer.from(text, 'base64url')",
    'base64-hex': "Buffer.from(Buffer.from(text, 'base64').toString('latin1'), 'hex')",
  } as const;
  const value =
    source.in === 'header' ? `headers[${JSON.stringify(source.name.toLowerCase())}] ?? ''` : `${read(source)} ?? ''`;
  const given =
    scheme.content.kind === 'message-signature'
      ? ['const given = [signature];']
      : [
          `const texts = [...String(${value}).matchAll(/${signaturePattern(scheme).replaceAll(/(?<!\\)\//g, String.raw`\/`)}/g)].map((match) => match[1]);`,
          `const given = texts.map((text) => ${decode[scheme.encoding]});`,
        ];
  return [
    "const expected = createHmac('sha256', key).update(content).digest();",
    ...given,
    'return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));',
  ];
}

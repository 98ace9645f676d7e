import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Verifies webhook deliveries by a scheme that `npm run signature` or a run has printed. This file needs nothing but
 * Node: copy it beside the scheme. `request` has `method`, `url` (path and query as received), `registeredUrl` (the
 * webhook's URL as it was registered), `headers` (an object, a Headers, or a list of names and values) and `body`: the
 * bytes as they arrived, before anything parses them. Deliveries that are older than `maxAgeSeconds` are refused, if
 * the scheme signs the time.
 */
export const verifyWebhook = (scheme, request, secret, maxAgeSeconds = 300) =>
  mismatch(scheme, request, secret, maxAgeSeconds) === null;

/** Why a request is not signed by the scheme with the secret; null if it is. The reason shows no secret. */
export function mismatch(scheme, request, secret, maxAgeSeconds = Number.POSITIVE_INFINITY) {
  const key = keyOf(scheme.key, secret);
  if (key === undefined) {
    return `the secret is not ${scheme.key.decode} behind "${scheme.key.strip}"`;
  }
  try {
    const received = readRequest(request);
    const { content, signatures } = signed[scheme.kind](scheme, received);
    const mac = createHmac('sha256', key).update(content).digest();
    if (!signatures.some((one) => one.length === mac.length && timingSafeEqual(one, mac))) {
      return `the signature in ${scheme.signature.name} does not fit this content`;
    }
    const isTimed = scheme.time !== undefined && maxAgeSeconds !== Number.POSITIVE_INFINITY;
    const isFresh = !isTimed || Math.abs(Date.now() - readAt(scheme.time, received)) <= maxAgeSeconds * 1000;
    return isFresh ? null : 'it was sent too long ago';
  } catch (error) {
    // What the scheme needs is not in the request, or cannot be read.
    return error.message;
  }
}

/** The bytes that the scheme signs in a request. Throws if the request does not have all of them. */
export const signedContent = (scheme, request) =>
  Buffer.from(signed[scheme.kind](scheme, readRequest(request)).content);

/** The key of a secret: the rest behind a prefix, as text or decoded. undefined if the secret does not have that form. */
export function keyOf({ strip, decode }, secret) {
  const rest = secret.slice(strip.length);
  const isRead = secret.startsWith(strip) && rest !== '' && forms[decode].test(rest);
  return isRead ? Buffer.from(rest, decode === 'text' ? 'utf8' : decode) : undefined;
}

const forms = { text: /^/, base64: /^[A-Za-z0-9+/_-]+={0,2}$/, hex: /^(?:[0-9A-Fa-f]{2})+$/ };

const lack = (what) => {
  throw new Error(`the delivery has no ${what}`);
};

function readRequest({ headers, body, ...rest }) {
  const lines = Array.isArray(headers) ? headers : [...(headers.entries?.() ?? Object.entries(headers))];
  return {
    ...rest,
    body: Buffer.from(body),
    values: (name) => lines.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => `${value}`),
  };
}

/** The signed content and the signatures of each kind of scheme. */
const signed = {
  parts(scheme, received) {
    const pieces = scheme.parts.map((part) => Buffer.from(pieceOf(part, received)));
    const joiner = Buffer.from(scheme.joiner);
    return {
      content: Buffer.concat(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [joiner, piece]))),
      signatures: textsAt({ ...scheme.signature, label: undefined }, received).flatMap((text) =>
        decodeAll(text, scheme.encoding),
      ),
    };
  },

  /** A JWS (RFC 7515) with HS256; a claim is the SHA-256 of the body. */
  jws({ signature, claim, encoding }, received) {
    const jws = textsAt(signature, received)
      .map((text) => /(?<![\w-])[\w-]+\.[\w-]+\.[\w-]+/.exec(text)?.[0].split('.'))
      .find((parts) => parts !== undefined && parseJson(parts[0])?.alg === 'HS256');
    const [head, claims, mac] = jws ?? lack('JWS with HS256');
    const shown = claim === undefined ? '' : `${pick(parseJson(claims), claim)}`;
    if (claim !== undefined && unpadded(shown) !== unpadded(hashOf(received.body, encoding))) {
      lack(`claim ${claim} that is the SHA-256 of the body`);
    }
    return { content: `${head}.${claims}`, signatures: [Buffer.from(mac, 'base64url')] };
  },

  /** HTTP message signatures (RFC 9421); Content-Digest (RFC 9530) is the SHA-256 or SHA-512 of the body. */
  rfc9421({ label, digest }, received) {
    const inputs = received.values('signature-input').join(', ');
    const [, parameters, list] =
      new RegExp(`(?:^|, *)${escaped(label)}=((\\([^)]{0,1000}\\))[^,]*)`).exec(inputs) ?? [];
    const components = [...(list ?? lack(`Signature-Input for ${label}`)).matchAll(/"([^"]+)"/g)].map(([, one]) => one);
    const shown = received.values('content-digest').join(', ');
    const fits = ['sha256', 'sha512'].some((hash) => shown.includes(`:${hashOf(received.body, 'base64', hash)}:`));
    if (digest && !(components.includes('content-digest') && fits)) {
      lack('signed Content-Digest that fits the body');
    }
    const lines = components.map((name) => `"${name}": ${componentOf(name, received)}`);
    const signatures = received.values('signature').join(', ');
    return {
      content: [...lines, `"@signature-params": ${parameters}`].join('\n'),
      signatures: [...signatures.matchAll(new RegExp(`(?:^|, *)${escaped(label)}=:([^:]+):`, 'g'))].map(([, one]) =>
        Buffer.from(one, 'base64'),
      ),
    };
  },
};

function pieceOf(part, received) {
  const { method, url, registeredUrl, body } = received;
  switch (part.from) {
    case 'text':
      return part.text;
    case 'body':
      return part.hash === undefined ? body : hashOf(body, part.hash);
    case 'method':
      return method;
    case 'url':
      return registeredUrl;
    case 'target':
      return url;
    case 'signed-headers': {
      const names =
        textsAt({ from: 'header', name: part.name }, received)[0]?.split(',') ?? lack(`header ${part.name}`);
      return names.map((name) => `${name}:${received.values(name)[0] ?? lack(`header ${name}`)}`).join(';');
    }
    default:
      return textsAt(part, received)[0] ?? lack(`${part.from} ${part.name} ${part.label ?? ''}`.trim());
  }
}

const componentOf = (name, received) =>
  ({
    '@method': received.method,
    '@target-uri': received.registeredUrl,
    '@authority': new URL(received.registeredUrl).host,
    '@path': received.url.split('?')[0],
    '@query': `?${received.url.split('?')[1] ?? ''}`,
    '@request-target': received.url,
    '@scheme': new URL(received.registeredUrl).protocol.slice(0, -1),
  })[name] ??
  (received.values(name).join(', ') || lack(`signed component ${name}`));

/** The texts at a place: whole values, what stands behind a label such as `t=`, or the first entry (an empty label). */
function textsAt({ from, name, label }, received) {
  if (from === 'query') {
    return received.url.split(/[?&]/).flatMap((pair) => {
      const at = pair.indexOf('=');
      return at > 0 && pair.slice(0, at) === name ? [decodeURIComponent(pair.slice(at + 1))] : [];
    });
  }
  if (from === 'field') {
    const value = name === '' ? received.body : pick(parseJson(received.body), name);
    return value === undefined || value === null ? [] : [`${value}`];
  }
  const values = received.values(name);
  if (label === undefined) {
    return values;
  }
  const entry = label === '' ? /^"?([^\s,;&"]+)/g : new RegExp(`(?:^|[\\s,;&])${escaped(label)}"?([^\\s,;&"]+)`, 'g');
  return values.flatMap((value) => [...value.matchAll(entry)].map(([, text]) => text));
}

/** The runs of characters that 32 bytes take in each encoding. */
export const runs = [
  ['hex', /(?<![0-9A-Fa-f])[0-9A-Fa-f]{64}(?![0-9A-Fa-f])/g],
  ['base64-hex', /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{86}(?:==)?(?![A-Za-z0-9+/=])/g],
  ['base64', /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=?(?![A-Za-z0-9+/=])/g],
  ['base64url', /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}=?(?![A-Za-z0-9_=-])/g],
];

/** The bytes of a run. Node reads base64 in both alphabets. */
export const decodeRun = (run, encoding) =>
  encoding === 'base64-hex'
    ? Buffer.from(Buffer.from(run, 'base64').toString('latin1'), 'hex')
    : Buffer.from(run, encoding);

/** All values of 32 bytes in a text: a header may hold several signatures, and one that fits is enough. */
const decodeAll = (text, encoding) =>
  runs
    .filter(([name]) => name.replace('url', '') === encoding.replace('url', ''))
    .flatMap(([name, pattern]) => (text.match(pattern) ?? []).map((run) => decodeRun(run, name)));

/** The time at a place, in epoch milliseconds. */
function readAt(time, received) {
  const [text] = textsAt(time, received);
  return time.unit === 's' || time.unit === 'ms' ? Number(text) * (time.unit === 's' ? 1000 : 1) : Date.parse(text);
}

const hashOf = (bytes, encoding, hash = 'sha256') => createHash(hash).update(bytes).digest(encoding);
const unpadded = (text) => text.replace(/=+$/, '');
const escaped = (text) => text.replace(/[^\w=]/g, '\\$&');

/** The value at a JSON pointer. */
const pick = (value, pointer) =>
  pointer
    .split('/')
    .slice(1)
    .reduce((inner, name) => inner?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], value);

/** Parsed JSON; a text is decoded from base64url first. undefined if it is none. */
function parseJson(from) {
  try {
    return JSON.parse(typeof from === 'string' ? Buffer.from(from, 'base64url') : from);
  } catch {
    return undefined;
  }
}

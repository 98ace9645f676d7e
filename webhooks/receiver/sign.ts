import { createHmac, randomUUID } from 'node:crypto';
import { systemClock } from '../../common/clock.ts';
import type { Delivery, HeaderLines } from '../signature/delivery.ts';
import { wrongSecret } from '../signature/keys.ts';
import type { PartsScheme, Scheme } from '../signature/scheme.ts';
import { usualHeaders } from '../signature/scheme.ts';
import { writeTime } from '../signature/times.ts';
import { keyOf, signedContent } from '../verify/verify.mjs';

/** What a delivery is made of before it is signed. */
interface Draft extends Pick<Delivery, 'headers' | 'body'> {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The delivery's id, for schemes that sign one. */
  readonly id: string;
}

type Digest = (content: Buffer) => Buffer;

/** What makes HMACs under a key. */
export const hmacUnder =
  (key: string | Buffer, hash = 'sha256'): Digest =>
  (content) =>
    createHmac(hash, key).update(content).digest();

/** A request to the receiver. `signature` is the text of the signature in its header. */
export type Sent = ReturnType<typeof sign>;

/** A scheme by which receivers are tested. Throws a TypeError that says why, if it is none. */
function signable(scheme: Scheme): PartsScheme {
  if (scheme.kind !== 'parts' || [scheme.signature, ...scheme.parts].some(({ from }) => /field|query/.test(from))) {
    throw new TypeError('receivers are tested with HMACs in a header, over headers, URL, method and the whole body');
  }
  return scheme;
}

export interface SignerOptions {
  /** The receiver's URL. Nothing is sent elsewhere. */
  readonly url: string;
  readonly scheme: Scheme;
  /** The name of the service whose usual headers are sent, too. */
  readonly schemeName?: string;
  readonly secret: string;
  /** The URL that the receiver assumes it is registered under, if it is another. */
  readonly registeredUrl?: string;
  /** Headers in addition to the usual ones. */
  readonly headers?: HeaderLines;
  /** The payload; by default a plausible event of the workspace API is made up. */
  readonly body?: Buffer | undefined;
}

export type Signer = ReturnType<typeof createSigner>;

const general: HeaderLines = [
  ['Content-Type', 'application/json'],
  ['User-Agent', 'webhook-receiver-check'],
];

/**
 * Makes the validly signed deliveries of a test: of a new draft each time, with an id and a time of its own, which
 * `change` changes before that; or signed otherwise. Throws a TypeError if the scheme or the secret cannot be used.
 */
export function createSigner(options: SignerOptions) {
  const { url, schemeName = '', secret, registeredUrl = url, headers = [], body } = options;
  const scheme = signable(options.scheme);
  const keyFor = (one: string): Buffer => {
    const key = keyOf(scheme.key, one);
    if (key === undefined) {
      throw new TypeError(`the secret is not ${scheme.key.decode} behind "${scheme.key.strip}"`);
    }
    return key;
  };
  const key = keyFor(secret);
  return {
    scheme,
    key,
    wrongly: hmacUnder(keyFor(wrongSecret(secret))),
    signed(change?: (draft: Draft) => Partial<Draft>, digest = hmacUnder(key)): Sent {
      const id = `msg_${randomUUID().replaceAll('-', '')}`;
      const draft: Draft = {
        headers: withMissing([...general, ...headers], usualHeaders(schemeName, id)),
        body: body ?? payload(id, 'a check'),
        at: systemClock.now(),
        id,
      };
      return sign(scheme, { ...draft, ...change?.(draft) }, registeredUrl, digest);
    },
  };
}

export const payload = (id: string, note: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      id,
      type: 'booking.created',
      event: 'booking.created',
      data: { id: `booking_${id.slice(4, 12)}`, status: 'scheduled', note },
    }),
  );

function sign(scheme: PartsScheme, draft: Draft, registeredUrl: string, digest: Digest) {
  const time = scheme.time === undefined ? '' : writeTime(draft.at, scheme.time.unit);
  const lines = withMissing(draft.headers, headersBeside(scheme, draft, time));
  const headersWith = (signature: string): HeaderLines => {
    const value = scheme.signature.template.replaceAll('{time}', time).replaceAll('{signature}', signature);
    return [...lines, [scheme.signature.name, value]];
  };
  const { pathname, search } = new URL(registeredUrl);
  const { body, at } = draft;
  const request = { method: 'POST', url: pathname + search, registeredUrl, body };
  // Zeros hold the place of the signature, since the time may be in the same header.
  const content = signedContent(scheme, { ...request, headers: headersWith(encoded(Buffer.alloc(32), scheme)) });
  const signature = encoded(digest(content), scheme);
  return { method: 'POST', headers: headersWith(signature), body, signature, at };
}

const encoded = (mac: Buffer, { encoding }: PartsScheme): string =>
  encoding === 'base64-hex' ? Buffer.from(mac.toString('hex')).toString('base64') : mac.toString(encoding);

/** The headers that a scheme needs beside the signature's: time, id, and the list of those that are signed. */
function headersBeside({ parts, time: place }: PartsScheme, draft: Draft, time: string): [string, string][] {
  const needed = [...parts, ...(place === undefined ? [] : [place])].flatMap((part): [string, string][] => {
    if (part.from === 'signed-headers') {
      return [[part.name, part.name]];
    }
    const isOwn = part.from === 'header' && part.label === undefined;
    return isOwn ? [[part.name, part.name === place?.name ? time : draft.id]] : [];
  });
  return [...new Map(needed)];
}

/** Headers, with those of others that are not among them. */
function withMissing(lines: HeaderLines, others: HeaderLines): HeaderLines {
  const given = new Set(lines.map(([name]) => name.toLowerCase()));
  return [...lines, ...others.filter(([name]) => !given.has(name.toLowerCase()))];
}

type Change = (value: string) => string | undefined;

/** A delivery with one header changed after it was signed; undefined removes it. */
export const withHeader = (sent: Sent, name: string, change: Change): Sent => ({
  ...sent,
  headers: changeHeader(sent.headers, name, change),
});

/** The headers with one of them changed; undefined removes it. */
export const changeHeader = (headers: HeaderLines, name: string, change: Change): HeaderLines =>
  headers.flatMap(([key, value]) => {
    const changed = key.toLowerCase() === name.toLowerCase() ? change(value) : value;
    return changed === undefined ? [] : [[key, changed] as const];
  });

import { randomUUID } from 'node:crypto';
import type { Delivery, HeaderLines } from '../signature/delivery.ts';
import { wrongSecret } from '../signature/keys.ts';
import type { Scheme } from '../signature/scheme.ts';
import { type Draft, type Signed, type SignOptions, sign } from '../signature/sign.ts';

/** A request to the receiver. */
export type Outgoing = Pick<Delivery, 'method' | 'headers' | 'body'>;

export interface KitOptions {
  readonly scheme: Scheme;
  readonly secret: string;
  /** The URL that the receiver assumes it is registered under. */
  readonly url: string;
  /** Headers in addition to the usual ones. */
  readonly headers?: HeaderLines;
  /** The payload; by default one is made up. */
  readonly body?: Buffer | undefined;
  /** The present time in epoch milliseconds. */
  readonly now?: () => number;
}

interface Otherwise extends SignOptions {
  /** The secret to sign with, instead of the receiver's. */
  readonly secret?: string;
}

/** Makes deliveries that are validly signed, or differ from one that is in one thing only. */
export interface Kit {
  readonly scheme: Scheme;
  readonly wrongSecret: string;
  /** A validly signed delivery with a new id and the present time; `change` changes it before it is signed. */
  valid(change?: (draft: Draft) => Partial<Draft>, options?: Otherwise): Outgoing & Signed;
  /** One whose header is changed after signing; undefined removes it. */
  withHeader(name: string, change: (value: string, draft: Draft) => string | undefined): Outgoing;
  /** One whose body is replaced after signing; undefined if the change makes no difference. */
  withBody(change: (body: Buffer) => Buffer | undefined): Outgoing | undefined;
  /** One whose signature header is changed after signing; undefined if the change makes no difference. */
  withValue(change: (value: string, signature: string) => string): Outgoing | undefined;
  /** One whose signature is replaced by another text. */
  withSignature(change: (signature: string) => string): Outgoing | undefined;
}

const usualHeaders: HeaderLines = [
  ['Content-Type', 'application/json'],
  ['User-Agent', 'webhook-receiver-check'],
];

export function createKit({ scheme, secret, url, headers = [], body, now = Date.now }: KitOptions): Kit {
  const draft = (): Draft => {
    const id = `msg_${randomUUID().replaceAll('-', '')}`;
    const content = body ?? payload(id, 'checked by a conformance suite');
    return { method: 'POST', url, headers: [...usualHeaders, ...headers], body: content, at: now(), id };
  };
  const signed = (from: Draft, options: Otherwise = {}): Outgoing & Signed => ({
    method: from.method,
    body: from.body,
    ...sign(scheme, from, options.secret ?? secret, options),
  });
  const kit: Kit = {
    scheme,
    wrongSecret: wrongSecret(secret),
    valid(change, options) {
      const plain = draft();
      return signed({ ...plain, ...change?.(plain) }, options);
    },
    withHeader(name, change) {
      const plain = draft();
      const sent = signed(plain);
      return { ...sent, headers: changeHeader(sent.headers, name, (value) => change(value, plain)) };
    },
    withBody(change) {
      const sent = kit.valid();
      const changed = change(sent.body);
      // Content-Length must fit the new body, so the client sets it.
      const lines = changeHeader(sent.headers, 'content-length', () => undefined);
      return changed === undefined || changed.equals(sent.body)
        ? undefined
        : { ...sent, headers: lines, body: changed };
    },
    withValue(change) {
      const { signature, ...sent } = kit.valid();
      const lines = changeHeader(sent.headers, scheme.signature.name, (value) => change(value, signature));
      return lines.join() === sent.headers.join() ? undefined : { ...sent, headers: lines };
    },
    withSignature: (change) => kit.withValue((value, signature) => value.replace(signature, () => change(signature))),
  };
  return kit;
}

/** A plausible event of the workspace API. */
export function payload(id: string, note: string): Buffer {
  const data = { id: `booking_${id.slice(4, 12)}`, status: 'scheduled', note };
  return Buffer.from(JSON.stringify({ id, type: 'booking.created', event: 'booking.created', data }));
}

/** The headers with one of them changed. If `change` returns undefined, it is removed. */
export const changeHeader = (
  headers: HeaderLines,
  name: string,
  change: (value: string) => string | undefined,
): HeaderLines =>
  headers.flatMap(([key, value]) => {
    const changed = key.toLowerCase() === name.toLowerCase() ? change(value) : value;
    return changed === undefined ? [] : [[key, changed] as const];
  });

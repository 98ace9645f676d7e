import { randomUUID } from 'node:crypto';
import type { Delivery, HeaderLines } from '../signature/delivery.ts';
import type { Draft } from '../signature/draft.ts';
import type { Scheme } from '../signature/scheme.ts';
import { type Signed, type SignOptions, sign } from '../signature/sign.ts';

/** A request to the receiver. */
export type Outgoing = Pick<Delivery, 'method' | 'headers' | 'body'>;

/** accept: 2xx. reject: 4xx. either: accepting and rejecting are both fine, and only a 5xx is a finding. */
export type Expectation = 'accept' | 'reject' | 'either';

/** Makes the request; undefined if the probe does not apply to the scheme. */
type Build = (kit: ProbeKit) => Outgoing | undefined;

/** A delivery that differs from a validly signed one in one thing only. */
export interface Probe {
  readonly id: string;
  /** What is different, as a fact. */
  readonly title: string;
  readonly expects: Expectation;
  readonly build: Build;
}

const expecting =
  (expects: Expectation) =>
  (id: string, title: string, build: Build): Probe => ({ id, title, expects, build });

export const accept = expecting('accept');
export const reject = expecting('reject');
export const either = expecting('either');

interface OtherwiseSigned extends SignOptions {
  /** The secret to sign with, instead of the receiver's. */
  readonly secret?: string;
}

/** Everything that probes are made with. */
export interface ProbeKit {
  readonly scheme: Scheme;
  readonly secret: string;
  /** A new unsigned delivery, with a new id and the present time. */
  draft(): Draft;
  sign(draft: Draft, options?: OtherwiseSigned): Signed;
}

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

const usualHeaders: HeaderLines = [
  ['Content-Type', 'application/json'],
  ['User-Agent', 'webhook-receiver-check'],
];

export const createKit = ({ scheme, secret, url, headers = [], body, now = Date.now }: KitOptions): ProbeKit => ({
  scheme,
  secret,
  draft: () => {
    const id = `msg_${randomUUID().replaceAll('-', '')}`;
    return {
      method: 'POST',
      url,
      headers: [...usualHeaders, ...headers],
      body: body ?? payload(id, 'checked by a conformance suite'),
      at: now(),
      id,
    };
  },
  sign: (draft, options = {}) => sign(scheme, draft, options.secret ?? secret, options),
});

/** A plausible event of the workspace API. */
export function payload(id: string, note: string): Buffer {
  const data = { id: `booking_${id.slice(4, 12)}`, status: 'scheduled', note };
  return Buffer.from(JSON.stringify({ id, type: 'booking.created', event: 'booking.created', data }));
}

/** A delivery whose draft is changed before it is validly signed. */
export function signedDraft(kit: ProbeKit, change: (draft: Draft) => Partial<Draft>): Outgoing {
  const draft = kit.draft();
  return outgoing(kit, { ...draft, ...change(draft) });
}

/** A delivery that is signed differently from the scheme. */
export const signedOtherwise = (kit: ProbeKit, options: OtherwiseSigned): Outgoing =>
  outgoing(kit, kit.draft(), options);

/** A draft with its signature. */
export const outgoing = (kit: ProbeKit, draft: Draft, options?: OtherwiseSigned): Outgoing & Signed => ({
  method: draft.method,
  body: draft.body,
  ...kit.sign(draft, options),
});

/**
 * A validly signed delivery with one header changed after signing. If `change` returns undefined, the header is
 * removed.
 */
export function withHeader(
  kit: ProbeKit,
  name: string,
  change: (value: string, draft: Draft) => string | undefined,
): Outgoing {
  const draft = kit.draft();
  const sent = outgoing(kit, draft);
  return { ...sent, headers: changeHeader(sent.headers, name, (value) => change(value, draft)) };
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

/** A validly signed delivery whose body is replaced after signing; undefined if the change makes no difference. */
export function withBody(kit: ProbeKit, change: (body: Buffer) => Buffer | undefined): Outgoing | undefined {
  const sent = outgoing(kit, kit.draft());
  const body = change(sent.body);
  // Content-Length must fit the new body, so the client sets it.
  const headers = changeHeader(sent.headers, 'content-length', () => undefined);
  return body === undefined || body.equals(sent.body) ? undefined : { ...sent, headers, body };
}

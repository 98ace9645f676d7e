import { randomUUID } from 'node:crypto';
import type { Draft } from '../signature/draft.ts';
import type { Scheme } from '../signature/scheme.ts';
import type { Signed, SignOptions } from '../signature/sign.ts';
import { sign } from '../signature/sign.ts';

/** One request as it goes to the receiver. */
export interface Outgoing {
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** accept: 2xx. reject: 4xx. either: both are right, or right for some; only a 5xx is a finding. */
export type Expectation = 'accept' | 'reject' | 'either';

/** One delivery of a kind. It differs from a validly signed one in one thing only. */
export interface Probe {
  readonly id: string;
  /** What is sent, as a fact. */
  readonly title: string;
  readonly expects: Expectation;
  /** Undefined where the scheme has nothing of the kind. */
  readonly build: (kit: ProbeKit) => Outgoing | undefined;
}

/** What probes are made with. */
export interface ProbeKit {
  readonly scheme: Scheme;
  readonly secret: string;
  /** A new delivery, unsigned: new id, the time now. */
  draft(): Draft;
  sign(draft: Draft, options?: SignOptions & { readonly secret?: string }): Signed;
}

interface KitOptions {
  readonly scheme: Scheme;
  readonly secret: string;
  /** The URL that the receiver believes it is registered under. */
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The user's own payload; else one is made. */
  readonly body?: Buffer;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export function createKit({ scheme, secret, url, headers, body, now }: KitOptions): ProbeKit {
  const standard: (readonly [string, string])[] = [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'webhook-receiver-check'],
    ...headers,
  ];
  return {
    scheme,
    secret,
    draft: () => {
      const id = `msg_${randomUUID().replaceAll('-', '')}`;
      return {
        method: 'POST',
        url,
        headers: standard,
        body: body ?? payload(id, 'checked by a conformance suite'),
        at: now(),
        id,
      };
    },
    sign: (draft, options = {}) => sign(scheme, draft, options.secret ?? secret, options),
  };
}

/** A plausible event of the workspace API. */
export function payload(id: string, note: string): Buffer {
  return Buffer.from(
    JSON.stringify({
      id,
      type: 'booking.created',
      event: 'booking.created',
      data: { id: `booking_${id.slice(4, 12)}`, status: 'scheduled', note },
    }),
  );
}

export const outgoing = (draft: Draft, signed: Signed): Outgoing => ({
  method: draft.method,
  headers: signed.headers,
  body: draft.body,
});

/** The scheme's signature header; schemes whose signature stands elsewhere cannot be signed by. */
export const headerName = ({ signature }: Scheme): string =>
  signature.source.in === 'header' ? signature.source.name : '';

export const labelOf = ({ signature }: Scheme): string =>
  signature.source.in === 'header' ? (signature.source.label ?? '') : '';

/** The headers with one changed; undefined removes it. */
export function changeHeader(
  headers: readonly (readonly [string, string])[],
  name: string,
  change: (value: string) => string | undefined,
): (readonly [string, string])[] {
  return headers.flatMap(([key, value]): (readonly [string, string])[] => {
    if (key.toLowerCase() !== name.toLowerCase()) {
      return [[key, value]];
    }
    const changed = change(value);
    return changed === undefined ? [] : [[key, changed]];
  });
}

/** A validly signed delivery whose signature text is replaced by another. */
export function withSignature(kit: ProbeKit, change: (signature: string) => string): Outgoing {
  const draft = kit.draft();
  const signed = kit.sign(draft);
  const headers = changeHeader(signed.headers, headerName(kit.scheme), (value) =>
    value.replace(signed.signature, () => change(signed.signature)),
  );
  return { method: draft.method, headers, body: draft.body };
}

/** A validly signed delivery whose body is replaced after signing. */
export function withBody(kit: ProbeKit, change: (body: Buffer) => Buffer | undefined): Outgoing | undefined {
  const draft = kit.draft();
  const body = change(draft.body);
  if (body === undefined || body.equals(draft.body)) {
    return undefined;
  }
  return { method: draft.method, headers: bodyHeaders(kit.sign(draft).headers), body };
}

/** The length is that of the body sent, whatever was signed. */
const bodyHeaders = (headers: readonly (readonly [string, string])[]): (readonly [string, string])[] =>
  headers.filter(([name]) => name.toLowerCase() !== 'content-length');

/** A delivery that is signed validly after its draft was changed. */
export function signedDraft(
  kit: ProbeKit,
  change: (draft: Draft) => Draft,
  options?: SignOptions & { readonly secret?: string },
): Outgoing {
  const draft = change(kit.draft());
  return outgoing(draft, kit.sign(draft, options));
}

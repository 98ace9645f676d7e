import { createHash, createHmac } from 'node:crypto';
import { type KeyForm, keyOf, schemes } from '../../../fixtures/reference/schemes.ts';
import type { Delivery } from '../../../webhooks/signature/delivery.ts';
import type { Discovery } from '../../../webhooks/signature/describe.ts';
import { discoverScheme } from '../../../webhooks/signature/discover.ts';

/**
 * The input of a sender for the n-th delivery. It shares no code with the suite, so that mistakes do not cancel out.
 */
export interface Sending {
  readonly n: number;
  readonly body: string;
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly s: string;
  readonly url: string;
}

export type Sender = (sending: Sending) => Record<string, string>;

export const registered = 'https://hooks.example.test/inbox?tenant=7';

/** A secret that gives a different key in every key form: `whsec_` and base64 with `+` and `/`. */
export const whsec = 'whsec_a+/9Zm1sQ2x4T3pUd1V2WHlaMDEyMzQ1Njc4OWFiY2Q=';
export const plain = 'the shared secret of 2026, s3cr3t';
const hexSecret = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

export const hmac = (
  key: string | Buffer,
  text: string | Buffer,
  encoding: 'hex' | 'base64' | 'base64url' = 'hex',
  hash = 'sha256',
): string => createHmac(hash, key).update(text).digest(encoding);

export function sendingOf(n: number, body?: string): Sending {
  const at = Date.UTC(2026, 8, 27, 12, 0, 0) + n * 7_321;
  return {
    n,
    at,
    id: `msg_${['2bQm', '9xLk', 'Zr4e'][n % 3]}0${n}a`,
    s: String(Math.floor(at / 1_000)),
    url: registered,
    body: body ?? `{"type": "booking.created",  "data":{"id":"bk_${n}","note":"Zürich / №${n}","amount":${n}.50}}`,
  };
}

/** Deliveries as an inbox records them: the sender's headers among a few usual ones, each of which costs a search time. */
export function deliver(sender: Sender, sendings: readonly Sending[] = [0, 1, 2].map((n) => sendingOf(n))): Delivery[] {
  return sendings.map((sending) => ({
    method: 'POST',
    url: '/inbox?tenant=7',
    registeredUrl: registered,
    body: Buffer.from(sending.body),
    headers: [
      ['Host', 'hooks.example.test'],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(Buffer.byteLength(sending.body))],
      ['X-Request-Id', `0${sending.n}c5a1f0-7d1e-4a51-9b1c-3c9c1d2e4f0${sending.n}`],
      ...Object.entries(sender(sending)),
    ],
  }));
}

/** Deliveries as a recorder keeps them. */
export const har = (deliveries: readonly Delivery[]): string => {
  const entries = deliveries.map(({ method, registeredUrl: url, headers: lines, body }) => {
    const headers = lines.map(([name, value]) => ({ name, value }));
    return { request: { method, url, headers, postData: { text: body.toString() } } };
  });
  return JSON.stringify({ log: { entries } });
};

const secrets: Readonly<Record<KeyForm, string>> = {
  text: whsec,
  whsec,
  base64: whsec.slice('whsec_'.length),
  hex: hexSecret,
};

/** What signs as the reference does by one of its schemes, and the secret. */
export function senderOf(name: string): { readonly secret: string; readonly sender: Sender } {
  const { keyForm = 'text' } = schemes[name] ?? {};
  const [secret, method, event, attempt] = [secrets[keyForm], 'POST', 'booking.created', 1];
  const fixed = { secret, key: keyOf(secret, keyForm), method, event, attempt };
  return { secret, sender: (sending) => schemes[name]?.sign({ ...sending, ...fixed }) ?? {} };
}

/** What is found of two deliveries under the secret `plain`. A test of what is not found takes a short search. */
export const found = (sender: Sender, bodies?: (n: number) => string, maxHmacs = 20_000): Discovery =>
  discoverScheme(
    deliver(
      sender,
      [0, 1].map((n) => sendingOf(n, bodies?.(n))),
    ),
    plain,
    { maxHmacs },
  );

/** So many HMACs find what is signed in the most usual ways. */
export const short = 1_500;

export const hash = (name: string, text: string): string => createHash(name).update(text).digest('hex');

export function jwt(claims: object): string {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((one) =>
    Buffer.from(JSON.stringify(one)).toString('base64url'),
  );
  return `${parts.join('.')}.${hmac(plain, parts.join('.'), 'base64url')}`;
}

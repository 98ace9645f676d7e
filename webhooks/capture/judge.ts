import { counted } from '../../common/words.ts';
import { type Delivery, headerValues } from '../signature/delivery.ts';
import { discoveryLines } from '../signature/describe.ts';
import { discoverScheme } from '../signature/discover.ts';
import type { Discovery } from '../signature/discovery.ts';
import { hideSecret, shownSecret } from '../signature/keys.ts';
import { findTokens } from '../signature/tokens.ts';
import { readRequests, UnreadableCapture } from './read.ts';

const mostDeliveries = 200;

interface Capture {
  readonly name: string;
  readonly bytes: Buffer;
  /** The URL that the webhook was registered with, if the requests show another. */
  readonly registeredUrl?: string | undefined;
  /** Take only requests whose URL includes this text. */
  readonly only?: string | undefined;
}

/** The deliveries in a capture: its requests that have a body or a signature. Throws UnreadableCapture. */
export function readCapture({ bytes, registeredUrl, only = '' }: Capture): readonly Delivery[] {
  const all = readRequests(bytes, registeredUrl);
  const named = all.filter(({ registeredUrl: url, url: path }) => url.includes(only) || path.includes(only));
  const deliveries = named.filter((one) => one.body.length > 0 || !isBodiless(one));
  if (deliveries.length === 0) {
    const bodiless = `it holds no delivery: ${counted(named.length, 'request')} without a body`;
    const others = named.length > 0 ? bodiless : `none of its ${counted(all.length, 'request')} matches --only`;
    throw new UnreadableCapture(all.length === 0 ? 'it holds no request' : others);
  }
  if (deliveries.length > mostDeliveries) {
    throw new UnreadableCapture(
      `it holds ${deliveries.length} requests; choose up to ${mostDeliveries} with --only TEXT of their URL`,
    );
  }
  return deliveries.map((one) => (registeredUrl === undefined ? one : { ...one, registeredUrl }));
}

const isBodiless = (delivery: Delivery): boolean =>
  /^(GET|HEAD|OPTIONS|CONNECT|TRACE)$/.test(delivery.method) &&
  !findTokens(delivery).some(({ bytes }) => bytes.length > 16);

interface CaptureJudgement {
  /** 0: verified. 1: signed wrongly, or not at all. 2: cannot be decided. */
  readonly status: 0 | 1 | 2;
  readonly deliveries: number;
  readonly found: Discovery;
  /** What the capture may have done to the deliveries. */
  readonly doubt: string | null;
}

/** Judges a capture under a secret. Throws UnreadableCapture. */
export function judgeCapture(capture: Capture, secret: string): CaptureJudgement {
  const deliveries = readCapture(capture);
  const found = discoverScheme(deliveries, secret);
  const isConfirmed = deliveries.every((one) => headerValues(one, 'content-length')[0] === String(one.body.length));
  // Other bytes than the captured ones would explain these.
  const isOfBytes =
    found.kind === 'inconsistent'
      ? found.odd.every(({ difference }) => difference === 'other-text' || difference === 'mismatch')
      : found.kind === 'other-text' || found.kind === 'unknown-content';
  const isDoubtful = isOfBytes && !isConfirmed;
  const isOpen = isDoubtful || found.kind === 'unknown-content';
  return {
    status: found.kind === 'verified' ? 0 : isOpen ? 2 : 1,
    deliveries: deliveries.length,
    found,
    doubt: isDoubtful
      ? 'The sender signs other bytes, or the capture reformatted them: no Content-Length confirms the length of its bodies. Capture them as they are on the wire'
      : null,
  };
}

/** The judgement as text: what was found, and how to verify it. Shows no secret. */
export function captureText(
  { deliveries, found, doubt }: CaptureJudgement,
  { name }: Capture,
  secretName: string,
  secret: string,
): string {
  const how = [
    '',
    'To verify, copy webhooks/verify/verify.mjs or verify.py, which need no package, and give them this scheme:',
    '',
    'scheme' in found ? JSON.stringify(found.scheme, null, 2) : '',
    '',
    'Node:    verifyWebhook(scheme, request, secret)',
    'Python:  verify_webhook(scheme, request, secret)',
  ];
  const lines = [
    `${counted(deliveries, 'delivery')} in ${name}, secret from ${secretName} (${shownSecret(secret)})`,
    '',
    ...discoveryLines(found),
    ...(doubt === null ? [] : [doubt]),
    ...(found.kind === 'verified' ? how : []),
  ];
  return hideSecret(lines.join('\n'), secret);
}

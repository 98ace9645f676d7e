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

interface ReadCapture {
  readonly deliveries: readonly Delivery[];
  /** The methods of requests that are no deliveries: they have neither a body nor a signature. */
  readonly leftOut: readonly string[];
}

/** The deliveries in a capture: a recorder's JSON, or raw HTTP. Throws UnreadableCapture. */
export function readCapture({ bytes, registeredUrl, only }: Capture): ReadCapture {
  const all = readRequests(bytes, registeredUrl);
  const named = all.filter(
    ({ registeredUrl: url, url: path }) => only === undefined || url.includes(only) || path.includes(only),
  );
  if (named.length === 0) {
    throw new UnreadableCapture(
      all.length === 0 ? 'it holds no request' : `none of its ${all.length} requests matches --only`,
    );
  }
  const chosen = named.filter((one) => !isBodiless(one));
  const leftOut = named.filter(isBodiless).map(({ method }) => method);
  if (chosen.length === 0) {
    throw new UnreadableCapture(`it holds no delivery: ${leftOutWords(leftOut)}`);
  }
  if (chosen.length > mostDeliveries) {
    throw new UnreadableCapture(
      `it holds ${chosen.length} requests; choose up to ${mostDeliveries} with --only TEXT of their URL`,
    );
  }
  const deliveries = chosen.map((one) => (registeredUrl === undefined ? one : { ...one, registeredUrl }));
  return { deliveries, leftOut };
}

const isBodiless = (delivery: Delivery): boolean =>
  /^(GET|HEAD|OPTIONS|CONNECT|TRACE)$/.test(delivery.method) &&
  delivery.body.length === 0 &&
  !findTokens(delivery, []).some(({ bytes }) => bytes.length > 16);

const leftOutWords = (methods: readonly string[]): string =>
  `${counted(methods.length, 'request')} without a body (${[...new Set(methods)].join(', ')}) left out`;

/** 0: verified. 1: signed wrongly, or not at all. 2: cannot be decided. */
type CaptureStatus = 0 | 1 | 2;

interface CaptureJudgement {
  readonly status: CaptureStatus;
  readonly deliveries: number;
  readonly leftOut: readonly string[];
  readonly found: Discovery;
  /** What the capture may have done to the deliveries. */
  readonly doubt: string | null;
}

/** Judges a capture under a secret. Throws UnreadableCapture. */
export function judgeCapture(capture: Capture, secret: string): CaptureJudgement {
  const { deliveries, leftOut } = readCapture(capture);
  const judged = (found: Discovery, status: CaptureStatus, doubt: string | null): CaptureJudgement => ({
    status,
    deliveries: deliveries.length,
    leftOut,
    found,
    doubt,
  });
  const found = discoverScheme(deliveries, secret);
  if (found.kind === 'verified') {
    return judged(found, 0, null);
  }
  const isConfirmed = deliveries.every((one) => headerValues(one, 'content-length')[0] === String(one.body.length));
  const isDoubtful = !isConfirmed && mayBeTheCapture(found);
  const doubt =
    'The sender signs other bytes, or the capture reformatted them: no Content-Length confirms the length of its bodies. Capture them as they are on the wire';
  return judged(found, found.kind === 'unknown-content' || isDoubtful ? 2 : 1, isDoubtful ? doubt : null);
}

/** Whether other bytes than the captured ones would explain what was found. */
const mayBeTheCapture = (found: Discovery): boolean =>
  found.kind === 'other-text' ||
  found.kind === 'unknown-content' ||
  (found.kind === 'inconsistent' &&
    found.odd.every(({ difference }) => difference === 'other-text' || difference === 'mismatch'));

/** The judgement as text: what was found, and how to verify it. Shows no secret. */
export function captureText(
  { deliveries, leftOut, found, doubt }: CaptureJudgement,
  capture: Capture,
  secretName: string,
  secret: string,
): string {
  const head = [
    `${counted(deliveries, 'delivery')} in ${capture.name}, secret from ${secretName} (${shownSecret(secret)})`,
    ...(leftOut.length === 0 ? [] : [leftOutWords(leftOut)]),
  ];
  const how =
    found.kind === 'verified'
      ? [
          '',
          'To verify, copy webhooks/verify/verify.mjs or verify.py, which need no package, and give them this scheme:',
          '',
          JSON.stringify(found.scheme, null, 2),
          '',
          'Node:    verifyWebhook(scheme, request, secret)',
          'Python:  verify_webhook(scheme, request, secret)',
        ]
      : [];
  const lines = [...head, '', ...discoveryLines(found), ...(doubt === null ? [] : [doubt]), ...how];
  return hideSecret(lines.join('\n'), secret);
}

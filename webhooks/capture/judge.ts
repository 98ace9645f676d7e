import { asWritten } from '../../common/files.ts';
import { isMasked, shorten } from '../../common/redaction/key-like.ts';
import { counted } from '../../common/words.ts';
import { type Delivery, headerValues } from '../signature/delivery.ts';
import type { Discovery } from '../signature/describe.ts';
import { discoveryLines } from '../signature/describe.ts';
import { discoverScheme } from '../signature/discover.ts';
import { hideSecret } from '../signature/keys.ts';
import { findTokens, isSignatureNamed } from '../signature/tokens.ts';
import { readRequests, unreadable } from './read.ts';

interface Capture {
  readonly name: string;
  readonly bytes: Buffer;
  /** The URL that the webhook was registered with, if the requests show another. */
  readonly registeredUrl?: string | undefined;
  /** Take only requests whose URL includes this text. */
  readonly only?: string | undefined;
}

/** The deliveries in a capture, and lines that say which requests are none that can be judged. Throws CannotRun. */
export function readCapture({ name, bytes, registeredUrl, only = '' }: Capture) {
  const all = readRequests(asWritten(bytes, `Cannot read ${name}`));
  const named = all.filter((one) => typeof one === 'string' || `${one.registeredUrl} ${one.url}`.includes(only));
  const read = named.map((one): Delivery | string => {
    if (typeof one === 'string' || one.headers.length === 0) {
      // BrowserMob records no headers by default.
      return typeof one === 'string' ? one : 'without headers';
    }
    if (isBodiless(one)) {
      return `without a body (${one.method})`;
    }
    return { ...one, registeredUrl: registeredUrl ?? one.registeredUrl };
  });
  const reasons = Map.groupBy(
    read.filter((one) => typeof one === 'string'),
    (reason) => reason,
  );
  const leftOut = [...reasons].map(([reason, { length }]) => `${counted(length, 'request')} ${reason} left out`);
  const deliveries = read.filter((one) => typeof one !== 'string');
  if (deliveries.length === 0) {
    const others = `none of its ${counted(all.length, 'request')} matches --only`;
    const why = `it holds no delivery: ${leftOut.join('; ')}; capture deliveries as they are on the wire, with their bodies`;
    throw unreadable(all.length === 0 ? 'it holds no request' : leftOut.length > 0 ? why : others);
  }
  return { deliveries, leftOut };
}

/** Whether a request is none that could be signed: a health check, a handshake. */
const isBodiless = (delivery: Delivery): boolean =>
  delivery.body.length === 0 &&
  !findTokens(delivery).some(({ place, bytes }) => bytes.length > 16 && isSignatureNamed(place));

/** Whether a body is as long as its request says. */
const isAsLong = (delivery: Delivery): boolean =>
  headerValues(delivery, 'content-length')[0] === String(delivery.body.length);

/** What captures do to bodies, and how it is undone. One character of a body is one byte. */
const losses: readonly (readonly [words: string, mend: (body: string) => string])[] = [
  ['the line feed at the end of bodies', (body) => `${body}\n`],
  ['the CRLF at the end of bodies', (body) => `${body}\r\n`],
  ['the carriage returns in bodies', (body) => body.replace(/\r?\n/g, '\r\n')],
];

/**
 * Judges a capture under a secret. `status` is 0 if it verifies, 1 if it is signed wrongly or not at all, 2 if that cannot
 * be decided; `doubt` is what the capture may have done to the deliveries. Throws CannotRun.
 */
export function judgeCapture(capture: Capture, secret: string) {
  const { deliveries, leftOut } = readCapture(capture);
  const judged = (status: 0 | 1 | 2, found: Discovery, doubt: string | null) => ({
    status,
    deliveries: deliveries.length,
    leftOut,
    found,
    doubt,
  });
  const found = discoverScheme(deliveries, secret);
  if (found.kind === 'verified') {
    return judged(0, found, null);
  }
  const isConfirmed = deliveries.every(isAsLong);
  for (const [words, mend] of isConfirmed ? [] : losses) {
    const mended = deliveries.map((one) =>
      isAsLong(one) ? one : { ...one, body: Buffer.from(mend(one.body.toString('latin1')), 'latin1') },
    );
    const again = discoverScheme(mended, secret);
    if (again.kind === 'verified') {
      return judged(0, again, `The capture lost ${words}: with it they verify`);
    }
  }
  const masked = deliveries.flatMap(({ headers }) =>
    headers.filter(([name, value]) => isSignatureNamed({ from: 'header', name }) && isMasked(value)),
  )[0];
  if (found.kind === 'unsigned' && masked !== undefined) {
    return judged(2, found, `The capture hides the value of ${masked[0]}: capture it as it is on the wire`);
  }
  // Other bytes than the captured ones would explain these.
  const isOfBytes =
    found.kind === 'inconsistent'
      ? found.odd?.every(({ difference }) => difference === 'mismatch')
      : found.kind === 'other-text' || found.kind === 'unknown-content';
  const isDoubtful = isOfBytes && !isConfirmed;
  const doubt =
    'The sender signs another body, or the capture reformatted it: no Content-Length confirms its length. Capture it as it is on the wire';
  return judged(found.kind === 'unknown-content' || isDoubtful ? 2 : 1, found, isDoubtful ? doubt : null);
}

/** The judgement as text: what was found, and how to verify it. Shows no secret. */
export function captureText(
  { deliveries, leftOut, found, doubt }: ReturnType<typeof judgeCapture>,
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
    `${counted(deliveries, 'delivery')} in ${name}, secret from ${secretName} (${shorten(secret)})`,
    ...leftOut,
    '',
    // What a capture hides is not missing.
    ...(found.kind === 'unsigned' && doubt !== null ? [] : discoveryLines(found)),
    ...(doubt === null ? [] : [doubt]),
    ...(found.kind === 'verified' ? how : []),
  ];
  return hideSecret(lines.join('\n'), secret);
}

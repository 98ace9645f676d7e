import { counted } from '../../common/words.ts';
import { readHar, UnreadableCapture } from './capture/har.ts';
import { readHttp } from './capture/http.ts';
import type { Delivery } from './delivery.ts';
import { discoveryLines } from './describe-discovery.ts';
import { discoverScheme } from './discover.ts';
import type { Discovery } from './discovery.ts';
import { shownSecret } from './read/keys.ts';
import { snippet } from './snippet.ts';

const mostDeliveries = 200;

interface Capture {
  readonly name: string;
  readonly bytes: Buffer;
  /** The URL that the webhook was registered with, if the requests show another. */
  readonly registeredUrl?: string | undefined;
  /** Take only requests whose URL includes this text. */
  readonly only?: string | undefined;
}

/** 0: verified. 1: signed wrongly, or not at all. 2: cannot be decided. */
type OfflineStatus = 0 | 1 | 2;

interface OfflineJudgement {
  readonly status: OfflineStatus;
  readonly deliveries: number;
  readonly found: Discovery;
}

/** The deliveries in a capture, which is a HAR if it is JSON, otherwise raw HTTP. Throws UnreadableCapture. */
export function readCapture({ bytes, registeredUrl, only }: Capture): Delivery[] {
  const text = bytes
    .subarray(0, 512)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  const all =
    text.startsWith('{') || text.startsWith('[')
      ? readHar(bytes.toString('utf8').replace(/^\ufeff/, ''))
      : readHttp(bytes, registeredUrl);
  const chosen = all
    .filter(({ registeredUrl: url, url: path }) => only === undefined || url.includes(only) || path.includes(only))
    .map((delivery) => (registeredUrl === undefined ? delivery : { ...delivery, registeredUrl }));
  if (chosen.length === 0) {
    throw new UnreadableCapture(
      all.length === 0 ? 'it holds no request' : `none of its ${all.length} requests matches --only`,
    );
  }
  if (chosen.length > mostDeliveries) {
    throw new UnreadableCapture(
      `it holds ${chosen.length} requests; choose up to ${mostDeliveries} with --only TEXT of their URL`,
    );
  }
  return chosen;
}

/** Judges a capture under a secret. Throws UnreadableCapture. */
export function judgeCapture(capture: Capture, secret: string): OfflineJudgement {
  const deliveries = readCapture(capture);
  const found = discoverScheme(deliveries, secret);
  return { status: statusOf(found), deliveries: deliveries.length, found };
}

function statusOf({ kind }: Discovery): OfflineStatus {
  if (kind === 'verified') {
    return 0;
  }
  return kind === 'unknown-content' ? 2 : 1;
}

/** The judgement as text: what was found, how to verify it, and functions that verify it. Shows no secret. */
export function offlineText(
  { deliveries, found }: OfflineJudgement,
  capture: Capture,
  secretName: string,
  secret: string,
): string {
  const head = `${counted(deliveries, 'delivery')} in ${capture.name}, secret from ${secretName} (${shownSecret(secret)})`;
  const code =
    found.kind === 'verified'
      ? ['', '── Node', '', snippet(found.scheme, 'node'), '── Python', '', snippet(found.scheme, 'python')]
      : [];
  return hideSecret([head, '', ...discoveryLines(found), ...code].join('\n'), secret);
}

/** The text without the secret, which a header that is quoted in it may show. */
export const hideSecret = (text: string, secret: string): string =>
  secret.length < 8 ? text : text.split(secret).join(shownSecret(secret));

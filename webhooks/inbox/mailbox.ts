import type { Clock } from '../../common/clock.ts';
import type { Delivery } from '../signature/delivery.ts';

/** A request as it arrived. */
export type Arrived = Omit<Delivery, 'registeredUrl'>;

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request by which a sender verifies its receiver before it delivers. */
export interface Handshake {
  readonly name:
    | ('OPTIONS' | 'HEAD' | 'GET' | 'empty body')
    | ('X-Hook-Secret' | 'challenge' | 'plainToken' | 'validationToken');
  /** The signing secret, if the sender hands it over in the handshake. */
  readonly secret?: string;
}

/** A delivery as the inbox recorded it. */
export interface Received extends Delivery {
  /** The order of arrival at the inbox, from 1. */
  readonly number: number;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** The status that it was answered with. */
  readonly answered: number;
}

/** A URL that cannot be guessed, and what arrived there. */
export interface Mailbox {
  readonly url: string;
  readonly deliveries: readonly Received[];
  readonly handshakes: readonly Handshake[];
  /** Requests to nearly this URL: in another case, or encoded otherwise. They were answered with 404. */
  readonly astray: readonly Arrived[];
  /** Answers 500 to the next delivery that fits. */
  failOnce(fits: (delivery: Delivery) => boolean): void;
  /** The first delivery that fits, among those that came and those that come within `ms`; undefined if none does. */
  wait(fits: (delivery: Received) => boolean, ms: number): Promise<Received | undefined>;
}

/** How much an inbox keeps: bytes of one body, bytes of all bodies and headers, deliveries of one mailbox. */
export const inboxBounds = { body: 1_048_576, bodies: 16 * 1_048_576, deliveries: 500 } as const;

/** A mailbox as the inbox fills it. */
export interface Box extends Mailbox {
  readonly deliveries: Received[];
  readonly astray: Arrived[];
  readonly secret: string;
  /** Which delivery to answer with 500; null if none. */
  failing: ((delivery: Delivery) => boolean) | null;
  /** Adds a handshake, unless the same one came before: a sender may hand over its secret with every delivery. */
  noteHandshake(handshake: Handshake): void;
}

/** How often a waiting reader looks at the clock. */
const pollMs = 250;

/** An empty box. `arrival` resolves with the next delivery to the inbox. */
export function createBox(url: string, secret: string, clock: Clock, arrival: () => Promise<unknown>): Box {
  const handshakes: Handshake[] = [];
  const box: Box = {
    url,
    secret,
    deliveries: [],
    astray: [],
    handshakes,
    failing: null,
    failOnce(fits) {
      box.failing = fits;
    },
    noteHandshake({ name, secret: given }) {
      if (!handshakes.some((known) => known.name === name && known.secret === given) && handshakes.length < 100) {
        handshakes.push({ name, ...(given === undefined ? {} : { secret: given }) });
      }
    },
    async wait(fits, ms) {
      // Time in which the machine was too busy does not count: what came meanwhile is read only afterwards.
      for (let left = ms, read = 0; ; ) {
        // Each delivery is looked at once: of a flood, looking at all with every arrival would take too long.
        const fitting = box.deliveries.slice(read).find(fits);
        read = box.deliveries.length;
        if (fitting !== undefined || left <= 0) {
          return fitting;
        }
        const from = clock.now();
        await Promise.race([arrival(), clock.sleep(Math.min(pollMs, left))]);
        left -= Math.min(clock.now() - from, 2 * pollMs);
      }
    },
  };
  return box;
}

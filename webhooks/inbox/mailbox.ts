import type { Delivery } from '../signature/delivery.ts';
import type { Handshake } from './handshake.ts';
import { waitFor } from './wait.ts';

/** A delivery as the inbox recorded it. */
export interface Received extends Delivery {
  /** The order of arrival at the inbox, from 1. */
  readonly number: number;
  /** The status that it was answered with. */
  readonly answered: number;
}

/** A URL that cannot be guessed, and what arrived there. */
export interface Mailbox {
  readonly url: string;
  readonly deliveries: readonly Received[];
  readonly handshakes: readonly Handshake[];
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
  readonly handshakes: Handshake[];
  readonly secret: string;
  /** Which delivery to answer with 500; null if none. */
  failing: ((delivery: Delivery) => boolean) | null;
  /** Adds a handshake, unless the same one came before: a sender may hand over its secret with every delivery. */
  noteHandshake(handshake: Handshake): void;
}

/** An empty box. `arrival` tells of each delivery to the inbox. */
export function createBox(
  url: string,
  secret: string,
  waiting: Pick<Parameters<typeof waitFor>[1], 'clock' | 'arrival'>,
): Box {
  const box: Box = {
    url,
    secret,
    deliveries: [],
    handshakes: [],
    failing: null,
    failOnce(fits) {
      box.failing = fits;
    },
    noteHandshake(handshake) {
      const { handshakes } = box;
      if (handshakes.length < inboxBounds.deliveries && !handshakes.some((known) => isSame(known, handshake))) {
        handshakes.push(handshake);
      }
    },
    wait(fits, ms) {
      // Each delivery is looked at once. In a flood, looking at all of them with every arrival would take too long.
      let read = 0;
      const find = (): Received | undefined => {
        const fitting = box.deliveries.slice(read).find(fits);
        read = box.deliveries.length;
        return fitting;
      };
      return waitFor(find, { ...waiting, ms });
    },
  };
  return box;
}

const isSame = (one: Handshake, other: Handshake): boolean => one.name === other.name && one.secret === other.secret;

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../common/clock.ts';
import type { Delivery } from '../signature/delivery.ts';
import { answerHandshake, type Handshake } from './handshake.ts';
import type { Arrived, Reply } from './request.ts';
import { createSignal, waitFor } from './wait.ts';

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

/** Receives webhook deliveries. */
export interface Inbox {
  readonly kind: 'inbox';
  /**
   * Opens a mailbox. `secret` is the webhook's, with which some handshakes must be answered. `label` is part of the URL
   * and shows people who come across the webhook whose it is.
   */
  open(secret: string, label?: string): Mailbox;
  /** The deliveries at all mailboxes, in order of arrival. */
  readonly deliveries: readonly Received[];
  /** How many requests no mailbox took, by reason. */
  readonly refused: Readonly<Record<Refusal, number>>;
  /** Closes the receiver; later requests are refused. */
  close(): Promise<void>;
}

/** Takes the place of an inbox if the deployment cannot reach one; the reason says what to set. */
export interface NoInbox {
  readonly kind: 'no inbox';
  readonly reason: string;
}

type Refusal = 'unknown path' | 'too large' | 'too many' | 'closed';

/** How much an inbox keeps: bytes of one body, bytes of all bodies and headers, deliveries of one mailbox. */
export const inboxBounds = { body: 1_048_576, bodies: 16 * 1_048_576, deliveries: 500 } as const;

/** An inbox without a socket; requests are passed to `receive`. */
export interface Mailroom extends Inbox {
  /** Whether a request for this path and query would reach a mailbox. */
  knows(url: string): boolean;
  receive(arrived: Arrived): Reply;
  /** Counts and answers a request that was not read completely. */
  refuse(refusal: Refusal): Reply;
}

const refusals: Readonly<Record<Refusal, number>> = {
  'unknown path': 404,
  'too large': 413,
  'too many': 503,
  closed: 503,
};
const received: Reply = { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{"received":true}' };
const failing: Reply = {
  status: 500,
  headers: { 'Content-Type': 'application/json' },
  body: '{"error":"This receiver fails once, on purpose"}',
};

interface Box extends Mailbox {
  readonly deliveries: Received[];
  readonly handshakes: Handshake[];
  readonly secret: string;
  /** Which delivery to answer with 500; null if none. */
  failing: ((delivery: Delivery) => boolean) | null;
}

const sizeOf = ({ url, headers, body }: Arrived): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length, url.length + body.length);

/** An inbox whose URLs begin with `base`. The clock gives the times of arrival, and is used to wait. */
export function createMailroom(base: string, clock: Clock): Mailroom {
  const boxes = new Map<string, Box>();
  const refused: Record<Refusal, number> = { 'unknown path': 0, 'too large': 0, 'too many': 0, closed: 0 };
  const arrival = createSignal();
  const deliveries: Received[] = [];
  let [bytes, open] = [0, true];

  const refuse = (refusal: Refusal): Reply => {
    refused[refusal] += 1;
    return { status: refusals[refusal], headers: {}, body: '' };
  };

  // A public URL may have a path in front of ours, which a tunnel may take off again, and a sender may append the
  // event.
  const find = (url: string): Box | undefined =>
    (url.split('?')[0] ?? '')
      .slice(0, 4_096)
      .split('/')
      .map((segment) => boxes.get(segment))
      .find((box) => box !== undefined);

  function keep(box: Box, arrived: Arrived, success: Reply): Reply {
    const size = sizeOf(arrived);
    if (box.deliveries.length >= inboxBounds.deliveries || bytes + size > inboxBounds.bodies) {
      return refuse('too many');
    }
    const delivery: Delivery = { ...arrived, registeredUrl: box.url, receivedAt: clock.now() };
    const fails = box.failing?.(delivery) === true;
    if (fails) {
      box.failing = null;
    }
    const reply = fails ? failing : success;
    bytes += size;
    const kept = { ...delivery, number: deliveries.length + 1, answered: reply.status };
    deliveries.push(kept);
    box.deliveries.push(kept);
    arrival.notify();
    return reply;
  }

  /** Adds a handshake, unless the same one came before: a sender may hand over its secret with every delivery. */
  function note(box: Box, handshake: Handshake): void {
    const same = ({ name, secret }: Handshake): boolean => name === handshake.name && secret === handshake.secret;
    if (box.handshakes.length < inboxBounds.deliveries && !box.handshakes.some(same)) {
      box.handshakes.push(handshake);
    }
  }

  return {
    kind: 'inbox',
    deliveries,
    refused,
    refuse,
    knows: (url) => open && find(url) !== undefined,
    receive(arrived) {
      const box = find(arrived.url);
      if (!open || box === undefined) {
        return refuse(open ? 'unknown path' : 'closed');
      }
      const answer = answerHandshake(arrived, box.secret);
      if (answer !== null) {
        note(box, answer.handshake);
      }
      return answer?.delivers === false ? answer.reply : keep(box, arrived, answer?.reply ?? received);
    },
    open(secret, label) {
      const token = randomBytes(18).toString('base64url');
      const path = ['hooks', ...(label === undefined ? [] : [encodeURIComponent(label)]), token].join('/');
      const box = createBox(`${base.replace(/\/+$/, '')}/${path}`, secret, { clock, arrival });
      boxes.set(token, box);
      return box;
    },
    async close() {
      open = false;
    },
  };
}

/** An empty box. `arrival` tells of each delivery to the inbox. */
function createBox(
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

/** An inbox for a deployment in this process, and the function by which that delivers. */
export function createLocalInbox(clock: Clock): { inbox: Inbox; deliver: LocalDeliver } {
  const mailroom = createMailroom('http://inbox.local', clock);
  return {
    inbox: mailroom,
    deliver: async ({ method, url, headers, body }) => {
      const { pathname, search } = new URL(url);
      return mailroom.receive({
        method,
        url: `${pathname}${search}`,
        headers: Object.entries(headers),
        body: Buffer.from(body),
      });
    },
  };
}

/** Takes a delivery as a deployment sends it, and gives the receiver's answer. */
export type LocalDeliver = (request: {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}) => Promise<Reply>;

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../common/clock.ts';
import type { Delivery } from '../signature/delivery.ts';
import { answerHandshake, type Handshake } from './handshake.ts';

/** A delivery as the inbox recorded it. */
export interface Received extends Delivery {
  /** Order of arrival at the inbox, from 1. */
  readonly number: number;
  /** The status it was answered with. */
  readonly answered: number;
}

/** One URL that nobody can guess, and what arrived there. */
export interface Mailbox {
  readonly url: string;
  readonly deliveries: readonly Received[];
  readonly handshakes: readonly Handshake[];
  /** Answers 500 to the next delivery that fits, once. */
  failOnce(fits: (delivery: Delivery) => boolean): void;
  /** The first delivery that fits, of those that came and those to come within `ms`; undefined where none does. */
  wait(fits: (delivery: Received) => boolean, ms: number): Promise<Received | undefined>;
}

/** Receives webhook deliveries at URLs of its own. */
export interface Inbox {
  readonly kind: 'inbox';
  /** A new mailbox. Some handshakes ask for a proof made with the webhook's secret. */
  open(secret: string): Mailbox;
  /** What arrived at any mailbox, in order of arrival: the evidence of a run. */
  readonly deliveries: readonly Received[];
  /** Requests that no mailbox took, by reason. */
  readonly refused: Readonly<Record<Refusal, number>>;
  /** Ends the receiver; what arrives later is refused. */
  close(): Promise<void>;
}

/** There is no inbox that the deployment could reach; the reason says what to set. */
export interface NoInbox {
  readonly kind: 'no inbox';
  readonly reason: string;
}

export type Refusal = 'unknown path' | 'too large' | 'too many' | 'closed';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** In order of arrival. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What an inbox keeps at most: bytes of one body, bytes of all bodies, deliveries of one mailbox. */
export const inboxBounds = { body: 1_048_576, bodies: 32 * 1_048_576, deliveries: 500 } as const;

/** How often a waiting reader looks at the clock. */
const lookMs = 250;

/** An inbox without a socket: whoever has requests gives them to `receive`. */
export interface Mailroom extends Inbox {
  receive(arrived: Arrived): Reply;
  /** A request that was not read whole. */
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
  /** Fits the delivery that is to be answered with 500; null: none. */
  failing: ((delivery: Delivery) => boolean) | null;
}

/** Makes an inbox whose URLs begin with `base`. Takes a clock for the times of arrival and for waiting. */
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

  function keep(box: Box, arrived: Arrived): Reply {
    if (box.deliveries.length >= inboxBounds.deliveries || bytes + arrived.body.length > inboxBounds.bodies) {
      return refuse('too many');
    }
    const delivery: Delivery = { ...arrived, registeredUrl: box.url, receivedAt: clock.now() };
    const fails = box.failing?.(delivery) === true;
    if (fails) {
      box.failing = null;
    }
    const reply = fails ? failing : received;
    bytes += arrived.body.length;
    const kept = { ...delivery, number: deliveries.length + 1, answered: reply.status };
    deliveries.push(kept);
    box.deliveries.push(kept);
    arrival.notify();
    return reply;
  }

  return {
    kind: 'inbox',
    deliveries,
    refused,
    refuse,
    receive(arrived) {
      if (!open) {
        return refuse('closed');
      }
      // A public URL may add a path in front, and a tunnel may take it off again: the last segment tells.
      const box = boxes.get(/([\w-]+)\/?(?:\?.*)?$/.exec(arrived.url)?.[1] ?? '');
      if (box === undefined) {
        return refuse('unknown path');
      }
      const answer = answerHandshake(arrived, box.secret);
      if (answer === null) {
        return keep(box, arrived);
      }
      if (box.handshakes.length < inboxBounds.deliveries) {
        box.handshakes.push(answer.handshake);
      }
      return answer.reply;
    },
    open(secret) {
      const token = randomBytes(18).toString('base64url');
      const box: Box = {
        url: `${base.replace(/\/+$/, '')}/hooks/${token}`,
        secret,
        deliveries: [],
        handshakes: [],
        failing: null,
        failOnce(fits) {
          box.failing = fits;
        },
        wait: (fits, ms) => waitFor(() => box.deliveries.find(fits), { clock, arrival, ms }),
      };
      boxes.set(token, box);
      return box;
    },
    async close() {
      open = false;
    },
  };
}

interface Signal {
  notify(): void;
  next(): Promise<void>;
}

function createSignal(): Signal {
  let { promise, resolve } = Promise.withResolvers<undefined>();
  return {
    notify() {
      resolve(undefined);
      ({ promise, resolve } = Promise.withResolvers<undefined>());
    },
    next: () => promise,
  };
}

/**
 * Looks at each arrival, and now and then at the clock. Time in which this process could not look, since it or the machine
 * was busy, is not waited: what came meanwhile is read only afterwards.
 */
async function waitFor<T>(
  find: () => T | undefined,
  { clock, arrival, ms }: { clock: Clock; arrival: Signal; ms: number },
): Promise<T | undefined> {
  for (let left = ms; ; ) {
    const found = find();
    if (found !== undefined || left <= 0) {
      return found;
    }
    const from = clock.now();
    await Promise.race([arrival.next(), clock.sleep(Math.min(lookMs, left))]);
    left -= Math.min(clock.now() - from, 2 * lookMs);
  }
}

/** An in-process inbox for a deployment in this process, and the function that delivers to it. */
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

/** Takes a delivery as a deployment sends it; gives what the receiver answers. */
export type LocalDeliver = (request: {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}) => Promise<Reply>;

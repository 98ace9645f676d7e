import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Clock } from '../../common/clock.ts';
import { decoded } from '../../common/uri.ts';
import type { Arrived, Delivery } from '../signature/delivery.ts';
import { answerHandshake, json, type Reply } from './handshake.ts';

/** A delivery as the inbox recorded it. */
export interface Received extends Delivery {
  /** The order of arrival at the inbox, from 1. */
  readonly number: number;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** The status that it was answered with. */
  readonly answered: number;
}

/** A delivery as a deployment in this process sends it. */
interface Sending extends Pick<Delivery, 'method' | 'url'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How much an inbox keeps: bytes of one body, bytes of all bodies and headers, deliveries and secrets of one mailbox. */
export const inboxBounds = { body: 1_048_576, bodies: 16 * 1_048_576, deliveries: 500, secrets: 100 } as const;

/** Takes the place of an inbox if the deployment cannot reach one; the reason says what to set. */
export interface NoInbox {
  readonly kind: 'no inbox';
  readonly reason: string;
}

const bare = (status: number): Reply => ({ status, headers: {}, body: '' });

/** Receives webhook deliveries. */
export type Inbox = ReturnType<typeof createMailroom>;

/**
 * An inbox whose URLs begin with `base`. It has no socket: requests are passed to `receive`. The clock gives the times of
 * arrival, and is used to wait. `disconnect` ends what brings the requests.
 */
export function createMailroom(base: string, clock: Clock, disconnect = async (): Promise<void> => {}) {
  const boxes = new Map<string, Mailbox>();
  const arrivals = new EventEmitter().setMaxListeners(0);
  const deliveries: Received[] = [];
  let bytes = 0;
  let lost = 0;
  let open = true;

  function lose(status: 413 | 503): Reply {
    lost += 1;
    return bare(status);
  }

  function keep(box: Mailbox, arrived: Arrived, success: Reply): Reply {
    const texts = [arrived.url, ...arrived.headers.flat()];
    bytes += texts.reduce((sum, text) => sum + text.length, arrived.body.length);
    if (box.deliveries.length >= inboxBounds.deliveries || bytes > inboxBounds.bodies) {
      return lose(503);
    }
    const delivery = { ...arrived, registeredUrl: box.url, receivedAt: clock.now() };
    const isFailing = box.failsOnce?.(delivery) === true;
    box.failsOnce = isFailing ? undefined : box.failsOnce;
    const reply = isFailing ? { ...json({ error: 'This receiver fails once, on purpose' }), status: 500 } : success;
    const kept = { ...delivery, number: deliveries.length + 1, answered: reply.status };
    deliveries.push(kept);
    box.deliveries.push(kept);
    arrivals.emit('arrival');
    return reply;
  }

  function receive(arrived: Arrived): Reply {
    const box = boxOf(boxes, arrived.url);
    if (!open || box === undefined) {
      strayOf(boxes, arrived.url)?.astray.push(arrived);
      return bare(open ? 404 : 503);
    }
    const answer = answerHandshake(arrived, box.secret);
    if (answer?.given !== undefined && box.secrets.size < inboxBounds.secrets) {
      box.secrets.add(answer.given);
    }
    return answer?.delivers === false ? answer.reply : keep(box, arrived, answer?.reply ?? json({ received: true }));
  }

  return {
    kind: 'inbox' as const,
    /** The deliveries at all mailboxes, in order of arrival. */
    deliveries,
    /** How many deliveries were too many or too large to keep. */
    get lost() {
      return lost;
    },
    /** Counts and answers a delivery that was not read completely. */
    lose,
    /** Whether a request for this path and query would reach a mailbox. */
    knows: (url: string) => open && boxOf(boxes, url) !== undefined,
    receive,
    deliver: async ({ method, url, headers, body }: Sending): Promise<Reply> => {
      const { pathname, search } = new URL(url);
      return receive({ method, url: pathname + search, headers: Object.entries(headers), body: Buffer.from(body) });
    },
    /**
     * Opens a mailbox. `secret` is the webhook's, with which some handshakes must be answered. `label` is part of the URL
     * and shows people who come across the webhook whose it is.
     */
    open(secret: string, label?: string): Mailbox {
      const token = randomBytes(18).toString('base64url');
      const path = ['hooks', ...(label === undefined ? [] : [encodeURIComponent(label)]), token].join('/');
      const box = createBox(`${base.replace(/\/+$/, '')}/${path}`, secret, clock, () => once(arrivals, 'arrival'));
      boxes.set(token, box);
      return box;
    },
    /** Closes the receiver; later requests are refused. */
    async close() {
      open = false;
      await disconnect();
    },
  };
}

/** A URL that cannot be guessed, and what arrived there. */
export type Mailbox = ReturnType<typeof createBox>;

/** How often a waiting reader looks at the clock. */
const pollMs = 250;

/** An empty box. `arrival` resolves with the next delivery to the inbox. */
function createBox(url: string, secret: string, clock: Clock, arrival: () => Promise<unknown>) {
  const deliveries: Received[] = [];
  return {
    url,
    secret,
    deliveries,
    /** Requests to nearly this URL: in another case, or encoded otherwise. They were answered with 404. */
    astray: [] as Arrived[],
    /** The signing secrets that the sender handed over in handshakes. */
    secrets: new Set<string>(),
    /** The next delivery that fits is answered with 500. */
    failsOnce: undefined as ((delivery: Delivery) => boolean) | undefined,
    /** The first delivery that fits, among those that came and those that come within `ms`; undefined if none does. */
    async wait(fits: (delivery: Received) => boolean, ms: number): Promise<Received | undefined> {
      // Time in which the machine was too busy does not count: what came meanwhile is read only afterwards.
      for (let left = ms, read = 0; ; ) {
        // Each delivery is looked at once: of a flood, looking at all with every arrival would take too long.
        const fitting = deliveries.slice(read).find(fits);
        read = deliveries.length;
        if (fitting !== undefined || left <= 0) {
          return fitting;
        }
        const from = clock.now();
        await Promise.race([arrival(), clock.sleep(Math.min(pollMs, left))]);
        left -= Math.min(clock.now() - from, 2 * pollMs);
      }
    },
  };
}

/**
 * The box of a URL. A public URL may have a path in front of ours, which a tunnel may take off again, and a sender may
 * append the event.
 */
const boxOf = (boxes: ReadonlyMap<string, Mailbox>, url: string): Mailbox | undefined =>
  (url.split('?')[0] ?? '')
    .slice(0, 4_096)
    .split('/')
    .map((segment) => boxes.get(segment))
    .find((box) => box !== undefined);

/** The box that a request for another path was meant for: the path is in another case, or encoded otherwise. */
function strayOf(boxes: ReadonlyMap<string, Mailbox>, url: string): Mailbox | undefined {
  const path = decoded(decoded(url.slice(0, 4_096))).toLowerCase();
  const box = [...boxes].find(([token]) => path.includes(token.toLowerCase()))?.[1];
  return box !== undefined && box.astray.length < 20 ? box : undefined;
}

// A virtual clock and a virtual network: hours of limiter behaviour in milliseconds, with nothing left to chance.

import type { Sample } from '../../../../limits/judge/trace.ts';
import type { MinuteIo } from '../../../../limits/procedure/minute.ts';
import type { Answer, SimulatedLimiter } from './limiters.ts';

type Event = { at: number; order: number; run: () => void; wakes: boolean };

export type World = { io: MinuteIo; run: <T>(body: () => Promise<T>) => Promise<T> };

export type Network = {
  /** Median round trip in ms, and the spread of its logarithm. */
  rtt: number;
  sigma: number;
  /** Server clock minus client clock in ms. */
  offset: number;
  /** Share of calls that get no answer. */
  loss?: number;
  /** Another client's calls with the same key: mean gap in ms. */
  foreignGap?: number;
};

/** mulberry32: a seeded generator of numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const gauss = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

class Queue {
  private readonly heap: Event[] = [];
  private count = 0;

  push(at: number, wakes: boolean, run: () => void): void {
    const event = { at, order: this.count++, run, wakes };
    let low = 0;
    let high = this.heap.length;
    // Latest first, so that the next event is popped off the end.
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.heap[middle] as Event;
      if (other.at > at || (other.at === at && other.order > event.order)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    this.heap.splice(low, 0, event);
  }

  pop(): Event | undefined {
    return this.heap.pop();
  }
}

const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Builds a world in which calls reach the limiter over that network. `startAt` is the client's clock at the start. */
export function createWorld(limiter: SimulatedLimiter, network: Network, random: () => number, startAt: number): World {
  const queue = new Queue();
  let now = startAt;
  const trip = (): number => (network.rtt / 2) * Math.exp(network.sigma * gauss(random));
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      queue.push(now + Math.max(0, ms), true, resolve);
    });

  const call = (phase: string, key: string): Promise<Sample> =>
    new Promise((resolve) => {
      const sentAt = now;
      const lost = random() < (network.loss ?? 0);
      queue.push(now + trip(), false, () => {
        const server = now + network.offset;
        const answer = limiter.decide(server, key);
        queue.push(now + trip(), true, () =>
          resolve(lost ? unanswered(sentAt, now, phase, key) : sampleOf(answer, server, sentAt, now, phase, key)),
        );
      });
    });

  const foreign = (): void => {
    if (network.foreignGap === undefined) {
      return;
    }
    queue.push(now - Math.log(1 - random()) * network.foreignGap, false, () => {
      limiter.decide(now + network.offset, 'key');
      foreign();
    });
  };

  return {
    io: { send: (phase) => call(phase, 'key'), intrude: () => call('intrude', 'unknown'), sleep: wait, now: () => now },
    async run(body) {
      foreign();
      let done = false;
      const result = body().finally(() => {
        done = true;
      });
      await settle();
      while (!done) {
        const event = queue.pop();
        if (event === undefined) {
          throw new Error('The simulated world stands still');
        }
        now = event.at;
        event.run();
        if (event.wakes) {
          await settle();
        }
      }
      return result;
    },
  };
}

function sampleOf(
  answer: Answer,
  server: number,
  sentAt: number,
  receivedAt: number,
  phase: string,
  key: string,
): Sample {
  const { status, limit, remaining, reset, retryAfter } = answer;
  return {
    sentAt,
    receivedAt,
    status,
    limit,
    remaining,
    reset,
    retryAfter,
    date: new Date(server).toUTCString(),
    key,
    phase,
  };
}

function unanswered(sentAt: number, receivedAt: number, phase: string, key: string): Sample {
  return {
    sentAt,
    receivedAt,
    status: 0,
    limit: null,
    remaining: null,
    reset: null,
    retryAfter: null,
    date: null,
    key,
    phase,
  };
}

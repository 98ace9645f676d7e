// A virtual clock and a virtual network: hours of limiter behaviour in milliseconds, with nothing left to chance.
import type { Sample } from '../../../../limits/judge/trace.ts';
import type { MinuteIo } from '../../../../limits/procedure/minute.ts';
import type { Answer, SimulatedLimiter } from './limiters.ts';

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  readonly wakes: boolean;
}

interface World {
  readonly io: MinuteIo;
  readonly run: <T>(body: () => Promise<T>) => Promise<T>;
}

interface Network {
  /** Median round trip in ms, and the spread of its logarithm. */
  readonly rtt: number;
  readonly sigma: number;
  /** Server clock minus client clock in ms. */
  readonly offset: number;
  /** Another client's calls with the same key: mean gap in ms, or their moments in ms after the start. */
  readonly foreignGap?: number;
  readonly foreignAt?: readonly number[];
  /** Calls of other kinds, made while the key is refused. */
  readonly routes?: readonly string[];
}

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

/** Events by time; of those at one moment the first that was added comes first. */
function createQueue(): { push: (at: number, wakes: boolean, run: () => void) => void; pop: () => Event | undefined } {
  // Latest first, so that the next event is popped off the end.
  const events: Event[] = [];
  let count = 0;
  return {
    push(at, wakes, run) {
      const event = { at, order: count++, run, wakes };
      let low = 0;
      let high = events.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        const other = events[middle] as Event;
        if (other.at > at || (other.at === at && other.order > event.order)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      events.splice(low, 0, event);
    },
    pop: () => events.pop(),
  };
}

const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Builds a world in which calls reach the limiter over that network. `startAt` is the client's clock at the start. */
export function createWorld(limiter: SimulatedLimiter, network: Network, random: () => number, startAt: number): World {
  const queue = createQueue();
  let now = startAt;
  const trip = (): number => (network.rtt / 2) * Math.exp(network.sigma * gauss(random));
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      queue.push(now + Math.max(0, ms), true, resolve);
    });

  const call = (phase: string, key: string, route?: string): Promise<Sample> =>
    new Promise((resolve) => {
      const known = { sentAt: now, key, phase, ...(route === undefined ? {} : { route }) };
      queue.push(now + trip(), false, () => {
        const answer = limiter.decide(now + network.offset, key, route);
        queue.push(now + (answer.holdMs ?? 0), false, () => {
          const { holdMs, remainingLate, ...rest } = answer;
          const server = now + network.offset;
          const shown: Shown = remainingLate === undefined ? rest : { ...rest, remaining: remainingLate(server) };
          queue.push(now + trip(), true, () =>
            resolve({ ...known, ...shown, receivedAt: now, date: new Date(server).toUTCString() }),
          );
        });
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
    io: {
      send: (phase) => call(phase, 'key'),
      intrude: () => call('intruder', 'unknown'),
      probes: (network.routes ?? []).map((route) => (phase) => call(phase, 'key', route)),
      sleep: wait,
      now: () => now,
    },
    async run(body) {
      foreign();
      for (const ms of network.foreignAt ?? []) {
        queue.push(startAt + ms, false, () => limiter.decide(now + network.offset, 'key'));
      }
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

type Shown = Omit<Answer, 'holdMs' | 'remainingLate'>;

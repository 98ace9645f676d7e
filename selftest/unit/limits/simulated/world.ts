// A virtual clock and network: hours of limiter behaviour in milliseconds, and everything reproducible.
import type { Sample } from '../../../../limits/judge/trace.ts';
import type { MinuteIo } from '../../../../limits/procedure/run.ts';
import { insert } from '../../../virtual-clock.ts';
import type { Answer, SimulatedLimiter } from './limiters.ts';

interface Event {
  readonly due: number;
  readonly run: () => void;
  /** Code that waits for it continues before the next event. */
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
  /** The server's clock minus the client's, in ms. */
  readonly offset: number;
  /** Calls of another client with the same key: the mean gap in ms, or their times in ms after the start. */
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

const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** A world in which calls reach the limiter over this network. `startAt` is the client's clock at the start. */
export function createWorld(limiter: SimulatedLimiter, network: Network, random: () => number, startAt: number): World {
  const events: Event[] = [];
  let now = startAt;
  const push = (due: number, wakes: boolean, run: () => void): void => insert(events, { due, wakes, run });
  const trip = (): number => (network.rtt / 2) * Math.exp(network.sigma * gauss(random));
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      push(now + Math.max(0, ms), true, resolve);
    });

  const call = (phase: string, key: string, route?: string): Promise<Sample> =>
    new Promise((resolve) => {
      const known = { sentAt: now, key, phase, ...(route === undefined ? {} : { route }) };
      push(now + trip(), false, () => {
        const answer = limiter.decide(now + network.offset, key, route);
        push(now + (answer.holdMs ?? 0), false, () => {
          const { holdMs, remainingLate, ...rest } = answer;
          const server = now + network.offset;
          const shown: Shown = remainingLate === undefined ? rest : { ...rest, remaining: remainingLate(server) };
          push(now + trip(), true, () =>
            resolve({ ...known, ...shown, receivedAt: now, date: new Date(server).toUTCString() }),
          );
        });
      });
    });

  const foreign = (): void => {
    if (network.foreignGap === undefined) {
      return;
    }
    push(now - Math.log(1 - random()) * network.foreignGap, false, () => {
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
        push(startAt + ms, false, () => limiter.decide(now + network.offset, 'key'));
      }
      let done = false;
      const result = body().finally(() => {
        done = true;
      });
      await settle();
      while (!done) {
        const event = events.pop();
        if (event === undefined) {
          throw new Error('The simulated world stands still');
        }
        now = event.due;
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

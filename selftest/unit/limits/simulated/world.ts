// A virtual clock and network: hours of limiter behaviour in milliseconds, and everything reproducible.
import type { Sample } from '../../../../limits/judge/trace.ts';
import type { MinuteIo } from '../../../../limits/procedure/run.ts';
import { createVirtualClock } from '../../../virtual-clock.ts';
import type { SimulatedLimiter } from './limiters.ts';

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
  /** Calls of another client with the same key: their times in ms after the start. */
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

/** A world in which calls reach the limiter over this network. `startAt` is the client's clock at the start. */
export function createWorld(limiter: SimulatedLimiter, network: Network, random: () => number, startAt: number): World {
  const { now, sleep } = createVirtualClock(startAt);
  const trip = (): number => (network.rtt / 2) * Math.exp(network.sigma * gauss(random));
  const server = (): number => now() + network.offset;

  const call = async (phase: string, key: string, route?: string): Promise<Sample> => {
    const known = { sentAt: now(), key, phase, ...(route === undefined ? {} : { route }) };
    await sleep(trip());
    const { holdMs = 0, remainingLate, ...answer } = limiter(server(), key);
    await sleep(holdMs);
    const remaining = remainingLate?.(server()) ?? answer.remaining;
    const date = new Date(server()).toUTCString();
    await sleep(trip());
    return { ...known, ...answer, remaining, receivedAt: now(), date };
  };

  return {
    io: {
      send: (phase) => call(phase, 'key'),
      intrude: () => call('intruder', 'unknown'),
      probes: (network.routes ?? []).map((route) => (phase) => call(phase, 'key', route)),
      sleep,
      now,
    },
    async run(body) {
      let isOver = false;
      const callAt = async (ms: number): Promise<void> => {
        await sleep(ms - now());
        if (!isOver) {
          limiter(server(), 'key');
        }
      };
      void Promise.all((network.foreignAt ?? []).map((ms) => callAt(startAt + ms)));
      try {
        return await body();
      } finally {
        isOver = true;
      }
    },
  };
}

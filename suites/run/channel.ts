import type { ClauseResult } from '../../results/verdict.ts';

/**
 * The seam between the engine (main process) and the tests that Vitest runs for it (worker threads): a broadcast
 * channel whose name the run gives to Vitest. A test file that starts asks for what is known; everything else comes as
 * it stands.
 */
interface Message {
  readonly ask?: true;
  readonly result?: ClauseResult;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Name of the channel on which the run's verdicts come. */
    verdictChannel: string;
  }
}

/** The engine's end. */
export interface Publisher {
  readonly name: string;
  publish(result: ClauseResult): void;
  close(): void;
}

export function openPublisher(): Publisher {
  const name = `verdicts-${process.pid}-${performance.now()}`;
  const channel = new BroadcastChannel(name);
  const known: ClauseResult[] = [];
  channel.onmessage = ({ data }: { data: Message }) => {
    if (data.ask) {
      for (const result of known) {
        channel.postMessage({ result });
      }
    }
  };
  return {
    name,
    publish(result) {
      known.push(result);
      channel.postMessage({ result });
    },
    close: () => {
      channel.close();
    },
  };
}

/** The tests' end. */
interface Subscriber {
  verdictOf(id: string): Promise<ClauseResult>;
  close(): void;
}

export function openSubscriber(name: string): Subscriber {
  const channel = new BroadcastChannel(name);
  const pending = new Map<string, PromiseWithResolvers<ClauseResult>>();
  const slotOf = (id: string): PromiseWithResolvers<ClauseResult> => {
    const slot = pending.get(id) ?? Promise.withResolvers<ClauseResult>();
    pending.set(id, slot);
    return slot;
  };
  channel.onmessage = ({ data }: { data: Message }) => {
    if (data.result) {
      slotOf(data.result.id).resolve(data.result);
    }
  };
  channel.postMessage({ ask: true } satisfies Message);
  return {
    verdictOf: (id) => slotOf(id).promise,
    close: () => {
      channel.close();
    },
  };
}

import type { ClauseResult } from '../../results/verdict.ts';

/**
 * Carries results from the engine, in the main thread, to Vitest's tests, in worker threads, by a broadcast channel
 * whose name the run gives to Vitest.
 */
interface Message {
  readonly ask?: true;
  readonly result?: ClauseResult;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Name of the channel on which the run's results come. */
    verdictChannel: string;
  }
}

/** The engine's end of the channel. */
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
    close: () => channel.close(),
  };
}

/** The end of a test file. */
interface Subscriber {
  /** Resolves when the clause is judged. */
  resultOf(id: string): Promise<ClauseResult>;
  close(): void;
}

export function openSubscriber(name: string): Subscriber {
  const channel = new BroadcastChannel(name);
  const pending = new Map<string, PromiseWithResolvers<ClauseResult>>();
  const deferredOf = (id: string): PromiseWithResolvers<ClauseResult> => {
    const deferred = pending.get(id) ?? Promise.withResolvers<ClauseResult>();
    pending.set(id, deferred);
    return deferred;
  };
  channel.onmessage = ({ data }: { data: Message }) => {
    if (data.result) {
      deferredOf(data.result.id).resolve(data.result);
    }
  };
  channel.postMessage({ ask: true } satisfies Message);
  return {
    resultOf: (id) => deferredOf(id).promise,
    close: () => channel.close(),
  };
}

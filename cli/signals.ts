/**
 * Signals within this time count as one: the terminal sends a signal to all processes, and npm passes it on once more.
 */
const sameMs = 400;

const signals: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Calls `first` on SIGINT, SIGTERM or SIGHUP, and `second` on the next one. Returns a function that removes the
 * handlers. Until then no other handlers are allowed: those of Vitest and Vite would end the process at once, and what
 * the run created would be left behind.
 */
export function onSignals(first: (signal: string) => void, second: () => void): () => void {
  let since: number | null = null;
  const handle = (signal: NodeJS.Signals): void => {
    if (since === null) {
      since = performance.now();
      first(signal);
    } else if (performance.now() - since > sameMs) {
      second();
    }
  };
  const keepOut = (event: string | symbol, listener: (...values: unknown[]) => void): void => {
    // The event comes before Node adds the listener, so it can only be removed a moment later.
    if (signals.includes(String(event))) {
      queueMicrotask(() => process.off(event, listener));
    }
  };
  for (const signal of signals) {
    process.on(signal, handle);
  }
  process.on('newListener', keepOut);
  return () => {
    process.off('newListener', keepOut);
    for (const signal of signals) {
      process.off(signal, handle);
    }
  };
}

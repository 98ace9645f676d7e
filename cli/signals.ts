/** How long after a signal another one counts as the same: npm passes on what the terminal has already sent to everybody. */
const sameMs = 400;

const signals: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Calls `first` on SIGINT, SIGTERM or SIGHUP, and `second` on the next one. Gives what removes the handlers again.
 * Until then nobody else gets to handle them: Vitest and Vite, once started, would end the process within a millisecond,
 * and what the run created would be left behind.
 */
export function onSignals(
  first: (signal: string) => void,
  second: () => void,
  now: () => number = () => performance.now(),
): () => void {
  let since: number | null = null;
  const handle = (signal: NodeJS.Signals): void => {
    if (since === null) {
      since = now();
      first(signal);
    } else if (now() - since > sameMs) {
      second();
    }
  };
  const keepOut = (event: string | symbol, listener: (...values: unknown[]) => void): void => {
    // Node tells of a listener before it adds it.
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

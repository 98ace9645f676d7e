/** How long after a signal another one counts as the same: npm passes on what the terminal has already sent to everybody. */
const sameMs = 400;

/**
 * Calls `first` on SIGINT, SIGTERM or SIGHUP, and `second` on the next one. Gives what takes the handlers away again.
 */
export function onSignals(first: (signal: string) => void, second: () => void, now: () => number = () => performance.now()): () => void {
  let since: number | null = null;
  const handle = (signal: NodeJS.Signals): void => {
    if (since === null) {
      since = now();
      first(signal);
    } else if (now() - since > sameMs) second();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, handle);
  return () => { for (const signal of signals) process.off(signal, handle); };
}

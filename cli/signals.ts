/**
 * Signals within this time count as one: the terminal sends a signal to all processes, and npm passes it on once more.
 */
const sameMs = 400;

const signals: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The shell in which npm runs a script. It may be gone before the command is loaded. */
const shell = process.ppid;

/** How often a command that npm started looks whether npm is still there, ms. */
const parentMs = 500;

/**
 * Calls `first` on SIGINT, SIGTERM or SIGHUP, and `second` on the next one. No other handlers are allowed: those of Vitest
 * and Vite would end the process at once, and what the run created would be left behind.
 */
export function onSignals(first: (signal: string) => void, second: () => void): void {
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
  whenOrphaned(() => handle('SIGTERM'));
}

/** Calls `act` when that shell is gone: it does not pass on the signal that ended it. */
function whenOrphaned(act: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) {
    return;
  }
  const timer = setInterval(() => {
    if (process.ppid !== shell) {
      clearInterval(timer);
      act();
    }
  }, parentMs).unref();
}

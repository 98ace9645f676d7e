import type { TargetRun } from '../../suites/run/target-run.ts';

/** Where progress is shown; a terminal gets one line that is written over. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const refreshMs = 250;
/** Without a terminal: one line now and then, so that nobody takes a paced run for one that hangs. */
const remindMs = 20_000;

/** Shows how many requests went out, until the function it gives is called. */
export function showProgress(judged: readonly TargetRun[], screen: Screen): () => void {
  const began = performance.now();
  const line = (): string => {
    const counts = judged.map(({ target, opened }) => `${target.api} API ${opened.session.client.sent} requests`);
    return `${Math.round((performance.now() - began) / 1_000)} s: ${counts.join(', ')}`;
  };
  const onTerminal = (): void => {
    screen.write(`\r\u001b[K${line().slice(0, (screen.columns ?? 80) - 1)}`);
  };
  const onPaper = (): void => {
    screen.write(`Judging (calls keep to the documented limits), ${line()}\n`);
  };
  const timer = screen.isTTY ? setInterval(onTerminal, refreshMs) : setInterval(onPaper, remindMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    if (screen.isTTY) {
      screen.write('\r\u001b[K');
    }
  };
}

import { inert, oneLine } from '../../reports/text.ts';
import { marks } from '../../reports/words.ts';
import type { ClauseResult } from '../../results/verdict.ts';

/** The stream on which progress is shown. On a terminal, one line is overwritten again and again. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  /** Counts a result. A failure is shown at once, since the run may take some more minutes. */
  result(result: ClauseResult): void;
  /** Takes the latest word of an API's run: `developer: 412 requests, waiting 31 s for the sandbox key's rate limit`. */
  note(text: string): void;
  /** Removes the line. */
  stop(): void;
}

interface Watched {
  /** How many clauses are to be judged. */
  readonly clauses: number;
  fails(result: ClauseResult): boolean;
  clean(text: string): string;
}

const refreshMs = 1_000;
/** Without a terminal, a line now and then shows that a slow run does not hang. */
const remindMs = 10_000;
/** While nothing is decided, it is this often: most runs wait for a minute or two. */
const waitingMs = 60_000;

/** How many failures are shown during the run. With a deployment that is down there would be too many. */
const mostShown = 10;

/**
 * Shows how far a run is until `stop` is called: on a terminal in one live line, elsewhere in a line every ten seconds, or
 * every minute while nothing is decided.
 */
export function showProgress(run: Watched, screen: Screen): Progress {
  let decided = 0;
  let failed = 0;
  const notes = new Map<string, string>();
  const line = (): string => [`${decided}/${run.clauses} clauses`, ...notes.values()].join(' · ');
  const clear = (): void => {
    if (screen.isTTY) {
      screen.write('\r\u001b[K');
    }
  };
  const draw = (): void => {
    screen.write(screen.isTTY ? `\r\u001b[K${line().slice(0, (screen.columns ?? 80) - 1)}` : `${line()}\n`);
  };
  let last = { decided: 0, at: Date.now() };
  const remind = (): void => {
    if (decided > last.decided || Date.now() - last.at >= waitingMs) {
      last = { decided, at: Date.now() };
      draw();
    }
  };
  const timer = setInterval(screen.isTTY ? draw : remind, screen.isTTY ? refreshMs : remindMs);
  timer.unref();
  return {
    result(result) {
      const { id, verdict, findings } = result;
      const isFailure = run.fails(result);
      decided += 1;
      failed += isFailure ? 1 : 0;
      if (!isFailure || failed > mostShown + 1) {
        return;
      }
      clear();
      const text = oneLine(run.clean(findings[0]?.message ?? ''), 160);
      const line = failed > mostShown ? 'Further failures are listed at the end' : `${marks[verdict]} ${id}: ${text}`;
      screen.write(inert(`${line}\n`));
    },
    note(text) {
      const [api = ''] = text.split(':', 1);
      notes.set(api, oneLine(text, 160));
    },
    stop() {
      clearInterval(timer);
      clear();
    },
  };
}

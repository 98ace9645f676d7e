import { liveLine, type Screen } from '../../reports/live-line.ts';
import { inert, oneLine } from '../../reports/text.ts';
import { marks } from '../../reports/words.ts';
import type { ClauseResult } from '../../results/verdict.ts';

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

/** How many failures are shown during the run. With a deployment that is down there would be too many. */
const mostShown = 10;

/** Shows how far a run is until `stop` is called. */
export function showProgress(run: Watched, screen: Screen): Progress {
  let decided = 0;
  let failed = 0;
  const notes = new Map<string, string>();
  const text = (): string => [`${decided}/${run.clauses} clauses`, ...notes.values()].join(' · ');
  const live = liveLine(screen, text, () => decided);
  return {
    result(result) {
      const { id, verdict, findings } = result;
      const isFailure = run.fails(result);
      decided += 1;
      failed += isFailure ? 1 : 0;
      if (!isFailure || failed > mostShown + 1) {
        return;
      }
      live.clear();
      const text = oneLine(run.clean(findings[0]?.message ?? ''), 160);
      const line = failed > mostShown ? 'Further failures are listed at the end' : `${marks[verdict]} ${id}: ${text}`;
      screen.write(inert(`${line}\n`));
    },
    note(text) {
      const [api = ''] = text.split(':', 1);
      notes.set(api, oneLine(text, 160));
    },
    stop: live.stop,
  };
}

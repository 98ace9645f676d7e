import { thousands } from '../../common/words.ts';
import { liveLine, type Screen } from '../../reports/live-line.ts';
import type { Line } from '../seam/trace.ts';

interface Progress {
  readonly take: (line: Line) => void;
  readonly stop: () => void;
}

/** Shows the last step of each key, and how many calls were made with it, while k6 runs. */
export function showProgress(screen: Screen): Progress {
  const steps = new Map<string, string>();
  const made = new Map<string, number>();
  const text = (): string =>
    [...steps].map(([label, step]) => `${label}: ${step}, ${thousands(made.get(label) ?? 0)} calls`).join(' · ');
  return {
    stop: liveLine(screen, text).stop,
    take(line) {
      if (line.t === 'samples') {
        made.set(line.subject, (made.get(line.subject) ?? 0) + line.samples.length);
      }
      if (line.t === 'progress') {
        steps.set(line.subject, line.step);
      }
    },
  };
}

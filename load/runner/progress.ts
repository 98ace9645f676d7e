import { thousands } from '../../common/words.ts';
import { duration } from '../../reports/text.ts';
import { leftToday } from '../seam/bounds.ts';
import type { Plan } from '../seam/plan.ts';
import type { Line } from '../seam/trace.ts';

interface Progress {
  readonly take: (line: Line) => void;
  readonly close: () => void;
}

/** Shows the last step of each key while k6 runs: on a terminal in one place, elsewhere as a line every ten seconds. */
export function showProgress(
  plan: Plan,
  screen: Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean },
  now: () => number = () => performance.now(),
): Progress {
  const steps = new Map<string, string>();
  /** How many calls with each key were told, and when the last of them were. */
  const made = new Map<string, { readonly calls: number; readonly at: number }>();
  const startedAt = now();
  let written = '';
  /** With per-day, how much longer it takes at the pace of the calls made so far; otherwise empty. */
  const left = (label: string): string => {
    const subject = plan.subjects.find((one) => one.label === label);
    const { calls, at } = made.get(label) ?? { calls: 0, at: startedAt };
    const goal = subject === undefined ? 0 : leftToday(plan, subject);
    if (plan.script !== 'per-day' || calls < 20 || calls >= goal) {
      return '';
    }
    const rest = Math.max(0, ((at - startedAt) / calls) * goal - (now() - startedAt));
    return ` of ${thousands(goal)}, about ${duration(rest)} left`;
  };
  const show = (): void => {
    const line = [...steps]
      .map(([label, step]) => `${label}: ${step}, ${thousands(made.get(label)?.calls ?? 0)} calls${left(label)}`)
      .join(' · ');
    if (line !== '' && line !== written) {
      written = line;
      screen.write(screen.isTTY ? `\r\u001b[K${line.slice(0, 160)}` : `${line}\n`);
    }
  };
  const timer = setInterval(show, screen.isTTY ? 500 : 10_000);
  return {
    take(line) {
      if (line.t === 'samples') {
        made.set(line.subject, { calls: (made.get(line.subject)?.calls ?? 0) + line.rows.length, at: now() });
      }
      if (line.t === 'progress') {
        steps.set(line.subject, line.step);
      }
    },
    close() {
      clearInterval(timer);
      if (screen.isTTY && written !== '') {
        screen.write('\r\u001b[K');
      }
    },
  };
}

import { thousands } from '../../common/words.ts';
import { liveLine, type Screen } from '../../reports/live-line.ts';
import { duration } from '../../reports/text.ts';
import { leftToday } from '../seam/bounds.ts';
import type { Plan } from '../seam/plan.ts';
import type { Line } from '../seam/trace.ts';

interface Progress {
  readonly take: (line: Line) => void;
  readonly stop: () => void;
}

/** Shows the last step of each key while k6 runs. */
export function showProgress(plan: Plan, screen: Screen, now = () => performance.now()): Progress {
  const steps = new Map<string, string>();
  /** How many calls with each key were told, and when the last of them were. */
  const made = new Map<string, { readonly calls: number; readonly at: number }>();
  const startedAt = now();
  const stepOf = ([label, step]: readonly [string, string]): string => {
    const subject = plan.subjects.find((one) => one.label === label);
    const { calls, at } = made.get(label) ?? { calls: 0, at: startedAt };
    const goal = subject === undefined ? 0 : leftToday(plan, subject);
    const text = `${label}: ${step}, ${thousands(calls)} calls`;
    if (plan.script !== 'per-day' || calls < 20 || calls >= goal) {
      return text;
    }
    // How much longer it takes at the pace of the calls made so far.
    const rest = Math.max(0, ((at - startedAt) / calls) * goal - (now() - startedAt));
    return `${text} of ${thousands(goal)}, about ${duration(rest)} left`;
  };
  return {
    ...liveLine(screen, () => [...steps].map(stepOf).join(' · ')),
    take(line) {
      if (line.t === 'samples') {
        made.set(line.subject, { calls: (made.get(line.subject)?.calls ?? 0) + line.samples.length, at: now() });
      }
      if (line.t === 'progress') {
        steps.set(line.subject, line.step);
      }
    },
  };
}

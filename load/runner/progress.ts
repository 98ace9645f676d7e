import { thousands } from '../../common/words.ts';
import { duration } from '../../reports/text.ts';
import type { Line, Plan } from '../seam/plan.ts';

interface Progress {
  readonly take: (line: Line) => void;
  readonly close: () => void;
}

/** The calls of a key in the trace, and how many ms after the start the last of them were told. */
interface Made {
  readonly calls: number;
  readonly ms: number;
}

/** Shows the last step of each key while k6 runs: on a terminal in one place, elsewhere as a line every ten seconds. */
export function showProgress(
  plan: Plan,
  screen: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean },
  now: () => number = () => performance.now(),
): Progress {
  const steps = new Map<string, { step: string; calls: number }>();
  const samples = new Map<string, Made>();
  const startedAt = now();
  let written = '';
  const text = (): string =>
    [...steps]
      .map(([subject, { step, calls }]) => {
        const made = samples.get(subject) ?? { calls: 0, ms: 0 };
        const rest = left(plan, subject, made, now() - startedAt);
        return `${subject}: ${step}, ${thousands(Math.max(calls, made.calls))} calls${rest}`;
      })
      .join(' · ');
  const show = (): void => {
    const line = text();
    if (line === '' || line === written) {
      return;
    }
    written = line;
    screen.write(screen.isTTY ? `\r\u001b[K${line.slice(0, 160)}` : `${line}\n`);
  };
  const timer = setInterval(show, screen.isTTY ? 500 : 10_000);
  return {
    take(line) {
      if (line.t === 'samples') {
        const calls = (samples.get(line.subject)?.calls ?? 0) + line.rows.length;
        samples.set(line.subject, { calls, ms: now() - startedAt });
      }
      if (line.t === 'progress') {
        steps.set(line.subject, line);
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

/** With per-day, how much longer it takes at the pace of the calls made so far; otherwise empty. */
function left(plan: Plan, subject: string, made: Made, lasted: number): string {
  const day = plan.subjects.find(({ label }) => label === subject)?.perDay ?? null;
  if (plan.script !== 'per-day' || made.calls < 20) {
    return '';
  }
  const goal = Math.min(plan.calls ?? Infinity, day === null ? Infinity : day - (plan.spent[subject] ?? 0));
  if (goal === Infinity || made.calls >= goal) {
    return '';
  }
  const restMs = Math.max(0, (made.ms / made.calls) * goal - lasted);
  return ` of ${thousands(goal)}, about ${duration(restMs)} left`;
}

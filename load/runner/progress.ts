import { thousands } from '../../common/words.ts';
import { duration } from '../../reports/text.ts';
import type { Line, Plan } from '../seam/plan.ts';

interface Progress {
  readonly take: (line: Line) => void;
  readonly close: () => void;
}

/** Shows the last step of each key while k6 runs: on a terminal in one place, elsewhere as a line every ten seconds. */
export function showProgress(
  plan: Plan,
  screen: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean },
  now: () => number = () => performance.now(),
): Progress {
  const steps = new Map<string, { step: string; calls: number }>();
  const samples = new Map<string, number>();
  const startedAt = now();
  let written = '';
  const text = (): string =>
    [...steps]
      .map(
        ([subject, { step, calls }]) =>
          `${subject}: ${step}, ${thousands(Math.max(calls, samples.get(subject) ?? 0))} calls${left(plan, subject, samples.get(subject) ?? 0, now() - startedAt)}`,
      )
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
        samples.set(line.subject, (samples.get(line.subject) ?? 0) + line.rows.length);
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

/** With per-day, how much longer it takes at the pace so far; otherwise empty. */
function left(plan: Plan, subject: string, made: number, lasted: number): string {
  const day = plan.subjects.find(({ label }) => label === subject)?.perDay ?? null;
  if (plan.script !== 'per-day' || made < 20) {
    return '';
  }
  const goal = Math.min(plan.calls ?? Infinity, day === null ? Infinity : day - (plan.spent[subject] ?? 0));
  return goal === Infinity || made >= goal
    ? ''
    : ` of ${thousands(goal)}, about ${duration((lasted / made) * (goal - made))} left`;
}

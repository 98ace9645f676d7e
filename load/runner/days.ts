import { CannotRun } from '../../common/cannot-run.ts';
import { thousands } from '../../common/words.ts';
import { isLetThrough, type Sample } from '../../limits/judge/trace.ts';
import { duration } from '../../reports/text.ts';
import type { Subject } from '../seam/plan.ts';
import type { Arguments } from './arguments.ts';
import { appendDay, dayAt, readDays, spentToday, whoIs } from './day-ledger.ts';
import type { Keys } from './keys.ts';
import { fillMs } from './make-plan.ts';

/** The longest time to wait for the next day. Only on a test deployment do days pass in minutes. */
const mostWaitMs = 20 * 60_000;

const nameOf = (keys: Keys, subject: Subject): string =>
  whoIs(keys.secrets[subject.keyEnv] ?? '', new URL(subject.url).origin);

/** How many calls with each key the ledger has for today, by the key's label. */
export function spentBy(keys: Keys, clockSpeed: number, now: number): Record<string, number> {
  const entries = readDays();
  const { day } = dayAt(now, clockSpeed);
  return Object.fromEntries(
    keys.subjects.map((subject) => [subject.label, spentToday(entries, nameOf(keys, subject), day)]),
  );
}

/** Lines for the user about how long each key takes. */
export function forecast(
  keys: Keys,
  spent: Readonly<Record<string, number>>,
  options: Arguments,
  clockSpeed: number,
): string[] {
  return keys.subjects.map((subject) => {
    const before = spent[subject.label] ?? 0;
    const goal = Math.min(subject.perDay === null ? Infinity : subject.perDay - before, options.calls ?? Infinity);
    return `${subject.label}: ${thousands(goal)} calls at ${subject.limit} a minute${before > 0 ? ` (${thousands(before)} made today already)` : ''}, about ${duration(fillMs(subject, before, options, clockSpeed))}`;
  });
}

/**
 * How many ms to wait so that the day does not end during the run: 0 if there is enough time left. Throws CannotRun if
 * it is long.
 */
export function waitForDay(
  keys: Keys,
  spent: Readonly<Record<string, number>>,
  options: Arguments,
  clockSpeed: number,
  now: number,
): number {
  const longest = Math.max(
    ...keys.subjects.map((subject) => fillMs(subject, spent[subject.label] ?? 0, options, clockSpeed)),
  );
  const { endsAt } = dayAt(now, clockSpeed);
  const left = endsAt - now;
  if (longest * 1.1 + 5000 < left) {
    return 0;
  }
  const whole = Math.max(...keys.subjects.map((subject) => fillMs(subject, 0, options, clockSpeed)));
  if (whole * 1.1 + 5000 < 86_400_000 / clockSpeed && left < mostWaitMs) {
    return left + 500;
  }
  throw new CannotRun(
    `Cannot use up the day: it takes ${duration(longest)}, and the deployment's day (UTC) ends in ${duration(left)}; start when the next one has begun, or make only some of the calls with --calls`,
  );
}

/** Adds this run's calls to the ledger, even if the run was cut off. */
export function recordDays(
  keys: Keys,
  bySubject: ReadonlyMap<string, readonly Sample[]>,
  clockSpeed: number,
  full: ReadonlySet<string>,
): void {
  for (const subject of keys.subjects) {
    const samples = bySubject.get(subject.label) ?? [];
    for (const [day, own] of Map.groupBy(samples, (sample) => dayAt(sample.sentAt, clockSpeed).day)) {
      const admitted = own.filter(isLetThrough).length;
      const [first, last] = [own[0], own.at(-1)] as [Sample, Sample];
      appendDay({
        who: nameOf(keys, subject),
        day,
        admitted,
        refused: own.filter(({ status }) => status === 429).length,
        from: new Date(first.sentAt).toISOString(),
        to: new Date(last.receivedAt).toISOString(),
        full: full.has(subject.label),
      });
    }
  }
}

// What runs of per-day made today: a ledger, from which the next run continues.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CannotRun } from '../../common/cannot-run.ts';
import { makeFolder } from '../../common/files.ts';
import { parseJson } from '../../common/json.ts';
import { thousands } from '../../common/words.ts';
import { dayMs } from '../../contract/limits.ts';
import { isLetThrough, type Sample } from '../../limits/judge/trace.ts';
import { duration } from '../../reports/text.ts';
import type { Plan, Subject } from '../seam/make-plan.ts';
import { dayAt, type Variables } from '../seam/plan.ts';

/** The calls with a key that one run had admitted on one day. Lines are only ever appended. */
interface Entry {
  /** A hash of the key and its origin, since the file must not hold keys. */
  readonly who: string;
  /** When the deployment's day (UTC) began. */
  readonly day: string;
  readonly admitted: number;
}

const file = join('.ledger', 'load', 'per-day.jsonl');

const whoIs = (key: string | undefined, url: string): string =>
  createHash('sha256')
    .update(`${new URL(url).origin}\n${key}`)
    .digest('hex')
    .slice(0, 24);

/** All entries. A line that was cut off when a run was killed is ignored. */
const entries = (): Entry[] =>
  (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n').flatMap((line) => {
    const entry = parseJson(line) as Entry | undefined;
    return typeof entry?.who === 'string' && Number.isInteger(entry.admitted) ? [entry] : [];
  });

/** How many calls with each key earlier runs had admitted today, as the variable for the script. */
export function spentToday({ subjects, clockSpeed }: Plan, env: Variables, now: number): string {
  const { day } = dayAt(now, clockSpeed);
  const known = entries().filter((entry) => entry.day === day);
  const spent = subjects.map(({ keyEnv, url }) => {
    const who = whoIs(env[keyEnv], url);
    return [keyEnv, known.reduce((sum, entry) => sum + (entry.who === who ? entry.admitted : 0), 0)];
  });
  return JSON.stringify(Object.fromEntries(spent));
}

/** How many calls of the day are left to make with a key. */
const leftToday = ({ calls }: Plan, { perDay, spent }: Subject): number =>
  Math.min(perDay === null ? Infinity : perDay - spent, calls);

/** How long using up the rest of a day takes, in ms. */
const fillMs = (plan: Plan, subject: Subject): number =>
  (leftToday(plan, subject) / (subject.limit * plan.pace)) * plan.windowMs;

/** A line for the user about how long a key takes. */
export function forecast(plan: Plan, subject: Subject): string {
  const { label, limit, spent } = subject;
  const before = spent > 0 ? ` (${thousands(spent)} made today already)` : '';
  return `${label}: ${thousands(leftToday(plan, subject))} calls at ${limit} a minute${before}, about ${duration(fillMs(plan, subject))}`;
}

/** A clock speed near `about` with which the deployment's day, counted from 1970, began a second ago. */
export const freshDaySpeed = (about: number, now: number): number =>
  (Math.round((now * about) / dayMs) * dayMs) / (now - 1000);

/** Throws CannotRun if the day would end during the run. */
export function assertDayLeft(plan: Plan, now: number): void {
  const takes = Math.max(...plan.subjects.map((subject) => fillMs(plan, subject)));
  const left = dayAt(now, plan.clockSpeed).endsAt - now;
  if (takes * 1.1 + 5000 >= left) {
    throw new CannotRun(
      `Cannot use up the day: it takes ${duration(takes)}, and the deployment's day (UTC) ends in ${duration(left)}; start when the next one has begun, or make only some of the calls with --calls`,
    );
  }
}

/** Adds a key's calls to the ledger, even if the run was cut off. */
export function recordDay(subject: Subject, samples: readonly Sample[], clockSpeed: number, env: Variables): void {
  const admitted = samples.filter(isLetThrough);
  for (const [day, own] of Map.groupBy(admitted, ({ sentAt }) => dayAt(sentAt, clockSpeed).day)) {
    const entry: Entry = { who: whoIs(env[subject.keyEnv], subject.url), day, admitted: own.length };
    makeFolder(dirname(file));
    appendFileSync(file, `${JSON.stringify(entry)}\n`);
  }
}

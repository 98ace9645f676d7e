// The daily limit: the script per-day.
import { dayMs } from '../../contract/limits.ts';
import { type DayOutcome, judgeDay } from '../../limits/judge/day.ts';
import type { Sample } from '../../limits/judge/trace.ts';
import type { Plan, Subject } from '../seam/plan.ts';
import { type Judged, limitClause } from '../seam/trace.ts';
import { headersPart, obstacle, open, verdictOf } from './parts.ts';

/** The deployment's day at this moment, and when it ends, if days pass `clockSpeed` times as fast as real ones. */
export function dayAt(now: number, clockSpeed: number): { readonly day: string; readonly endsAt: number } {
  const length = dayMs / clockSpeed;
  const number = Math.floor(now / length);
  const name = clockSpeed === 1 ? new Date(number * dayMs).toISOString().slice(0, 10) : `${clockSpeed}x${number}`;
  return { day: name, endsAt: (number + 1) * length };
}

/** Judges the daily limit by the calls that used it up (limits/procedure/day.ts), and says how much is proven. */
export function judgeDayOf(
  { clockSpeed }: Pick<Plan, 'clockSpeed'>,
  subject: Subject,
  samples: readonly Sample[],
  outcome: DayOutcome,
): Judged {
  const { api, perDay, alone, spent } = subject;
  // That calls are refused for the day can be judged even if all of them were.
  const why = outcome.refusedAfter !== null ? null : obstacle(samples);
  if (why !== null) {
    return open(subject, why, 'per-day');
  }
  const dayOf = (at = 0): string => dayAt(at, clockSpeed).day;
  const edgePassed = dayOf(samples[0]?.sentAt) !== dayOf(samples.at(-1)?.receivedAt);
  const judged = judgeDay(outcome, samples, { perDay, spent, fresh: alone, edgePassed });
  const { verdict, says, evidence, admitted } = judged;
  const part = {
    clause: limitClause(api, 'per-day'),
    verdict: verdictOf[verdict],
    says: `${says} Evidence: ${evidence}.`,
    expected: perDay === null ? 'no daily limit' : `${perDay} requests a day`,
    actual: `${admitted} admitted`,
    observed: { documented: perDay, ...judged },
  };
  return { parts: [headersPart(subject, samples), part], says: [says], detail: judged };
}

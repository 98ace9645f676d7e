import { type DayOutcome, type DayVerdict, judgeDay } from '../../limits/judge/day.ts';
import type { Sample } from '../../limits/judge/trace.ts';
import type { Trace } from '../runner/collect.ts';
import { dayAt } from '../runner/day-ledger.ts';
import type { Plan, Subject } from '../seam/plan.ts';
import { headersPart, verdictOf } from './limit-parts.ts';
import { type Judgement, type KeyParts, limitResults, mainClauses, obstacle } from './over-limit.ts';
import type { Part } from './results.ts';

function dayPart(subject: Subject, judged: DayVerdict): Part {
  const { verdict, says, evidence, admitted } = judged;
  return {
    subject,
    verdict: verdictOf[verdict],
    says: `${says} Evidence: ${evidence}.`,
    finding: {
      expected: subject.perDay === null ? 'no daily limit' : `${subject.perDay} requests a day`,
      actual: `${admitted} admitted`,
    },
    observed: { documented: subject.perDay, ...judged },
  };
}

/** Whether the deployment's day ended while it was being filled. */
function endedMeanwhile(samples: readonly Sample[], clockSpeed: number): boolean {
  const filling = samples.filter(({ phase }) => phase !== 'restore');
  const [from, to] = [filling[0]?.sentAt ?? 0, filling.at(-1)?.receivedAt ?? 0];
  return dayAt(from, clockSpeed).day !== dayAt(to, clockSpeed).day;
}

/** per-day: judges the daily limit of each key, and says how much is proven. */
export function judgePerDay(plan: Plan, { bySubject, notes }: Trace): Judgement {
  const details: Record<string, unknown> = {};
  const open = (subject: Subject, says: string): KeyParts => {
    details[subject.label] = { says };
    return { subject, parts: { 'per-day': [{ subject, verdict: 'undecided', says }] } };
  };
  const all = plan.subjects.map((subject): KeyParts => {
    const { label, perDay, alone } = subject;
    const samples = bySubject.get(label) ?? [];
    const outcome = notes.find(({ subject: of, note }) => of === label && note === 'day')?.value as
      | DayOutcome
      | undefined;
    if (outcome === undefined) {
      return open(subject, 'The run was cut off before its end; run it again today to continue.');
    }
    // That calls are refused for the day can be judged even if all of them were.
    const why = outcome.refusedForDay ? null : obstacle(samples);
    if (why !== null) {
      return open(subject, why);
    }
    const spent = plan.spent[label] ?? 0;
    const edgePassed = endedMeanwhile(samples, plan.clockSpeed);
    const judged = judgeDay(outcome, samples, { perDay, spent, fresh: alone, edgePassed });
    details[label] = { ...judged, outcome };
    return { subject, parts: { headers: [headersPart(subject, samples)], 'per-day': [dayPart(subject, judged)] } };
  });
  return { results: limitResults(all), details, main: mainClauses('per-day') };
}

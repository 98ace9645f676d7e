import { type DayOutcome, type DayVerdict, judgeDay } from '../../limits/judge/day.ts';
import type { Haul } from '../runner/collect.ts';
import { dayAt } from '../runner/day-ledger.ts';
import type { Plan, Subject } from '../seam/plan.ts';
import { headersPart } from './limit-parts.ts';
import { gather, type Judgement, obstacle } from './over-limit.ts';
import type { Part } from './results.ts';

const words = { holds: 'holds', fewer: 'fails', more: 'fails', undecided: 'undecided' } as const;

function dayPart(subject: Subject, judged: DayVerdict): Part {
  const { verdict, says, evidence, admitted } = judged;
  return {
    subject,
    verdict: words[verdict],
    says: `${says} Evidence: ${evidence}.`,
    finding: {
      expected: subject.perDay === null ? 'no daily limit' : `${subject.perDay} requests a day`,
      actual: `${admitted} admitted`,
    },
    observed: { documented: subject.perDay, ...judged },
  };
}

/** per-day: the day's limit of each key, with the rung of the evidence ladder that was reached. */
export function judgePerDay(plan: Plan, haul: Haul): Judgement {
  const details: Record<string, unknown> = {};
  const all = plan.subjects.map((subject) => {
    const samples = haul.bySubject.get(subject.label) ?? [];
    const outcome = haul.notes.find((note) => note.subject === subject.label && note.note === 'day')?.value as
      | DayOutcome
      | undefined;
    const why =
      outcome === undefined
        ? 'The run was cut off before it could tell; run it again today to go on.'
        : goneOr(samples, outcome);
    if (outcome === undefined || why !== null) {
      details[subject.label] = { says: why };
      return { subject, parts: { 'per-day': [{ subject, verdict: 'undecided', says: why ?? '' } as const] } };
    }
    const filling = samples.filter((sample) => sample.phase !== 'restore');
    const edgePassed =
      dayAt(filling[0]?.sentAt ?? 0, plan.clockSpeed).day !==
      dayAt(filling.at(-1)?.receivedAt ?? 0, plan.clockSpeed).day;
    const spent = plan.spent[subject.label] ?? 0;
    const judged = judgeDay(outcome, samples, { perDay: subject.perDay, spent, fresh: subject.idle, edgePassed });
    details[subject.label] = { ...judged, outcome };
    return { subject, parts: { headers: [headersPart(subject, samples)], 'per-day': [dayPart(subject, judged)] } };
  });
  const results = (['developer', 'workspace'] as const).flatMap((api) => gather(api, all));
  return { results, details, main: ['developer.limits.per-day', 'workspace.limits.per-day'] };
}

/** A day that was used up before the run began is no obstacle to say so; a target that went away is one. */
function goneOr(samples: Parameters<typeof obstacle>[0], outcome: DayOutcome): string | null {
  return outcome.refusedForDay ? null : obstacle(samples);
}

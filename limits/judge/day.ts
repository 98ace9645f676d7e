// The daily limit: what a run saw of it, and how much that proves.
import { firstNumber } from './headers.ts';
import type { Sample } from './trace.ts';

/** How much is proven, from least to most. */
type Evidence =
  /** Nothing: only the documents give the number. */
  | 'documented'
  /** A header shows the number. */
  | 'declared'
  /** How many calls were admitted. */
  | 'lower bound'
  /** The call after the limit was refused. */
  | 'exact';

export interface DayVerdict {
  readonly verdict: 'holds' | 'fewer' | 'more' | 'undecided';
  readonly evidence: Evidence;
  /** Calls admitted that day, including those of earlier runs. */
  readonly admitted: number;
  readonly says: string;
}

/** The state of a per-day run, and in the end its outcome. */
export interface DayOutcome {
  /** Calls of this run that were admitted. */
  admitted: number;
  /** Refusals that were over after a quiet minute. */
  minuteRefusals: number;
  /** Whether a refusal was not over after a quiet minute. */
  refusedForDay: boolean;
  /**
   * Calls admitted that day, including those of earlier runs, before the refusal for the day; null if there was none.
   */
  refusedAfter: number | null;
  /** Calls in a row without an answer, up to now. */
  unanswered: number;
}

interface DayTerms {
  /** null if the documents say unlimited. */
  readonly perDay: number | null;
  /** Calls admitted today in earlier runs. */
  readonly spent: number;
  /** Whether nobody but runs of this project can have used the key today. */
  readonly fresh: boolean;
  /** Whether the day (UTC) ended during the run. */
  readonly edgePassed: boolean;
}

const numbers = (text: string | null): number[] => (text?.match(/\d+/g) ?? []).map(Number);

/** Whether a header shows the daily limit. */
const declaresDay = (samples: readonly Sample[], perDay: number): boolean =>
  samples.some((sample) => numbers(sample.limit).includes(perDay));

/** Whether the first answer showed that nobody else had used the key today. */
const showsFresh = (samples: readonly Sample[], perDay: number, spent: number): boolean => {
  const first = samples.find((sample) => sample.status < 400 && sample.status !== 0);
  return (
    first !== undefined && firstNumber(first.limit) === perDay && firstNumber(first.remaining) === perDay - spent - 1
  );
};

/** Judges a per-day run. */
export function judgeDay(outcome: DayOutcome, samples: readonly Sample[], terms: DayTerms): DayVerdict {
  const { perDay, spent } = terms;
  const admitted = outcome.refusedAfter ?? spent + outcome.admitted;
  const declared = perDay !== null && declaresDay(samples, perDay);
  const answer = (verdict: DayVerdict['verdict'], evidence: Evidence, says: string): DayVerdict => ({
    verdict,
    evidence,
    admitted,
    says,
  });
  const unrefused = declared ? 'declared' : 'documented';
  const least = admitted > 0 ? 'lower bound' : unrefused;
  if (outcome.refusedForDay && perDay === null) {
    return answer('fewer', 'exact', `Refused for the day after ${admitted} calls; the documents say unlimited.`);
  }
  if (terms.edgePassed) {
    return answer(
      'undecided',
      least,
      'The day ended during the run, so the calls that were counted belong to two days.',
    );
  }
  if (perDay === null) {
    return answer(
      admitted > 0 ? 'holds' : 'undecided',
      least,
      `${admitted} calls were admitted, and none refused for the day.`,
    );
  }
  if (admitted > perDay) {
    return answer('more', 'exact', `${admitted} calls were admitted in a day; the documents give ${perDay}.`);
  }
  if (!outcome.refusedForDay) {
    return answer(
      'undecided',
      least,
      `${admitted} of ${perDay} calls were admitted, and none refused for the day: run it again today to continue.`,
    );
  }
  if (admitted === perDay) {
    return answer('holds', 'exact', `${perDay} calls were admitted in the day, and the next was refused.`);
  }
  if (terms.fresh || showsFresh(samples, perDay, spent)) {
    return answer('fewer', 'exact', `Refused for the day after ${admitted} calls; the documents give ${perDay}.`);
  }
  return answer(
    'undecided',
    least,
    `Refused for the day after ${admitted} calls of this project, but others may have used the key today (--alone says that nobody did).`,
  );
}

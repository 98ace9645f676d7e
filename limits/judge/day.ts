// The day's limit: what was seen of it, and how much that proves.
import { firstNumber } from './headers.ts';
import type { Sample } from './trace.ts';

/** The evidence ladder: what the documents say, what a header says, a number that was admitted, the exact edge, the return. */
type Evidence = 'documented' | 'declared' | 'lower bound' | 'exact' | 'restored';

export interface DayVerdict {
  readonly verdict: 'holds' | 'fewer' | 'more' | 'undecided';
  readonly evidence: Evidence;
  /** Calls admitted in the day, earlier runs included. */
  readonly admitted: number;
  readonly says: string;
}

/** What a per-day run came to; counted up while it goes on. */
export interface DayOutcome {
  admitted: number;
  /** Refusals that a quiet minute lifted, and whether one was met that it did not lift. */
  minuteRefusals: number;
  refusedForDay: boolean;
  /** Calls admitted today, earlier runs included, when the day's refusal came; null where it did not. */
  refusedAfter: number | null;
  restored: boolean;
  /** Calls in a row without an answer. */
  unanswered: number;
}

interface DayTerms {
  /** null: the documents say unlimited. */
  readonly perDay: number | null;
  /** Calls admitted today by earlier runs. */
  readonly spent: number;
  /** Nobody but this project's runs can have used the key today. */
  readonly fresh: boolean;
  /** The day's edge, in UTC, fell into the run. */
  readonly edgePassed: boolean;
}

const numbers = (text: string | null): number[] => (text?.match(/\d+/g) ?? []).map(Number);

/** Whether a header names the day's number. */
const declaresDay = (samples: readonly Sample[], perDay: number): boolean =>
  samples.some((sample) => numbers(sample.limit).includes(perDay));

/** Whether the first answer showed a day nobody had used: then fewer calls are fewer, whoever had the key. */
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
  const least = admitted > 0 ? 'lower bound' : declared ? 'declared' : 'documented';
  if (outcome.refusedForDay && perDay === null) {
    return answer('fewer', 'exact', `Refused for the day after ${admitted} calls; the documents say unlimited.`);
  }
  if (terms.edgePassed) {
    return answer('undecided', least, 'The day ended during the run: what was counted belongs to two days.');
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
      `${admitted} of ${perDay} calls were admitted, and none refused for the day: run it again today to go on.`,
    );
  }
  if (admitted === perDay) {
    return answer(
      'holds',
      outcome.restored ? 'restored' : 'exact',
      `${perDay} calls were admitted in the day, and the next was refused.`,
    );
  }
  if (terms.fresh || showsFresh(samples, perDay, spent)) {
    return answer('fewer', 'exact', `Refused for the day after ${admitted} calls; the documents give ${perDay}.`);
  }
  return answer(
    'undecided',
    least,
    `Refused for the day after ${admitted} calls of this project; the key may have been used today by others (--alone: nobody did).`,
  );
}

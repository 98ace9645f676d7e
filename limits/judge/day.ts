// The daily limit: what a run saw of it, and how much that proves.
import { firstNumber } from './headers.ts';
import type { Sample } from './trace.ts';

interface DayVerdict {
  readonly verdict: 'holds' | 'fewer' | 'more' | 'undecided';
  /** How much is proven: nothing; how many calls were admitted; or that the call after the limit was refused. */
  readonly evidence: 'documented' | 'lower bound' | 'exact';
  /** Calls admitted that day, including those of earlier runs. */
  readonly admitted: number;
  readonly says: string;
}

/** The outcome of a per-day run. */
export interface DayOutcome {
  /** Calls of this run that were admitted. */
  readonly admitted: number;
  /**
   * Calls admitted that day, including those of earlier runs, before the refusal for the day; null if there was none.
   */
  readonly refusedAfter: number | null;
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

/** Whether the first answer showed that nobody else had used the key today. */
function showsFresh(samples: readonly Sample[], perDay: number, spent: number): boolean {
  const first = samples.find(({ status }) => status < 400 && status !== 0);
  return (
    first !== undefined && firstNumber(first.limit) === perDay && firstNumber(first.remaining) === perDay - spent - 1
  );
}

/** Judges a per-day run. */
export function judgeDay(outcome: DayOutcome, samples: readonly Sample[], terms: DayTerms): DayVerdict {
  const { perDay, spent } = terms;
  const { refusedAfter } = outcome;
  const admitted = refusedAfter ?? spent + outcome.admitted;
  const told = (verdict: DayVerdict['verdict'], evidence: DayVerdict['evidence'], says: string): DayVerdict => ({
    verdict,
    evidence,
    admitted,
    says,
  });
  const least = admitted > 0 ? 'lower bound' : 'documented';
  const refused = `Refused for the day after ${admitted} calls`;
  if (refusedAfter !== null && perDay === null) {
    return told('fewer', 'exact', `${refused}; the documents say unlimited.`);
  }
  if (terms.edgePassed) {
    return told('undecided', least, 'The day ended during the run, so the calls that were counted belong to two days.');
  }
  if (perDay === null) {
    return told(
      admitted > 0 ? 'holds' : 'undecided',
      least,
      `${admitted} calls were admitted, and none refused for the day.`,
    );
  }
  if (admitted > perDay) {
    return told('more', 'exact', `${admitted} calls were admitted in a day; the documents give ${perDay}.`);
  }
  if (refusedAfter === null) {
    const says = `${admitted} of ${perDay} calls were admitted, and none refused for the day: run it again today to continue.`;
    return told('undecided', least, says);
  }
  if (admitted === perDay) {
    return told('holds', 'exact', `${perDay} calls were admitted in the day, and the next was refused.`);
  }
  const says = `${refused} of this project, but others may have used the key today (--alone says that nobody did).`;
  return terms.fresh || showsFresh(samples, perDay, spent)
    ? told('fewer', 'exact', `${refused}; the documents give ${perDay}.`)
    : told('undecided', least, says);
}

import type { WindowVerdict } from './algorithm.ts';
import type { Explanation } from './hypotheses.ts';
import type { FirstRefusal } from './log.ts';
import type { ProbeVerdict } from './probes.ts';
import type { Timeline } from './timeline.ts';

export interface PerMinuteVerdict {
  readonly verdict: 'holds' | 'fewer' | 'more' | 'undecided';
  /** The limit that the deployment enforces; null unless the trace shows it exactly. */
  readonly enforced: number | null;
  readonly says: string;
  /** The load script that can find out more; null if there is nothing more to find. */
  readonly closer: 'per-minute' | 'burst' | null;
}

/** What was counted in a trace, and what its explanations have in common. */
export interface Evidence {
  readonly admitted: number;
  readonly refused: number;
  readonly unanswered: number;
  /**
   * The most calls certainly admitted in any stretch of a window's length; two adjacent windows may admit twice the
   * limit.
   */
  readonly worstWindow: number;
  /**
   * The fewest calls that can have been admitted in a window's length before a first refusal; null if nothing was
   * refused.
   */
  readonly fewestAtRefusal: number | null;
  /** The most calls certainly admitted in a window's length after a refusal. */
  readonly afterRefusal: number;
  /** How many calls without the judged key got a Remaining below the same limit, as if they drew on it. */
  readonly intruders: number;
  /** Whether all explanations, those that need a rare coincidence included, compare with the limit in the same way. */
  readonly isSettled: boolean;
  /**
   * Whether a sliding counter of the documented size explains the trace: it may have refused early because of earlier
   * calls.
   */
  readonly mayBeCounter: boolean;
  /** Whether any known limiter makes these decisions. */
  readonly isExplained: boolean;
  /** Whether fixed windows that begin with the first call explain the trace. */
  readonly mayBeFirstCall: boolean;
}

/** Everything that the verdict on the minute's limit is made from. */
export interface MinuteCase {
  readonly limit: number;
  readonly timeline: Timeline;
  /** All explanations of the trace, and the likeliest of them. */
  readonly all: readonly Explanation[];
  readonly explanations: readonly Explanation[];
  readonly window: WindowVerdict;
  readonly probes: readonly ProbeVerdict[];
  /** The most calls admitted from one return to the next, however long that took. */
  readonly row: number;
  readonly firstRefusals: readonly FirstRefusal[];
  readonly evidence: Evidence;
}

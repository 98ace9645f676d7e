import type { Sample, Terms } from '../judge/trace.ts';
import type { Probe } from './others.ts';
import type { Io, Run } from './run.ts';

/** What the caller provides: ways to send, and time. No function that sends may throw. */
export interface MinuteIo extends Io {
  /**
   * Makes one call with an unknown key (or none), whose sample has another key label. It shows a limiter that counts by
   * address.
   */
  readonly intrude?: () => Promise<Sample>;
  /**
   * Calls of other kinds that were accepted before, each with its `route` in the sample: another endpoint, one with
   * parameters, a write, one in query mode, one with another key of the same budget. Each is made once while the key is
   * refused; one that can no longer be made, such as a second deletion, gives null.
   */
  readonly probes?: readonly Probe[];
  /** Called if calls are refused while that many others are in flight. The key is then driven with fewer at once. */
  readonly crowded?: (atOnce: number) => void;
}

export interface MinutePlan extends Terms {
  /**
   * Whether nobody used the key in the last two windows. If not, the procedure waits until it is idle.
   */
  readonly idle?: boolean;
}

/** A drive of one key over its limit, under way. */
export interface Drive extends Run {
  readonly io: MinuteIo;
  readonly terms: MinutePlan;
}

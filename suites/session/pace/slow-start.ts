/**
 * How calls begin again after a pause: one, then two for each that is admitted. All that wait would else be sent at
 * once, where the limiter lets one of them through.
 */
export interface SlowStart {
  /** How many calls may begin before another one is admitted; Infinity: any number. */
  credit: number;
  /** When one may begin all the same, epoch milliseconds: an answer may be late, or never come. */
  creditAt: number;
  /** Wake the calls that wait for credit. */
  readonly waiting: (() => void)[];
}

/** This much credit shows that calls are admitted as before. */
const enoughCredit = 12;

export const newSlowStart = (): SlowStart => ({ credit: Infinity, creditAt: 0, waiting: [] });

/** Whether a call may begin now, which then takes its credit. The next one may begin `patienceMs` later at the latest. */
export function takeCredit(start: SlowStart, now: number, patienceMs: number): boolean {
  if (start.credit === 0 && now < start.creditAt) {
    return false;
  }
  start.credit = Math.max(1, start.credit) - 1;
  start.creditAt = now + patienceMs;
  return true;
}

/** After a pause: one call may begin. */
export function startSlowly(start: SlowStart): void {
  start.credit = 1;
  wake(start);
}

/** After an admitted call: two more may begin. */
export function addCredit(start: SlowStart): void {
  start.credit = start.credit + 2 > enoughCredit ? Infinity : start.credit + 2;
  wake(start);
}

const wake = ({ waiting }: SlowStart): void => waiting.splice(0).forEach((go) => void go());

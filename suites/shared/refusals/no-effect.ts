import type { Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn } from '../../engine/expect.ts';
import type { Answer } from '../../session/answer.ts';

/** A write that was refused. */
export interface RefusedWrite {
  readonly endpoint: string;
  /** The status with which it was refused. */
  readonly status: number;
}

/** What the reads after a refused write show. */
interface Aftermath {
  /** The answer that shows an effect, and the effect in words; undefined: none shows. */
  readonly effect: { readonly shownBy: Answer; readonly how: string } | undefined;
  /** Why an effect would not show; null: it would. */
  readonly unknown: Finding | null;
}

/** Judges that a refused write had no effect. Left open where the reads would not show one. */
export function judgeEffect(tally: Tally, write: RefusedWrite, { effect, unknown }: Aftermath): void {
  if (effect !== undefined) {
    tally.judge(tookEffect(write, effect.shownBy, effect.how));
  } else if (unknown === null) {
    tally.judge(null);
  } else {
    tally.leaveOpen(unknown);
  }
}

/** The finding on a refused write that took effect; `how` says what `shown` shows. */
const tookEffect = ({ endpoint, status }: RefusedWrite, shown: Answer, how: string): Finding =>
  findingOn(shown, {
    message: `${endpoint} took effect although it got ${status}: ${how}`,
    expected: 'no effect',
    actual: how,
  });

/** The finding on a write that was not refused, as the clause `blames` demands; `expected`: the statuses of a refusal. */
export const notRefused = (answer: Answer, expected: string, blames: string): Finding =>
  findingOn(answer, {
    message: `Cannot tell what a refused write leaves behind: it got ${describeAnswer(answer)}, not ${expected}`,
    expected,
    actual: describeAnswer(answer),
    blames,
  });

import type { Sample, Terms } from '../judge/trace.ts';
import { fire, judged, type Run, refusals } from './run.ts';

/** Where responses take this share of a window, the deployment delays calls instead of refusing them: more would wait longer. */
const isHeldBack = ({ windowMs }: Terms, { sentAt, receivedAt }: Sample): boolean => receivedAt - sentAt > windowMs / 4;

/** Enough calls to meet the limits of the other plans; a large limit that is certainly exceeded needs no more. */
const enough = (limit: number): number => limit + 500;

function isSurelyExceeded(run: Run): boolean {
  const { perMinute, evidence } = judged(run);
  return perMinute.verdict === 'more' && (evidence.isSettled || evidence.worstWindow > 2 * run.terms.limit);
}

/** Fills the window until something is refused, or until it is certain that nothing will be. True where it was. */
export async function fill(run: Run, phase: string, calls: number): Promise<boolean> {
  const before = refusals(run);
  const { limit } = run.terms;
  if ((await fire(run, calls, phase)).some((sample) => isHeldBack(run.terms, sample))) {
    return false;
  }
  const sentBefore = run.sent - calls;
  // A call by itself: where it is let in and told 0, no window ended among those before it.
  for (const step of [limit + 3 - calls, 1]) {
    await fire(run, refusals(run) > before ? 0 : step, phase);
  }
  while (refusals(run) === before && run.sent < run.cap) {
    if (run.sent - sentBefore >= enough(limit) && isSurelyExceeded(run)) {
      break;
    }
    const step = await fire(run, Math.ceil(limit / 2), phase);
    if (step.every(({ status }) => status === 0)) {
      break;
    }
  }
  return refusals(run) > before;
}

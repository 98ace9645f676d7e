import type { Sample, Terms } from '../judge/trace.ts';
import { fire, judged, type Run, refusals } from './run.ts';

/**
 * Whether the deployment delays calls instead of refusing them: a response took a quarter of a window. More calls would
 * take longer.
 */
const isHeldBack = ({ windowMs }: Terms, { sentAt, receivedAt }: Sample): boolean => receivedAt - sentAt > windowMs / 4;

/** After this many calls, all of which were admitted, a limit that is certainly exceeded needs no more. */
const enough = (limit: number): number => limit + 500;

function isSurelyExceeded(run: Run): boolean {
  const { perMinute, evidence } = judged(run);
  return perMinute.verdict === 'more' && (evidence.isSettled || evidence.worstWindow > 2 * run.terms.limit);
}

/** Makes `calls` calls, and then more until one is refused, or none will be. Returns whether any was refused. */
export async function fill(run: Run, phase: string, calls: number): Promise<boolean> {
  const before = refusals(run);
  const { limit } = run.terms;
  if ((await fire(run, calls, phase)).some((sample) => isHeldBack(run.terms, sample))) {
    return false;
  }
  const sentBefore = run.sent - calls;
  await fire(run, refusals(run) > before ? 0 : limit + 3 - calls, phase);
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

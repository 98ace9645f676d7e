// Sustained traffic just under the limit: the script soak.
import { counted, thousands } from '../../common/words.ts';
import { fewestIn, firstRefusalsIn } from '../../limits/judge/log.ts';
import { clockSlack, timelineOf } from '../../limits/judge/timeline.ts';
import { callsOf, type Sample } from '../../limits/judge/trace.ts';
import type { Plan, Subject } from '../seam/plan.ts';
import { type Judged, limitClause, type Part } from '../seam/trace.ts';
import { envelopeClauses } from './envelope.ts';
import { headersPart, obstacle } from './limit-parts.ts';
import { open } from './minute.ts';

/** How many responses broke each clause, and the URL of the first. */
export type Broken = Map<string, { readonly count: number; readonly first: string }>;

/** Percentiles of the times of answered calls, in ms, and the longest. */
function latencies(samples: readonly Sample[]): Record<string, number> {
  const sorted = samples
    .filter((sample) => sample.status !== 0)
    .map((sample) => sample.receivedAt - sample.sentAt)
    .sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1) };
}

/**
 * limits.per-minute: no call is refused under the limit. Refusals in the first two windows may be due to earlier calls
 * by others.
 */
function minutePart({ windowMs }: Pick<Plan, 'windowMs'>, subject: Subject, samples: readonly Sample[]): Part {
  const { api, label, limit } = subject;
  const own = callsOf(samples, label);
  const settledFrom = (own[0]?.from ?? 0) + 2 * windowMs;
  const counting = own.filter(({ from, outcome }) => outcome !== 'refused' || from >= settledFrom);
  const settled = counting.filter(({ from }) => from >= settledFrom);
  const refused = settled.filter(({ outcome }) => outcome === 'refused').length;
  const fewest = fewestIn(firstRefusalsIn(timelineOf(counting), windowMs, clockSlack(windowMs)));
  const share = `${thousands(refused)} of ${counted(settled.length, 'call')} were refused`;
  const answer = (verdict: Part['verdict'], says: string): Part => ({
    clause: limitClause(api, 'per-minute'),
    verdict,
    says,
    expected: `no refusal below ${limit} requests a minute`,
  });
  if (refused > 0 && fewest < limit) {
    return answer('fails', `${share}, the first after only ${counted(fewest, 'call')} in the preceding minute.`);
  }
  if (refused > 0) {
    return answer('undecided', `${share} at the limit: the pace was too high, see --pace.`);
  }
  return settled.length === 0
    ? answer('undecided', 'The run was too short: refusals count only after two minutes; use a longer --for.')
    : answer('holds', '');
}

/** Judges that nothing is refused under the limit and every answer is complete, and reports latencies. */
export function judgeSoak(
  plan: Pick<Plan, 'windowMs'>,
  subject: Subject,
  samples: readonly Sample[],
  broken: Broken,
): Judged {
  const why = obstacle(samples);
  if (why !== null) {
    return open(subject, why);
  }
  const failed = samples.filter((sample) => sample.status === 0 || sample.status >= 500).length;
  const latencyMs = latencies(samples);
  const { p50 = 0, p95 = 0, p99 = 0 } = latencyMs;
  const paths = [...new Set(samples.map(({ phase }) => phase))];
  return {
    parts: [
      ...envelopeClauses[subject.api].map((clause): Part => {
        const { count, first } = broken.get(clause) ?? { count: 0, first: '' };
        return count === 0
          ? { clause, verdict: 'holds', says: '' }
          : { clause, verdict: 'fails', says: `Broken by ${counted(count, 'response')}, the first to GET ${first}.` };
      }),
      headersPart(subject, samples),
      minutePart(plan, subject, samples),
    ],
    says: [`half of the answers within ${p50} ms, 95 % within ${p95} ms, 99 % within ${p99} ms; ${failed} failed`],
    detail: {
      calls: samples.length,
      failed,
      latencyMs,
      byRead: Object.fromEntries(paths.map((path) => [path, latencies(samples.filter(({ phase }) => phase === path))])),
    },
  };
}

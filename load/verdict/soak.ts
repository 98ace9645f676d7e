import { counted, thousands } from '../../common/words.ts';
import { minuteAt } from '../../contract/limits.ts';
import { fewestIn, firstRefusalsIn } from '../../limits/judge/log.ts';
import { clockSlack, timelineOf } from '../../limits/judge/timeline.ts';
import { callsOf, type Sample } from '../../limits/judge/trace.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { Trace } from '../runner/collect.ts';
import { envelopeClauses } from '../seam/envelope.ts';
import type { Plan, Subject } from '../seam/plan.ts';
import { headersPart } from './limit-parts.ts';
import { type Judgement, limitResults, mainClauses, obstacle } from './over-limit.ts';
import { combine, type Part } from './results.ts';

/** How many responses broke a clause, and the URL of the first. */
interface Breach {
  readonly count: number;
  readonly first: string;
}

type Broken = Readonly<Record<string, Breach>>;

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
function minutePart(plan: Plan, subject: Subject, samples: readonly Sample[]): Part {
  const windowMs = minuteAt(plan.clockSpeed);
  const own = callsOf(samples, subject.label);
  const settledFrom = (own[0]?.from ?? 0) + 2 * windowMs;
  const counting = own.filter(({ from, outcome }) => outcome !== 'refused' || from >= settledFrom);
  const settled = counting.filter(({ from }) => from >= settledFrom);
  const refused = settled.filter(({ outcome }) => outcome === 'refused').length;
  const fewest = fewestIn(firstRefusalsIn(timelineOf(counting), windowMs, clockSlack(windowMs)));
  const share = `${thousands(refused)} of ${counted(settled.length, 'call')} were refused`;
  const answer = (verdict: Part['verdict'], says: string): Part => ({
    subject,
    verdict,
    says,
    finding: { expected: `no refusal below ${subject.limit} requests a minute` },
  });
  if (refused > 0 && fewest < subject.limit) {
    return answer('fails', `${share}, the first after only ${counted(fewest, 'call')} in the preceding minute.`);
  }
  if (refused > 0) {
    return answer('undecided', `${share} at the limit: the pace was too high, see --pace.`);
  }
  return settled.length === 0
    ? answer('undecided', 'The run was too short: refusals count only after two minutes; use a longer --for.')
    : answer('holds', '');
}

function statistics(samples: readonly Sample[]): Record<string, unknown> {
  const failed = samples.filter((sample) => sample.status === 0 || sample.status >= 500).length;
  const lasted = (samples.at(-1)?.receivedAt ?? 0) - (samples[0]?.sentAt ?? 0);
  return {
    calls: samples.length,
    refused: samples.filter((sample) => sample.status === 429).length,
    errorRate: samples.length === 0 ? null : failed / samples.length,
    perSecond: lasted === 0 ? null : samples.length / (lasted / 1000),
    latencyMs: latencies(samples),
    byRead: Object.fromEntries(
      [...Map.groupBy(samples, (sample) => sample.phase)].map(([url, own]) => [
        URL.parse(url)?.pathname ?? url,
        latencies(own),
      ]),
    ),
  };
}

/** How often each clause was broken, summed up over the VUs that shared the subject's calls. */
function brokenOf({ notes }: Trace, subject: Subject): Broken {
  const all: Record<string, Breach> = {};
  for (const { value } of notes.filter((note) => note.subject === subject.label && note.note === 'broken')) {
    for (const [clause, { count, first }] of Object.entries(value as Broken)) {
      all[clause] = { count: (all[clause]?.count ?? 0) + count, first: all[clause]?.first ?? first };
    }
  }
  return all;
}

function envelopeResults(
  subjects: readonly { subject: Subject; broken: Broken; why: string | null }[],
): ClauseResult[] {
  return (['developer', 'workspace'] as const).flatMap((api) =>
    envelopeClauses[api].flatMap(
      (id) =>
        combine(
          id,
          subjects
            .filter(({ subject }) => subject.api === api)
            .map(({ subject, broken, why }): Part => {
              const breach = broken[id];
              if (breach !== undefined) {
                return {
                  subject,
                  verdict: 'fails',
                  says: `${counted(breach.count, 'response')} ${breach.count === 1 ? 'breaks' : 'break'} the clause, the first from GET ${breach.first}.`,
                };
              }
              return why === null
                ? { subject, verdict: 'holds', says: '' }
                : { subject, verdict: 'undecided', says: why };
            }),
        ) ?? [],
    ),
  );
}

/** soak: judges that nothing is refused under the limit and every answer is complete, and reports latencies. */
export function judgeSoak(plan: Plan, trace: Trace): Judgement {
  const details: Record<string, unknown> = {};
  const all = plan.subjects.map((subject) => {
    const samples = trace.bySubject.get(subject.label) ?? [];
    const why = obstacle(samples);
    details[subject.label] = statistics(samples);
    const parts: Record<string, Part[]> =
      why === null
        ? { headers: [headersPart(subject, samples)], 'per-minute': [minutePart(plan, subject, samples)] }
        : { 'per-minute': [{ subject, verdict: 'undecided', says: why }] };
    return { subject, parts, broken: brokenOf(trace, subject), why };
  });
  return { results: [...envelopeResults(all), ...limitResults(all)], details, main: mainClauses('soak') };
}

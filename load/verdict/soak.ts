import { envelopeClauses } from '../../limits/judge/envelope.ts';
import { slackOf } from '../../limits/judge/judge.ts';
import { fewestAtRefusal } from '../../limits/judge/sliding.ts';
import { callsOf, type Sample } from '../../limits/judge/trace.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { Haul } from '../runner/collect.ts';
import type { Plan, Subject } from '../seam/plan.ts';
import { headersPart } from './limit-parts.ts';
import { gather, type Judgement, obstacle } from './over-limit.ts';
import { combine, type Part } from './results.ts';

type Broken = Readonly<Record<string, { count: number; first: string }>>;

/** Percentiles of the answered calls, ms: p50, p90, p95, p99 and the longest. */
export function latencies(samples: readonly Sample[]): Record<string, number> {
  const sorted = samples
    .filter((sample) => sample.status !== 0)
    .map((sample) => sample.receivedAt - sample.sentAt)
    .sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1) };
}

/** A refusal of a key that stayed under its limit. The first ones may be due to calls that others made before. */
function minutePart(plan: Plan, subject: Subject, samples: readonly Sample[]): Part {
  const windowMs = 60_000 / plan.clockSpeed;
  const own = callsOf(samples, subject.label);
  const settled = own.filter((call) => call.s >= (own[0]?.s ?? 0) + 2 * windowMs);
  const refused = settled.filter((call) => call.fate === 'refused').length;
  const fewest = fewestAtRefusal(
    own.filter((call) => call.fate !== 'refused' || settled.includes(call)),
    windowMs,
    slackOf(windowMs),
  );
  const part = { subject, finding: { expected: `no refusal below ${subject.limit} requests a minute` } };
  if (refused > 0 && fewest < subject.limit) {
    return {
      ...part,
      verdict: 'fails',
      says: `${refused} of ${settled.length} calls were refused, the first with no more than ${fewest} admitted in the minute before it.`,
    };
  }
  if (refused > 0) {
    return {
      ...part,
      verdict: 'undecided',
      says: `${refused} of ${settled.length} calls were refused at the limit: the pace was too high, see --pace.`,
    };
  }
  if (settled.length === 0) {
    return { ...part, verdict: 'undecided', says: 'The run was too short: two minutes pass before refusals count.' };
  }
  return { ...part, verdict: 'holds', says: '' };
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

/** How often each clause was broken, over the VUs that shared the subject's calls. */
function brokenOf(haul: Haul, subject: Subject): Record<string, { count: number; first: string }> {
  const all: Record<string, { count: number; first: string }> = {};
  for (const { value } of haul.notes.filter((note) => note.subject === subject.label && note.note === 'broken')) {
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
                  says: `${breach.count} answers break it, the first from GET ${breach.first}.`,
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

/** soak: nothing refused below the limit, every answer whole, and how long answers took. */
export function judgeSoak(plan: Plan, haul: Haul): Judgement {
  const details: Record<string, unknown> = {};
  const all = plan.subjects.map((subject) => {
    const samples = haul.bySubject.get(subject.label) ?? [];
    const why = obstacle(samples);
    details[subject.label] = statistics(samples);
    const parts: Record<string, Part[]> =
      why === null
        ? { headers: [headersPart(subject, samples)], 'per-minute': [minutePart(plan, subject, samples)] }
        : { 'per-minute': [{ subject, verdict: 'undecided', says: why }] };
    return { subject, parts, broken: brokenOf(haul, subject), why };
  });
  const results = [
    ...envelopeResults(all),
    ...(['developer', 'workspace'] as const).flatMap((api) => gather(api, all)),
  ];
  return { results, details, main: ['developer.limits.per-minute', 'workspace.limits.per-minute'] };
}

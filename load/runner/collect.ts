import type { Sample } from '../../limits/judge/trace.ts';
import { fromRow, type Line, type Plan } from '../seam/plan.ts';
import type { Instance } from './launch.ts';

/** What all instances of a run recorded. */
export interface Trace {
  /** All calls in the order of sending. */
  readonly samples: readonly Sample[];
  /** The calls by the label of the subject whose script made them. */
  readonly bySubject: ReadonlyMap<string, readonly Sample[]>;
  readonly notes: readonly { readonly subject: string; readonly note: string; readonly value: unknown }[];
  /** The metrics of k6 for each instance: values by metric and statistic. */
  readonly metrics: readonly Readonly<Record<string, Readonly<Record<string, number>>>>[];
  /** Why the trace proves nothing: an exception, a lost sample, an empty metric, a stale file. Empty if it does. */
  readonly defects: readonly string[];
}

/** Merges the lines of traces whose times are by one clock. */
function mergeLines(lines: readonly Line[]): Pick<Trace, 'samples' | 'bySubject' | 'notes'> {
  const byTime = (a: Sample, b: Sample): number => a.sentAt - b.sentAt;
  const groups = Map.groupBy(
    lines.filter((line) => line.t === 'samples'),
    ({ subject }) => subject,
  );
  const bySubject = new Map(
    [...groups].map(([subject, own]) => [subject, own.flatMap(({ rows }) => rows.map(fromRow)).sort(byTime)]),
  );
  return {
    samples: [...bySubject.values()].flat().sort(byTime),
    bySubject,
    notes: lines.filter((line) => line.t === 'note'),
  };
}

interface Summary {
  readonly run: string;
  readonly metrics: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

function summaryOf(instance: Instance): Summary | null {
  try {
    return instance.summary === null ? null : (JSON.parse(instance.summary) as Summary);
  } catch {
    return null;
  }
}

/** The exit statuses of k6 with which a trace can be complete. 99 means that k6's own thresholds were crossed. */
const sound = new Set([0, 99]);

/** The exit statuses of k6 that a user can do something about, in words. */
const exitWords: Readonly<Record<number, string>> = {
  104: 'its configuration is not accepted',
  105: 'a signal stopped it',
  107: 'the script threw before it began',
  108: 'the script aborted the run',
};

function defectsOfInstance(instance: Instance, summary: Summary | null, plan: Plan): string[] {
  const out: string[] = [];
  if (instance.overdue === 'start') {
    out.push('k6 did not begin the script within a minute, and was killed');
  }
  if (instance.overdue === 'end') {
    out.push(`k6 did not end within ${Math.round(plan.boundMs / 1000)} s, and was killed`);
  }
  if (instance.overdue === null && !sound.has(instance.exitCode ?? -1)) {
    const word = exitWords[instance.exitCode ?? -1];
    const last = instance.stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
    out.push(
      `k6 ended with status ${instance.exitCode ?? 'none'}${word === undefined ? '' : ` (${word})`}${last === '' ? '' : `: ${last}`}`,
    );
  }
  if (instance.lines.some((line) => line.t === 'begin' && (line.run !== plan.run || line.script !== plan.script))) {
    out.push('the trace belongs to another run');
  }
  if (instance.strayText !== '') {
    out.push(`the trace holds other text: ${instance.strayText.split('\n')[0]}`);
  }
  if (summary === null) {
    out.push('k6 wrote no summary');
  } else if (summary.run !== plan.run) {
    out.push('the summary belongs to another run');
  }
  return out;
}

/** The defects that the lines of all instances show: the script threw, or a VU did not come to its end. */
export function defectsIn(lines: readonly Line[], plan: Plan): string[] {
  const ends = lines.filter(({ t }) => t === 'end').length;
  return [
    ...lines.flatMap((line) => (line.t === 'error' ? [`the script threw: ${line.message}`] : [])),
    ...(ends === plan.vus ? [] : [`${ends} of ${plan.vus} VUs reached the end of the script`]),
  ];
}

/** The defects over all instances: not every VU ended, or not every request that k6 counted has a sample. */
function defectsOfAll(
  instances: readonly Instance[],
  summaries: readonly Summary[],
  plan: Plan,
  sampled: number,
): string[] {
  const out = defectsIn(
    instances.flatMap(({ lines }) => lines),
    plan,
  );
  const sum = (metric: string, statistic: string): number =>
    summaries.reduce((total, { metrics }) => total + (metrics[metric]?.[statistic] ?? 0), 0);
  const requests = sum('http_reqs', 'count');
  if (sampled === 0) {
    out.push('the trace is empty');
  }
  if (requests !== sampled) {
    out.push(`k6 counted ${requests} requests, and the trace has ${sampled}`);
  }
  if (sum('suite_errors', 'count') > 0) {
    out.push(`k6 counted ${sum('suite_errors', 'count')} errors of the script`);
  }
  if (sum('iterations', 'count') !== plan.vus) {
    out.push(`k6 counted ${sum('iterations', 'count')} iterations, and ${plan.vus} were planned`);
  }
  return out;
}

/** Merges the traces of the instances, and verifies them against the plan and against what k6 counted. */
export function collect(instances: readonly Instance[], plan: Plan): Trace {
  const merged = mergeLines(instances.flatMap((instance) => instance.lines));
  const summaries = instances.map(summaryOf);
  const present = summaries.filter((summary): summary is Summary => summary !== null);
  const defects = [
    ...instances.flatMap((instance, index) => defectsOfInstance(instance, summaries[index] ?? null, plan)),
    ...defectsOfAll(instances, present, plan, merged.samples.length),
  ];
  return { ...merged, metrics: present.map(({ metrics }) => metrics), defects: [...new Set(defects)] };
}

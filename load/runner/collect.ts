import { member } from '../../common/json.ts';
import type { Sample } from '../../limits/judge/trace.ts';
import type { Plan } from '../seam/plan.ts';
import type { Judged, Line } from '../seam/trace.ts';
import type { Ended } from './launch.ts';

/** What a run recorded. */
export interface Trace {
  /** The calls by the label of the key that was tried, in the order of sending. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  /** What the calls show, by the same labels; a key whose script was cut off has nothing. */
  readonly judged: ReadonlyMap<string, Judged>;
  /** Why the trace proves nothing: an exception, a lost sample, an empty metric. Empty if it does. */
  readonly defects: readonly string[];
}

const of = <T extends Line['t']>(lines: readonly Line[], kind: T): Extract<Line, { t: T }>[] =>
  lines.filter((line): line is Extract<Line, { t: T }> => line.t === kind);

/** Takes in what k6 wrote, and verifies it against the plan and against what k6 itself counted. */
export function collect(ended: Ended, plan: Plan): Trace {
  const bySubject = Map.groupBy(of(ended.lines, 'call'), ({ subject }) => subject);
  const samples = new Map(
    [...bySubject].map(([subject, own]) => [
      subject,
      own.map(({ sample }) => sample).sort((a, b) => a.sentAt - b.sentAt),
    ]),
  );
  const judged = new Map(of(ended.lines, 'judged').map((line): [string, Judged] => [line.subject, line]));
  const made = of(ended.lines, 'call').length;
  return { samples, judged, defects: [...endingDefects(ended, judged, plan), ...countingDefects(ended, made)] };
}

/** How k6 ended, and how its VUs did. 99 means that thresholds were crossed, as our own are where a clause fails. */
function endingDefects({ exitCode, log }: Ended, judged: Trace['judged'], { skipped, subjects }: Plan): string[] {
  const verdicts = [...judged.values()].flatMap(({ parts }) => parts.map(({ verdict }) => verdict));
  const isCrossed = verdicts.includes('fails') || verdicts.includes('undecided') || skipped.length > 0;
  const said = log.at(-1)?.slice(0, 300) ?? '';
  const found: readonly (readonly [isFound: boolean, defect: string])[] = [
    [exitCode !== 0 && exitCode !== 99, `k6 ended with status ${exitCode ?? 'none'}: ${said}`],
    [exitCode === 99 && !isCrossed, `k6 ended with status 99, and no clause failed: ${said}`],
    [judged.size !== subjects.length, `${judged.size} of ${subjects.length} keys were judged`],
  ];
  return found.flatMap(([isFound, defect]) => (isFound ? [defect] : []));
}

/** Whether what k6 counted agrees with the trace. */
function countingDefects({ metrics, log }: Ended, made: number): string[] {
  if (metrics === null) {
    return ['k6 wrote no summary'];
  }
  const counted = (metric: string): number => {
    const count = member(member(metrics, metric), 'count');
    return typeof count === 'number' ? count : 0;
  };
  const [requests, errors] = [counted('http_reqs'), counted('script_errors')];
  const thrown = log.find((line) => line.includes('the script threw'))?.slice(0, 300);
  return [
    ...(made === 0 ? ['the trace is empty'] : []),
    ...(requests === made ? [] : [`k6 counted ${requests} requests, and the trace has ${made}`]),
    ...(errors > 0 ? [thrown ?? `k6 counted ${errors} errors of the script`] : []),
  ];
}

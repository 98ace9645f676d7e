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
  /** Why the run proves nothing: an exception, a key that was not judged, an end of k6 that no verdict explains. */
  readonly defects: readonly string[];
}

const of = <T extends Line['t']>(lines: readonly Line[], kind: T): Extract<Line, { t: T }>[] =>
  lines.filter((line): line is Extract<Line, { t: T }> => line.t === kind);

/** Takes in what k6 wrote, and verifies how it ended against the plan and the verdicts. */
export function collect({ lines, log, exitCode }: Ended, { skipped, subjects }: Plan): Trace {
  const bySubject = Map.groupBy(of(lines, 'call'), ({ subject }) => subject);
  const samples = new Map(
    [...bySubject].map(([subject, own]) => [
      subject,
      own.map(({ sample }) => sample).sort((a, b) => a.sentAt - b.sentAt),
    ]),
  );
  const judged = new Map(of(lines, 'judged').map((line): [string, Judged] => [line.subject, line]));
  const verdicts = [...judged.values()].flatMap(({ parts }) => parts.map(({ verdict }) => verdict));
  // 99 means that thresholds were crossed, as our own are where a clause fails.
  const isCrossed = verdicts.includes('fails') || verdicts.includes('undecided') || skipped.length > 0;
  const said = (log.find((line) => line.includes('the script threw')) ?? log.at(-1) ?? '').slice(0, 300);
  const found: readonly (readonly [isFound: boolean, defect: string])[] = [
    [exitCode !== 0 && exitCode !== 99, `k6 ended with status ${exitCode ?? 'none'}: ${said}`],
    [exitCode === 99 && !isCrossed, `k6 ended with status 99, and no clause failed: ${said}`],
    [judged.size !== subjects.length, `${judged.size} of ${subjects.length} keys were judged: ${said}`],
  ];
  return { samples, judged, defects: found.flatMap(([isFound, defect]) => (isFound ? [defect] : [])) };
}

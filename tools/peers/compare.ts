import type { Subject } from './sample.ts';
import type { Outcome } from './tool.ts';

/** One run of a tool against one subject. */
export interface Row extends Outcome, Pick<Subject, 'api' | 'kind' | 'id'> {
  /** Requests that reached the deployment. */
  readonly requests: number;
  /** The machine's load average as the run began. */
  readonly load: number;
}

/**
 * The failures that a tool reports for a plain deployment. It is correct, so all of them are wrong or a matter of
 * taste.
 */
interface Baseline {
  readonly failures: ReadonlySet<string>;
  readonly statuses: ReadonlySet<number | null>;
}

/** The first plain runs make the baseline; later ones show how much a tool varies by itself. */
export const baselineRuns = 5;

const isPlain = ({ kind }: Row): boolean => kind === 'plain';

export function baselineOf(rows: readonly Row[]): Baseline {
  const runs = rows.filter((row) => isPlain(row) && Number(row.id) <= baselineRuns);
  return {
    failures: new Set(runs.flatMap(({ failures }) => failures)),
    statuses: new Set(runs.map(({ status }) => status)),
  };
}

/**
 * The failures, or exit status other than 0, that a run shows and no plain run of the baseline does. A run that was
 * ended for taking too long shows nothing.
 */
export function newsIn(row: Row, { failures, statuses }: Baseline): readonly string[] {
  if (row.status === null) {
    return [];
  }
  const fresh = row.failures.filter((failure) => !failures.has(failure));
  const isNewStatus = row.status !== 0 && !statuses.has(row.status);
  return fresh.length === 0 && isNewStatus ? [`exit status ${row.status}`] : fresh;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The results of a tool for one API. */
export interface Summary {
  readonly runs: number;
  readonly medianMs: number;
  readonly medianRequests: number;
  /** Different failures of plain deployments. */
  readonly onPlain: number;
  /** How many of the plain runs outside the baseline showed anything new. */
  readonly varied: number;
  readonly faults: number;
  readonly caught: readonly Row[];
  readonly choices: number;
  readonly alarms: readonly Row[];
  readonly endedForTime: number;
}

/** Sums up the rows of one API. */
export function summarise(rows: readonly Row[]): Summary {
  const baseline = baselineOf(rows);
  const showing = rows.filter((row) => newsIn(row, baseline).length > 0);
  const ofKind = (kind: Row['kind'], among = rows): Row[] => among.filter((row) => row.kind === kind);
  return {
    runs: rows.length,
    medianMs: median(rows.map(({ durationMs }) => durationMs)),
    medianRequests: median(rows.map(({ requests }) => requests)),
    onPlain: baseline.failures.size,
    varied: ofKind('plain', showing).length,
    faults: ofKind('fault').length,
    caught: ofKind('fault', showing),
    choices: ofKind('choice').length,
    alarms: ofKind('choice', showing),
    endedForTime: rows.filter(({ status }) => status === null).length,
  };
}

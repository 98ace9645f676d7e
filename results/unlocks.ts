import type { ClauseResult, Finding } from './verdict.ts';

/** A setting that would let more clauses be decided. */
export interface Unlock {
  /** `LIVE_API_KEY`, or `WRITES=all` where it takes a certain value. */
  readonly setting: string;
  /** Ids of the clauses that wait for it. */
  readonly clauses: readonly string[];
}

/** Whether a clause that was to be judged has no verdict on the deployment, and does not wait for another clause. */
const isUndecided = ({ verdict, outside, waiver, findings }: ClauseResult): boolean =>
  outside === undefined &&
  waiver === undefined &&
  (verdict === 'skip' || verdict === 'inconclusive') &&
  findings.every(({ blames }) => blames === undefined);

const labelOf = ({ needs }: Finding): string | null => {
  if (needs === undefined) {
    return null;
  }
  return needs.value === undefined ? needs.setting : `${needs.setting}=${needs.value}`;
};

/** The settings that undecided clauses ask for, the one with the most clauses first. A clause may wait for several. */
export function unlocksOf(results: readonly ClauseResult[]): readonly Unlock[] {
  const waiting = new Map<string, string[]>();
  for (const { id, findings } of results.filter(isUndecided)) {
    for (const setting of new Set(findings.map(labelOf))) {
      if (setting !== null) {
        waiting.set(setting, [...(waiting.get(setting) ?? []), id]);
      }
    }
  }
  return [...waiting]
    .map(([setting, clauses]) => ({ setting, clauses }))
    .sort((a, b) => b.clauses.length - a.clauses.length);
}

/** `WRITES=all (12), LIVE_API_KEY (7)`; empty where no setting would help. */
export const unlockText = (unlocks: readonly Unlock[]): string =>
  unlocks.map(({ setting, clauses }) => `${setting} (${clauses.length})`).join(', ');

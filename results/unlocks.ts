import type { ClauseResult, Finding } from './verdict.ts';

/** A setting that would let more clauses be decided. */
type Unlock = ReturnType<typeof unlocksOf>[number];

/** Whether a clause was to be judged and was not decided, for another reason than that some clause failed. */
const isUndecided = ({ verdict, outside, waiver, findings }: ClauseResult): boolean =>
  outside === undefined &&
  waiver === undefined &&
  (verdict === 'skip' || verdict === 'inconclusive') &&
  findings.every(({ blames }) => blames === undefined);

/** `LIVE_API_KEY`, `WRITES=all`, `a higher MAX_REQUESTS`: words that follow "set". */
export const needsText = ({ setting, value }: NonNullable<Finding['needs']>): string =>
  value === 'more' ? `a higher ${setting}` : [setting, ...(value === undefined ? [] : [value])].join('=');

/**
 * The settings that undecided clauses need, as `needsText` gives them, each with the ids of the clauses that wait for it;
 * the one with the most clauses first. A clause may need several.
 */
export function unlocksOf(results: readonly ClauseResult[]) {
  const waiting = results.filter(isUndecided).flatMap(({ id, findings }) => {
    const settings = findings.flatMap(({ needs }) => (needs === undefined ? [] : needsText(needs)));
    return [...new Set(settings)].map((setting) => ({ setting, id: id as string }));
  });
  return [...Map.groupBy(waiting, ({ setting }) => setting)]
    .map(([setting, all]) => ({ setting, clauses: all.map(({ id }) => id) }))
    .sort((a, b) => b.clauses.length - a.clauses.length);
}

/** `WRITES=all (12), LIVE_API_KEY (7)`; empty if no setting would help. */
export const unlockText = (unlocks: readonly Unlock[]): string =>
  unlocks.map(({ setting, clauses }) => `${setting} (${clauses.length})`).join(', ');

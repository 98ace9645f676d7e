// Whether two keys draw on one budget: the script shared.
import { counted, thousands } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import { isAdmitted, refusalStatus, type Sample } from '../../limits/judge/trace.ts';
import type { Subject } from '../seam/plan.ts';
import { type Judged, limitClause, type Part } from '../seam/trace.ts';
import { obstacle } from './limit-parts.ts';

/** The workspace API documents one budget for all keys of a workspace; the developer API leaves it open. */
const clauses: Readonly<Record<ApiName, string>> = { developer: 'key-or-account', workspace: 'per-workspace' };

/** Judges the rounds of calls with a pair of keys: they share a budget if the two together are refused, and each alone is far from the limit. */
export function judgePair({ api, limit }: Subject, rounds: readonly (readonly Sample[])[]): Judged {
  const answer = (verdict: Part['verdict'], says: string, shared: boolean | null): Judged => ({
    parts: [
      {
        clause: limitClause(api, clauses[api]),
        verdict,
        says,
        expected: 'one budget for both keys',
        ...(shared === null ? {} : { observed: { shared, says } }),
      },
    ],
    says: [says],
    detail: { shared, says },
  });
  const samples = rounds.flat();
  const why = obstacle(samples);
  if (why !== null) {
    return answer('undecided', why, null);
  }
  const last = rounds.at(-1) ?? [];
  const admitted = last.filter(isAdmitted).length;
  const refused = last.filter(({ status }) => status === refusalStatus(samples)).length;
  if (refused > 0 && admitted < limit / 2) {
    const says = `Refused after ${admitted} calls of both keys together: the limit is lower than documented, see limits.per-minute.`;
    return answer('undecided', says, null);
  }
  if (refused > 0) {
    const says = `Both keys together were admitted ${admitted} times, and then refused: one budget.`;
    return answer('holds', says, true);
  }
  const says = `Both keys together were admitted ${thousands(admitted)} times in each of ${counted(rounds.length, 'round')}, and never refused: each has a limit of its own.`;
  return answer('fails', says, false);
}

import type { ApiName } from '../../contract/clause.ts';
import { clauses } from '../../contract/clauses.ts';
import { resultOf } from '../../results/clause-result.ts';
import { type Conclusion, conclude } from '../../results/conclude.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { SkippedKey } from '../runner/keys.ts';
import type { Judgement } from './over-limit.ts';

/** Everything besides the judgement that decides the exit status of a load run. */
interface Ending {
  readonly strict: boolean;
  readonly skipped: readonly SkippedKey[];
  /** Why the trace proves nothing. */
  readonly defects: readonly string[];
  /**
   * Why the run was stopped early, so that nothing is decided: by the user, or since the target went away; null if it
   * was not.
   */
  readonly interrupted: string | null;
}

const order = new Map(clauses.map(({ id }, index) => [id as string, index]));

/** The results of a trace that may lack calls, from which nothing can be concluded. */
const breakAll = (results: readonly ClauseResult[], defects: readonly string[]): ClauseResult[] =>
  results.map(({ id }) =>
    resultOf(
      id,
      'broken',
      defects.map((message) => ({ message })),
    ),
  );

const openAll = (results: readonly ClauseResult[], why: string): ClauseResult[] =>
  results.map((result) =>
    result.verdict === 'observed' ? result : resultOf(result.id, 'inconclusive', [{ message: why }], result.observed),
  );

export const notTried = ({ label, why }: SkippedKey): string => `${label} is not tried: ${why}`;

/** The results of an API's clauses if none of its keys was tried. */
function skips(main: Judgement['main'], { skipped }: Ending, judged: ReadonlySet<string>): ClauseResult[] {
  return main
    .filter((id) => !judged.has(id))
    .flatMap((id) => {
      const own = skipped.filter(({ api }) => id.startsWith(`${api}.`));
      return own.length === 0
        ? []
        : [
            resultOf(
              id,
              'skip',
              own.map((key) => ({ message: notTried(key) })),
            ),
          ];
    });
}

function usable(results: readonly ClauseResult[], { interrupted, defects }: Ending): readonly ClauseResult[] {
  if (interrupted !== null) {
    return openAll(results, interrupted);
  }
  return defects.length > 0 ? breakAll(results, defects) : results;
}

/** The final results, and the exit status. If a main clause is undecided, so is the run. */
export function concludeLoad({ results, main }: Judgement, ending: Ending): Conclusion & { clauses: ClauseResult[] } {
  const stated = usable(results, ending);
  const all = [...stated, ...skips(main, ending, new Set(stated.map(({ id }) => id)))].sort(
    (a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0),
  );
  const open = all.find(({ id, verdict }) => main.includes(id) && verdict === 'inconclusive');
  const nothing =
    all.length > 0
      ? null
      : `No key can be tried: ${ending.skipped.map(({ label, why }) => `${label}: ${why}`).join('; ') || 'none is set'}`;
  const trouble =
    ending.interrupted ??
    nothing ??
    (open === undefined ? null : `${open.id} is undecided: ${open.findings[0]?.message ?? ''}`);
  const targeted = [
    ...new Set(all.map(({ id }) => (id.startsWith('developer.') ? 'developer' : 'workspace'))),
  ] as ApiName[];
  return { clauses: all, ...conclude(all, { strict: ending.strict, targeted, trouble }) };
}

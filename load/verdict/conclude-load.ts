import type { Api } from '../../contract/clause.ts';
import { clauses } from '../../contract/clauses.ts';
import { resultOf } from '../../results/clause-result.ts';
import { type Conclusion, conclude } from '../../results/conclude.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { SkippedKey } from '../runner/keys.ts';
import type { Judgement } from './over-limit.ts';

/** What beside the judgement decides how a load run ends. */
interface Ending {
  readonly strict: boolean;
  readonly skipped: readonly SkippedKey[];
  /** What makes the trace worthless as proof. */
  readonly defects: readonly string[];
  /** The user stopped the run, or the target went away: what was seen stands, and decides nothing. */
  readonly interrupted: string | null;
}

const order = new Map(clauses.map(({ id }, index) => [id as string, index]));

/** Of a trace that may lack calls nothing can be concluded, in either direction. */
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

/** Clauses of an API none of whose keys was tried. */
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

/** The results as they are reported, and how the run ends. A main clause left open leaves the run without an answer. */
export function concludeLoad({ results, main }: Judgement, ending: Ending): Conclusion & { clauses: ClauseResult[] } {
  const stated =
    ending.interrupted !== null
      ? openAll(results, ending.interrupted)
      : ending.defects.length > 0
        ? breakAll(results, ending.defects)
        : [...results];
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
  ] as Api[];
  return { clauses: all, ...conclude(all, { strict: ending.strict, targeted, trouble }) };
}

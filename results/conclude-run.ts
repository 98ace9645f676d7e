import type { Api } from '../contract/clause.ts';
import { conclude } from './conclude.ts';
import { driftOf, type Observed } from './drift.ts';
import { numberExchanges } from './number-exchanges.ts';
import type { EarlierRun } from './read-run.ts';
import { simplestFirst } from './root-causes.ts';
import { sinceOf } from './since.ts';
import type { ClauseResult, Run } from './verdict.ts';
import { applyWaivers, type Waiver } from './waivers.ts';

/** What a run consists of before it is concluded. */
interface RunParts
  extends Omit<Run, 'startedAt' | 'durationMs' | 'conformant' | 'exitCode' | 'reason' | 'clauses' | 'drift' | 'since'> {
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** A result for every clause, in the contract's order. */
  readonly results: readonly ClauseResult[];
  readonly waivers: readonly Waiver[];
  /** What an accepted run observed (setting PROFILE). */
  readonly profile: Observed | null;
  /** The run whose report lay in the folder before. */
  readonly before: EarlierRun | null;
  readonly strict: boolean;
  /** What kept the run from its end, and what to do. */
  readonly trouble: string | null;
}

/** The run as every report shows it: exchanges numbered, waivers applied, drift found, and how it ends. Pure. */
export function concludeRun(parts: RunParts): Run {
  const { startedAt, endedAt, results: found, waivers, profile, before, strict, trouble, ...rest } = parts;
  const { targets, embedded, selection } = rest;
  const numbered = numberExchanges(withoutVoidBlames(found).map(inOrder), rest.exchanges);
  const { results, problems, notes } = applyWaivers(numbered.results, waivers, endedAt);
  // Where nothing was tried, the trouble has said why: that nothing was judged goes without saying.
  const tried = trouble === null || results.some(({ verdict, cutShort }) => verdict !== 'skip' && !cutShort);
  const targeted = tried ? (Object.keys(targets) as Api[]) : [];
  return {
    ...rest,
    startedAt: startedAt.toISOString(),
    durationMs: Math.max(0, endedAt.getTime() - startedAt.getTime()),
    ...conclude(results, { strict, targeted, selection, trouble, waiverProblems: problems }),
    clauses: results,
    drift: profile === null ? null : driftOf(profile, results),
    since: sinceOf(before, { targets, embedded, clauses: results }),
    notes: [...rest.notes, ...problems, ...notes],
    exchanges: numbered.exchanges,
  };
}

/** A clause that holds is to blame for nothing: that a call of its kind went wrong once was an accident. */
function withoutVoidBlames(results: readonly ClauseResult[]): readonly ClauseResult[] {
  const holding = new Set<string>(results.flatMap(({ id, verdict }) => (verdict === 'pass' ? [id] : [])));
  return results.map((result) => ({
    ...result,
    findings: result.findings.map(({ blames, ...finding }) =>
      blames === undefined || holding.has(blames) ? finding : { ...finding, blames },
    ),
  }));
}

/** A failure begins with what is easiest to see again, whichever call came to its end first. */
const inOrder = (result: ClauseResult): ClauseResult =>
  result.verdict === 'fail' || result.verdict === 'warn'
    ? { ...result, findings: simplestFirst(result.findings) }
    : result;

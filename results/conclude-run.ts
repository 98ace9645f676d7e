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
  extends Pick<
    Run,
    | 'suite'
    | 'seed'
    | 'targets'
    | 'embedded'
    | 'selection'
    | 'requests'
    | 'timing'
    | 'notes'
    | 'settings'
    | 'exchanges'
    | 'deliveries'
  > {
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
  const { suite, seed, targets, embedded, selection, requests, timing } = parts;
  const { settings, deliveries, strict, trouble } = parts;
  const numbered = numberExchanges(withoutVoidBlames(parts.results).map(inOrder), parts.exchanges);
  const { results, problems, notes } = applyWaivers(numbered.results, parts.waivers, parts.endedAt);
  // Where nothing was tried, the trouble has said why: that nothing was judged goes without saying.
  const tried = trouble === null || results.some(({ verdict, cutShort }) => verdict !== 'skip' && !cutShort);
  const targeted = tried ? (Object.keys(targets) as Api[]) : [];
  return {
    suite,
    startedAt: parts.startedAt.toISOString(),
    durationMs: Math.max(0, parts.endedAt.getTime() - parts.startedAt.getTime()),
    seed,
    targets,
    embedded,
    selection,
    ...conclude(results, { strict, targeted, selection, trouble, waiverProblems: problems }),
    requests,
    timing,
    clauses: results,
    drift: parts.profile === null ? null : driftOf(parts.profile, results),
    since: sinceOf(parts.before, { targets, embedded, clauses: results }),
    notes: [...parts.notes, ...problems, ...notes],
    settings,
    exchanges: numbered.exchanges,
    deliveries,
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

import type { ApiName } from '../contract/clause.ts';
import { apiOf } from '../contract/clauses.ts';
import { boundResult, cut } from './bound.ts';
import { conclude } from './conclude.ts';
import { driftOf, type Observed } from './drift.ts';
import type { Exchange } from './exchange.ts';
import { simplestFirst } from './root-causes.ts';
import type { ClauseResult, Run } from './verdict.ts';
import { applyWaivers, type Waiver } from './waivers.ts';

/** What a run is without, unless its parts say otherwise. */
const usual = {
  seed: 0,
  embedded: false,
  selection: null,
  timing: null,
  waivers: [],
  profile: null,
  trouble: null,
  notes: [],
  exchanges: [],
  deliveries: [],
} as const;

/** The parts of a run before it is concluded. */
interface RunParts
  extends Omit<Run, 'startedAt' | 'durationMs' | 'conformant' | 'exitCode' | 'reason' | 'clauses' | 'drift'> {
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** A result for every clause, in the contract's order. */
  readonly results: readonly ClauseResult[];
  readonly waivers: readonly Waiver[];
  /** What an accepted run observed (setting PROFILE); null if none is given. */
  readonly profile: Observed | null;
  readonly strict: boolean;
  /** Why the run could not be finished, and what to do about it; null if it was finished. */
  readonly trouble: string | null;
}

/** How many changes and notes a run has. */
const most = { drift: 500, notes: 500 } as const;

/**
 * The run as every report shows it: all that a target or a file may say cut to its bounds, exchanges numbered, waivers
 * applied, drift found, exit status decided. Pure.
 */
export function concludeRun(parts: Omit<RunParts, keyof typeof usual> & Partial<RunParts>): Run {
  const {
    startedAt,
    endedAt,
    results: given,
    waivers,
    profile,
    strict,
    trouble,
    ...rest
  }: RunParts = { ...usual, ...parts };
  const { targets, selection } = rest;
  const exchanges = [...rest.exchanges].sort((a, b) => a.sentAt - b.sentAt || a.number - b.number);
  const { results, problems } = applyWaivers(tidied(given.map(boundResult), exchanges), waivers, endedAt);
  // If nothing was tried, the trouble already says why; "nothing was judged" would only repeat it.
  const anyTried = trouble === null || results.some(({ verdict, cutShort }) => verdict !== 'skip' && !cutShort);
  const targeted = anyTried ? (Object.keys(targets) as ApiName[]) : [];
  const { reason, ...verdict } = conclude(results, { strict, targeted, selection, trouble, waiverProblems: problems });
  const drift = profile === null ? null : driftOf(profile, results);
  return {
    ...rest,
    startedAt: startedAt.toISOString(),
    durationMs: Math.max(0, endedAt.getTime() - startedAt.getTime()),
    ...verdict,
    reason: cut(reason),
    clauses: results,
    drift: drift?.slice(0, most.drift) ?? null,
    notes: [...rest.notes, ...problems].slice(0, most.notes).map((note) => cut(note)),
    settings: Object.fromEntries(Object.entries(rest.settings).map(([name, value]) => [name, cut(value)])),
    exchanges: exchanges.map((exchange, index) => ({ ...exchange, number: index + 1 })),
  };
}

/**
 * The results with findings as reports show them. Those of a failure begin with the one that is easiest to reproduce:
 * they come in the order in which calls ended. Exchanges of both APIs are numbered together, in the order of sending, so
 * that a number is the entry's place in exchanges.har. Clauses that passed are not blamed: if a call of theirs failed
 * once, that was an accident.
 */
function tidied(results: readonly ClauseResult[], exchanges: readonly Exchange[]): readonly ClauseResult[] {
  const places = new Map(exchanges.map(({ api, number }, index) => [`${api} ${number}`, index + 1]));
  const holding = new Set<string>(results.flatMap(({ id, verdict }) => (verdict === 'pass' ? [id] : [])));
  return results.map((result) => {
    const hasFailed = result.verdict === 'fail' || result.verdict === 'warn';
    const findings = hasFailed ? simplestFirst(result.findings) : result.findings;
    return {
      ...result,
      findings: findings.map(({ blames, exchange, ...finding }) => ({
        ...finding,
        ...(exchange && { exchange: places.get(`${apiOf(result.id)} ${exchange}`) ?? exchange }),
        ...(blames === undefined || holding.has(blames) ? {} : { blames }),
      })),
    };
  });
}

import type { Api, Clause } from '../contract/clause.ts';

/** What became of a clause. The words are the interface's. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'skip' | 'observed' | 'broken';

export const verdicts: readonly Verdict[] = ['pass', 'fail', 'warn', 'inconclusive', 'skip', 'observed', 'broken'];

/** One thing that was found, in the order a reader wants it: what, expected, actual, where, how to see it again. */
export interface Finding {
  /** Action, colon, state: `Created key is refused: 401 UNAUTHORIZED on GET /api/v1/ads/campaigns`. */
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  /** JSON pointer into the body, or `header X-RateLimit-Limit`. */
  readonly place?: string;
  readonly request?: { readonly method: string; readonly url: string };
  readonly response?: { readonly status: number; readonly traceId: string | null };
  readonly curl?: string;
  /** What most likely causes it, where that can be told. */
  readonly cause?: string;
  /** The clause whose failure keeps this one from being decided. */
  readonly blames?: string;
  /** The setting that keeps this from being tried and, where one value alone would allow it, that value. */
  readonly needs?: { readonly setting: string; readonly value?: string };
  /** Number of the exchange in the evidence (and in the HAR's comments). */
  readonly exchange?: number;
}

/** One clause with its verdict: a row of conformance.json. */
export interface ClauseResult extends Pick<Clause, 'id' | 'level' | 'title' | 'source'> {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** What was seen where the documents are silent; null where nothing was. */
  readonly observed: unknown;
  /** The waiver that excuses a failure, where WAIVERS names one. */
  readonly waiver?: { readonly reason: string; readonly expires: string };
  /** Why the run was not to judge the clause at all: its API is no target, or the command line chose others. */
  readonly outside?: 'target' | 'selection';
}

/** A change against the profile of an accepted run (setting PROFILE). */
export interface Drift {
  readonly clause: string;
  /** JSON pointer into what was observed. */
  readonly place: string;
  readonly before: unknown;
  readonly now: unknown;
}

/** Everything that a run leaves behind: what every writer in reports/ works from. Holds no secret. */
export interface Run {
  readonly suite: { readonly name: string; readonly version: string };
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  readonly targets: Readonly<Partial<Record<Api, { readonly url: string }>>>;
  /** null: it cannot be told. */
  readonly conformant: boolean | null;
  readonly exitCode: 0 | 1 | 2;
  /** Why the exit status is what it is, and what to do: one line. */
  readonly reason: string;
  readonly requests: Readonly<Record<Api, number>>;
  /** All 150, in the contract's order. */
  readonly clauses: readonly ClauseResult[];
  readonly drift: readonly Drift[];
  /** Lines on what the run could not put back: things left behind, waivers that no longer hold. */
  readonly notes: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
}

/** How many clauses have each verdict. */
export function totalsOf(results: readonly ClauseResult[]): Record<Verdict, number> {
  const totals = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of results) {
    totals[verdict] += 1;
  }
  return totals;
}

import type { Api, Clause } from '../contract/clause.ts';
import type { Exchange, HeaderLines } from './exchange.ts';
import type { Timing } from './timing.ts';

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
  /** The exchange's place in exchanges.har, from 1, counted over both APIs. */
  readonly exchange?: number;
  /** The clause whose failure keeps this one from being decided. */
  readonly blames?: string;
  /** The setting that would let the clause be decided, and the value where it takes a certain one. */
  readonly needs?: { readonly setting: string; readonly value?: string };
}

/** One clause with its verdict: a row of conformance.json. */
export interface ClauseResult extends Pick<Clause, 'id' | 'level' | 'title' | 'source'> {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** What was seen where the documents are silent; null where nothing was. */
  readonly observed: unknown;
  /** The waiver that excuses a failure, where WAIVERS names one. */
  readonly waiver?: { readonly reason: string; readonly expires: string };
  /** How long the check took, waits and steps that it shares with others included. */
  readonly durationMs?: number;
  /** Why the run was not to judge the clause at all: its API is no target, or the command line chose others. */
  readonly outside?: 'target' | 'selection';
  /** Something ended the run before the clause was decided. */
  readonly cutShort?: true;
}

/** A change against the profile of an accepted run (setting PROFILE). */
export interface Drift {
  readonly clause: string;
  /** JSON pointer into what was observed. */
  readonly place: string;
  readonly before: unknown;
  readonly now: unknown;
}

/** A clause whose verdict is another than in the run before. */
export interface VerdictChange {
  readonly id: string;
  readonly before: Word;
  readonly now: Word;
  /** What is found now. */
  readonly finding: string | null;
}

/** An earlier run, as a line of the history. */
export interface PastRun {
  readonly startedAt: string;
  readonly conformant: boolean | null;
  readonly totals: Readonly<Partial<Record<Word, number>>>;
}

/** What changed since the run whose report lay in the folder before. */
export interface Since {
  readonly startedAt: string;
  readonly changes: readonly VerdictChange[];
  /** What the last run that came to it said, of the clauses that this run did not come to. */
  readonly last: Readonly<Record<string, Word>>;
  /** The earlier runs, the latest last. */
  readonly runs: readonly PastRun[];
}

/** A webhook delivery that the run received. Redacted like an exchange. */
export interface ReceivedDelivery {
  readonly method: string;
  /** The URL that the webhook was registered with. */
  readonly url: string;
  readonly headers: HeaderLines;
  /** Its text, or its bytes in base64 where they are no text. */
  readonly body: string;
  readonly encoding: 'utf8' | 'base64';
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** Everything that a run leaves behind, and all that a writer in reports/ works from. Holds no secret. */
export interface Run {
  readonly suite: { readonly name: string; readonly version: string };
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  readonly targets: Readonly<Partial<Record<Api, { readonly url: string }>>>;
  /** The reference deployment was judged, since no target was set: nothing is said about a deployment of the user's. */
  readonly embedded: boolean;
  /** What chose a part of the clauses (`-t developer.auth`); null: all were to be judged. */
  readonly selection: string | null;
  /** null: unknown. */
  readonly conformant: boolean | null;
  readonly exitCode: 0 | 1 | 2;
  /** Why the exit status is what it is, and what to do: one line. */
  readonly reason: string;
  readonly requests: Readonly<Record<Api, number>>;
  /** null: nothing was sent. */
  readonly timing: Timing | null;
  /** Every clause once, in the contract's order. */
  readonly clauses: readonly ClauseResult[];
  /** What changed against PROFILE; null: there is none to compare with. */
  readonly drift: readonly Drift[] | null;
  /** null: no earlier run of the same deployment is known. */
  readonly since: Since | null;
  /** Lines on what the run could not put back: things left behind, waivers that no longer hold. */
  readonly notes: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  /** Over both APIs, in the order of sending; number 0: left out of exchanges.har. */
  readonly exchanges: readonly Exchange[];
  readonly deliveries: readonly ReceivedDelivery[];
}

/** How many clauses have each verdict. A waived failure counts as inconclusive, as its verdict is. */
export function totalsOf(results: readonly ClauseResult[]): Record<Verdict, number> {
  const totals = { pass: 0, fail: 0, warn: 0, inconclusive: 0, skip: 0, observed: 0, broken: 0 };
  for (const { verdict } of results) {
    totals[verdict] += 1;
  }
  return totals;
}

/** What a reader is told became of a clause: a waived failure is neither a failure nor inconclusive. */
export type Word = Verdict | 'waived';

export const wordOf = ({ verdict, waiver }: ClauseResult): Word => (waiver === undefined ? verdict : 'waived');

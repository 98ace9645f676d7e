import type { ApiName, Clause } from '../contract/clause.ts';
import { clauseOf } from '../contract/clauses.ts';
import type { Exchange, HeaderLines } from './exchange.ts';
import type { Timing } from './timing.ts';

/** What became of a clause, in the words of conformance.json. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'skip' | 'observed' | 'broken';

/** One thing that a check found, in the order in which readers want to know it. */
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
  /** The most likely cause, if something points to one. */
  readonly cause?: string;
  /** What to do so that it can be decided: an imperative. */
  readonly advice?: string;
  /** The exchange's place in exchanges.har, from 1, counted over both APIs. */
  readonly exchange?: number;
  /** The clause whose failure keeps this one from being decided. */
  readonly blames?: string;
  /** The setting that would let the clause be decided, and the value if it must have a certain one, or `more`. */
  readonly needs?: { readonly setting: string; readonly value?: string };
  /** All calls that it was found on, if there are several: `GET /v1/agents`. */
  readonly calls?: readonly string[];
  /** The wrong answer without its call, and the call. The engine joins findings with the same answer, and then it is gone. */
  readonly alike?: { readonly what: string; readonly call: string };
}

/** What every report shows of a finding below its message, each with its label. */
export const findingFacts = ({ expected, actual, calls, place, cause, advice, exchange, response, curl }: Finding) =>
  Object.entries({
    expected,
    got: actual,
    calls: calls?.join(', '),
    place,
    likely: cause,
    'to decide': advice,
    exchange: exchange && `${exchange} in exchanges.har${response?.traceId ? `, trace id ${response.traceId}` : ''}`,
    repeat: curl,
  }).filter((fact): fact is [label: string, text: string] => typeof fact[1] === 'string');

/** One clause with its verdict: a row of conformance.json. */
export interface ClauseResult extends Pick<Clause, 'id' | 'level' | 'title' | 'source'> {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** What a gap clause saw; null if it saw nothing, and for other clauses. */
  readonly observed: unknown;
  /** The waiver that excuses the failure. */
  readonly waiver?: { readonly reason: string; readonly expires: string };
  /** How long the check took, including waits and the steps that it shares with other checks. */
  readonly durationMs?: number;
  /** Why the clause was not to be judged: its API is no target, or the command line did not choose it. */
  readonly outside?: 'target' | 'selection';
  /** Set if the run ended before the clause was decided. */
  readonly cutShort?: true;
}

/** The result of a clause, with its level, title and source from the contract. */
export function resultOf(
  clause: string,
  verdict: Verdict,
  findings: readonly Finding[],
  observed: unknown = null,
): ClauseResult {
  const { id, level, title, source } = clauseOf(clause);
  return { id, level, title, source, verdict, findings, observed: observed ?? null };
}

/** A change against the profile of an accepted run (setting PROFILE). */
export interface Drift {
  readonly clause: string;
  /** JSON pointer into what was observed. */
  readonly place: string;
  readonly before: unknown;
  readonly now: unknown;
}

/** A webhook delivery that the run received, redacted like an exchange. */
export interface ReceivedDelivery {
  readonly method: string;
  /** The URL that the webhook was registered with. */
  readonly url: string;
  readonly headers: HeaderLines;
  /** The text; base64 if the bytes are not UTF-8 (`encoding`). */
  readonly body: string;
  readonly encoding: 'utf8' | 'base64';
  /** The status that the receiver answered with. */
  readonly answered: number;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** The outcome of a run, and all that the writers in reports/ work from. Holds no secret. */
export interface Run {
  readonly suite: { readonly name: string; readonly version: string };
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  readonly targets: Readonly<Partial<Record<ApiName, { readonly url: string }>>>;
  /** Whether the embedded reference deployment was judged, since no target was set: no deployment of the user's was. */
  readonly embedded: boolean;
  /** The option that chose some of the clauses (`-t developer.auth`); null if all were to be judged. */
  readonly selection: string | null;
  /** null if it cannot be told. */
  readonly conformant: boolean | null;
  readonly exitCode: 0 | 1 | 2;
  /** Why the exit status is what it is, and what to do: one line. */
  readonly reason: string;
  readonly requests: Readonly<Record<ApiName, number>>;
  /** null if nothing was sent. */
  readonly timing: Timing | null;
  /** Every clause once, in the contract's order. */
  readonly clauses: readonly ClauseResult[];
  /** What changed against PROFILE; null if none is given. */
  readonly drift: readonly Drift[] | null;
  /** Lines about things that the run could not delete, and about waivers that no longer hold. */
  readonly notes: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  /** The exchanges with both APIs in the order of sending. */
  readonly exchanges: readonly Exchange[];
  readonly deliveries: readonly ReceivedDelivery[];
}

/** How many clauses have each verdict. A waived failure counts as inconclusive, which is its verdict. */
export function totalsOf(results: readonly ClauseResult[]): Record<Verdict, number> {
  const totals = { pass: 0, fail: 0, warn: 0, inconclusive: 0, skip: 0, observed: 0, broken: 0 };
  for (const { verdict } of results) {
    totals[verdict] += 1;
  }
  return totals;
}

/** What readers are told became of a clause: its verdict, or that its failure is waived. */
export type Word = Verdict | 'waived';

export const wordOf = ({ verdict, waiver }: ClauseResult): Word => (waiver === undefined ? verdict : 'waived');

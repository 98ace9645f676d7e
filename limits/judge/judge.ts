// The judge: a trace of calls in, a verdict on the minute's limit out. Pure; runs in k6 and in Node.
//
//   import { judge, type Verdict, type Terms } from '../load/judge/judge.ts';
//   import type { Sample } from '../load/judge/trace.ts';
//   const verdict = judge(samples, { limit: 60, windowMs: 60_000 / CLOCK_SPEED });
//   verdict.perMinute.verdict   'holds' | 'fewer' | 'more' | 'undecided', with .enforced and .says
//   verdict.exceeded, .recovery, .remaining    'holds' | 'fails' | 'undecided' (remaining also 'not judged'), with .says
//   verdict.window.algorithm, .says; verdict.headers.{limit, remaining, reset, retryAfter, says}; verdict.foreign
//
// The samples come from load/procedure/minute.ts, which sends what this judge needs; any other complete trace of an
// idle key does as well. Every inequality allows for each decision lying anywhere between sentAt and receivedAt.
import { nameAlgorithm, type WindowVerdict } from './algorithm.ts';
import { describeHeaders, type HeadersVerdict } from './describe.ts';
import { type ExceededVerdict, judgeExceeded } from './exceeded.ts';
import { showsMinute } from './headers.ts';
import { clockSlack, coincidental, type Explanation, explain, likely, type Outcome, outcomes } from './hypotheses.ts';
import { judgeRecovery, type RecoveryVerdict } from './recovery.ts';
import { firstBurst, judgeRemaining, type RemainingVerdict, toldExactly } from './remaining.ts';
import { fewestAtRefusal, mostAdmitted } from './sliding.ts';
import { type Call, callsOf, type Sample } from './trace.ts';

/** What the documents promise the key that is judged. `key` is its label; the first sample's by default. */
export type Terms = { limit: number; windowMs: number; key?: string };

export type PerMinuteVerdict = {
  verdict: 'holds' | 'fewer' | 'more' | 'undecided';
  /** The limit that the deployment enforces, where the trace tells it to the call. */
  enforced: number | null;
  says: string;
};

export type Evidence = {
  admitted: number;
  refused: number;
  unanswered: number;
  /** Most calls certainly admitted within one window's length. */
  worstWindow: number;
  /** Fewest calls that can have been admitted in the window's length before a refusal; null where none was refused. */
  fewestAtRefusal: number | null;
  /** Calls sent without the judged key that were told a Remaining of the same limit all the same. */
  intruders: number;
  /** What the limiters that explain the trace say of the limit, rare coincidences included: one word is a settled case. */
  outcomes: Outcome[];
};

export type Verdict = {
  perMinute: PerMinuteVerdict;
  window: WindowVerdict;
  remaining: RemainingVerdict;
  headers: HeadersVerdict;
  recovery: RecoveryVerdict;
  exceeded: ExceededVerdict;
  /** Somebody else used the key while it was judged: the counts prove nothing. */
  foreign: boolean;
  evidence: Evidence;
};

export const slackOf = clockSlack;

type Case = { calls: Call[]; terms: Terms; slack: number; explanations: Explanation[]; evidence: Evidence };

function weigh(samples: readonly Sample[], terms: Terms): Case {
  const key = terms.key ?? samples[0]?.key ?? '';
  const calls = callsOf(samples, key);
  const slack = slackOf(terms.windowMs);
  const count = (fate: string): number => calls.filter((call) => call.fate === fate).length;
  const fewest = fewestAtRefusal(calls, terms.windowMs, slack);
  const all = explain(calls, terms.limit, terms.windowMs, slack);
  return {
    calls,
    terms,
    slack,
    explanations: likely(all, calls, terms.limit, terms.windowMs, slack),
    evidence: {
      admitted: count('admitted'),
      refused: count('refused'),
      unanswered: count('unknown'),
      worstWindow: mostAdmitted(calls, terms.windowMs, slack),
      fewestAtRefusal: fewest === Infinity ? null : fewest,
      intruders: samples.filter((sample) => sample.key !== key && showsMinute(sample, terms.limit)).length,
      outcomes: [...new Set(all.flatMap((one) => outcomes(one, terms.limit)))],
    },
  };
}

/** The limit all explanations agree on, or null. */
function agreed(explanations: readonly Explanation[]): number | null {
  const first = explanations[0];
  if (first === undefined || first.low !== first.high) {
    return null;
  }
  return explanations.every((one) => one.low === first.low && one.high === first.low) ? first.low : null;
}

function judgeMinute(one: Case): PerMinuteVerdict {
  const {
    terms: { limit },
    explanations,
    evidence: { fewestAtRefusal: fewest, worstWindow, refused },
  } = one;
  // A sliding counter of the right size may refuse early after a busy window: that is its design, and no failure.
  const excused = explanations.some((e) => e.family === 'counter' && e.low <= limit && limit <= e.high);
  const enforced = agreed(explanations);
  if (fewest !== null && fewest < limit && !excused) {
    return {
      verdict: 'fewer',
      enforced,
      says: `A call was refused with no more than ${fewest} admitted in the minute before it; the documents give ${limit}.`,
    };
  }
  const found = new Set<Outcome>(explanations.flatMap((e) => outcomes(e, limit)));
  if (found.size === 0 && worstWindow > limit) {
    return {
      verdict: 'more',
      enforced,
      says: `${worstWindow} calls were admitted within one minute, in no way that one window of ${limit} explains.`,
    };
  }
  const onlyEdges = explanations.every(
    (e) => e.family === 'grid' || e.family === 'anchored' || outcomes(e, limit).join() === 'holds',
  );
  if (found.has('holds') && found.size > 1 && onlyEdges && toldExactly(one.calls, limit, one.terms.windowMs / 20)) {
    return {
      verdict: 'holds',
      enforced: limit,
      says: `${limit} calls were admitted, told Remaining ${limit - 1} to 0 one by one, and the next was refused.`,
    };
  }
  const only = found.size === 1 ? [...found][0] : undefined;
  if (only === 'holds' && refused > 0) {
    return {
      verdict: 'holds',
      enforced: limit,
      says: `${limit} calls were admitted from an idle key, and the next was refused until the window gave way.`,
    };
  }
  if (only === 'fewer') {
    return {
      verdict: 'fewer',
      enforced,
      says: `${enforced ?? 'Fewer'} calls were admitted in a window; the documents give ${limit}.`,
    };
  }
  if (only === 'more') {
    const bucket = explanations.every((e) => e.family === 'token bucket');
    const how = bucket ? ', refilled one by one within the minute' : refused === 0 ? ', and none was refused' : '';
    return {
      verdict: 'more',
      enforced,
      says: `${worstWindow} calls were admitted within one minute${how}; the documents give ${limit}.`,
    };
  }
  const why = found.size === 0 ? 'fits no limiter that is known' : `fits ${[...found].join(' and ')} alike`;
  return {
    verdict: 'undecided',
    enforced: null,
    says: `What was admitted and refused ${why}: the answers came too slowly or too few for the window.`,
  };
}

/** Where more than the limit was certainly admitted, no refusal at all decides that too: the limit was exceeded without a 429. */
function neverRefused(minute: PerMinuteVerdict, { refused, worstWindow }: Evidence): ExceededVerdict | null {
  if (refused > 0 || minute.verdict !== 'more') {
    return null;
  }
  return {
    verdict: 'fails',
    says: `${worstWindow} calls were admitted within one minute, and none was refused.`,
    firstRefused: null,
  };
}

/** Judges one key's trace. Throws nothing; an empty trace is undecided throughout. */
export function judge(samples: readonly Sample[], terms: Terms): Verdict {
  const one = weigh(samples, terms);
  const { calls, explanations, evidence, slack } = one;
  const { limit, windowMs } = terms;
  const window = nameAlgorithm(calls, explanations, windowMs);
  const gapMs = windowMs / 20;
  const { burst } = firstBurst(calls, gapMs);
  const from = burst[0]?.s ?? 0;
  const lasted = burst.length === 0 ? 0 : Math.max(...burst.map((call) => call.r)) - from;
  // A log gives a call back as it leaves the trailing minute, so a burst as long as the window is told values again.
  const left = calls.filter(
    ({ fate, s, r }) => fate === 'admitted' && r + windowMs + slack >= from && s + windowMs - slack <= from + lasted,
  ).length;
  const refills =
    window.algorithm === 'token bucket' ||
    window.algorithm === 'spacing or small bucket' ||
    window.algorithm === 'sliding counter';
  const remaining = judgeRemaining(calls, {
    limit,
    gapMs,
    refill: refills ? Math.ceil((lasted * limit) / windowMs) + 1 : left,
    split: explanations.some((e) => coincidental(e, [{ from, to: from + lasted }], windowMs)),
  });
  const minute = judgeMinute(one);
  const strangers = remaining.foreignCalls > evidence.intruders;
  const foreign = strangers && (minute.verdict === 'fewer' || minute.verdict === 'undecided');
  return {
    perMinute: foreign
      ? {
          verdict: 'undecided',
          enforced: null,
          says: `Remaining fell by ${remaining.foreignCalls} more than this run called: somebody else uses the key.`,
        }
      : minute,
    window,
    remaining,
    headers: describeHeaders(calls, windowMs),
    recovery: judgeRecovery(calls, windowMs, slack),
    exceeded: neverRefused(minute, evidence) ?? judgeExceeded(calls),
    foreign,
    evidence,
  };
}

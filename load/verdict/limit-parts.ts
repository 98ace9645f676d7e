import { isObject, walk } from '../../common/json.ts';
import { developerErrorCodes } from '../../contract/errors.ts';
import { limitHeaders } from '../../contract/limits.ts';
import { headerTroubles, judgeLimitValue } from '../../limits/judge/header-values.ts';
import type { Verdict as Judged } from '../../limits/judge/judge.ts';
import type { Sample } from '../../limits/judge/trace.ts';
import { parseJson } from '../seam/envelope.ts';
import type { Subject } from '../seam/plan.ts';
import type { Part } from './results.ts';

type Judgement = Pick<Part, 'says'> & { readonly verdict: 'holds' | 'fails' | 'undecided' };

/**
 * Judges the body of a refusal: it must have the documented code in its error (developer), or an error object
 * (workspace).
 */
function judgeBody(subject: Subject, sample: Sample): Judgement {
  const body = parseJson(sample.body ?? '');
  const error = isObject(body) ? body.error : undefined;
  if (!isObject(error)) {
    return {
      verdict: 'fails',
      says: `The 429 has no object in error: ${(sample.body ?? '').slice(0, 200) || '(empty body)'}.`,
    };
  }
  if (subject.api === 'workspace') {
    return { verdict: 'holds', says: 'Calls over the limit got 429 with the error body.' };
  }
  const code = developerErrorCodes[429] ?? '';
  return walk(error).every(({ value }) => value !== code)
    ? {
        verdict: 'fails',
        says: `The 429's error does not carry the code ${code}: ${JSON.stringify(error).slice(0, 200)}.`,
      }
    : { verdict: 'holds', says: `Calls over the limit got 429 ${code}.` };
}

/** limits.exceeded: 429, with the documented body. */
function exceededPart(subject: Subject, judged: Judged): Part {
  const { verdict, says, firstRefused } = judged.exceeded;
  const judgement = verdict === 'holds' && firstRefused !== null ? judgeBody(subject, firstRefused) : { verdict, says };
  return {
    subject,
    ...judgement,
    finding: { expected: subject.api === 'developer' ? '429 RATE_LIMITED in the envelope' : '429 with the error body' },
  };
}

/**
 * limits.headers: every response of the trace has the three headers, including refusals and calls without a valid key.
 * With a valid key their values must make sense, too.
 */
export function headersPart(subject: Subject, samples: readonly Sample[]): Part {
  const answered = samples.filter(({ status }) => status !== 0);
  if (answered.length === 0) {
    return { subject, verdict: 'undecided', says: 'No call was answered.' };
  }
  const troublesOf = (sample: Sample): string[] =>
    headerTroubles(sample).filter((trouble) => sample.key === subject.label || trouble.endsWith(' absent'));
  const bare = answered.find((sample) => troublesOf(sample).length > 0);
  if (bare === undefined) {
    return { subject, verdict: 'holds', says: '' };
  }
  const troubles = troublesOf(bare).join(', ');
  return {
    subject,
    verdict: 'fails',
    says: `A response with status ${bare.status} has ${troubles}.`,
    finding: { expected: limitHeaders.join(', '), actual: troubles },
  };
}

/** The judge's verdicts on a limit as those on its clause. */
export const verdictOf = { holds: 'holds', fewer: 'fails', more: 'fails', undecided: 'undecided' } as const;

/** limits.per-minute. */
function minutePart(subject: Subject, judged: Judged): Part {
  const { verdict, enforced, closer } = judged.perMinute;
  const actual = enforced === null ? verdict : `${enforced} a minute`;
  const says =
    closer === 'burst' ? `${judged.perMinute.says} npm run load -- burst can find out more.` : judged.perMinute.says;
  return {
    subject,
    says,
    verdict: verdictOf[verdict],
    finding: { expected: `${subject.limit} requests a minute`, actual },
    observed: { documented: subject.limit, enforced, verdict, says },
  };
}

/** limits.remaining: judged only if Limit shows the minute's number. */
function remainingPart(subject: Subject, judged: Judged): Part[] {
  const { verdict, says } = judged.remaining;
  return verdict === 'not judged' ? [] : [{ subject, verdict, says }];
}

/** limits.limit-value: Limit shows a documented number of the key's type. */
function limitValuePart(subject: Subject, samples: readonly Sample[]): Part {
  const { label, limit, perDay } = subject;
  const known = samples.filter(({ key, status }) => key === label && status !== 0 && (status < 400 || status === 429));
  const { verdict, says } = judgeLimitValue(known, perDay === null ? null : { perMinute: limit, perDay });
  return { subject, verdict, says };
}

/** What one key's trace over the limit shows, by the last part of the clauses' ids. */
export function limitParts(
  subject: Subject,
  samples: readonly Sample[],
  judged: Judged,
): Readonly<Record<string, readonly Part[]>> {
  const { window, headers, recovery } = judged;
  return {
    headers: [headersPart(subject, samples)],
    exceeded: [exceededPart(subject, judged)],
    'per-minute': [minutePart(subject, judged)],
    recovery: [{ subject, verdict: recovery.verdict, says: recovery.says }],
    remaining: remainingPart(subject, judged),
    'limit-value': [limitValuePart(subject, samples)],
    'header-format': [{ subject, verdict: 'observed', says: '', observed: headers }],
    window: [{ subject, verdict: 'observed', says: '', observed: window }],
  };
}

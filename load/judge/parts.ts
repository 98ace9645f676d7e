// What one key's calls show of the limit clauses that several scripts judge.
import { at, isObject, parseJson } from '../../common/json.ts';
import { counted } from '../../common/words.ts';
import { developerErrorCodes } from '../../contract/errors.ts';
import { limitHeaders } from '../../contract/limits.ts';
import { headerTroubles, judgeLimitValue } from '../../limits/judge/headers.ts';
import type { Verdict } from '../../limits/judge/judge.ts';
import type { Sample } from '../../limits/judge/trace.ts';
import { isOwnError } from '../../results/likely-cause.ts';
import type { Subject } from '../seam/make-plan.ts';
import { limitClause, type Part, Undecided } from '../seam/trace.ts';

/** Whether the target went away during the run: the last calls got no response. */
export const stoppedAnswering = (samples: readonly Sample[]): boolean =>
  samples.length > 0 && samples.slice(-3).every((sample) => sample.status === 0);

/** Throws Undecided where calls cannot be judged at all. */
export function assertJudgeable(samples: readonly Sample[]): void {
  const [first, ...others] = samples.filter(({ status }) => status !== 0);
  if (first === undefined) {
    throw new Undecided(samples.length === 0 ? 'No call was made.' : 'No call was answered.');
  }
  if (stoppedAnswering(samples)) {
    throw new Undecided('The target stopped answering while the run was under way.');
  }
  if ([first, ...others].every(({ status }) => status === 429)) {
    throw new Undecided('Every call was refused with 429: the key has used up its day, or a block has not ended.');
  }
  if ([first, ...others].every(({ status }) => status >= 400)) {
    throw new Undecided(`The first call got ${first.status}: the key may not make the read that the script calls.`);
  }
}

/**
 * The calls without the 429s of a platform or gateway: the plain read got some in another form than the API's, and
 * others in the API's. `says`: how many were left out, with one of them; empty: none was.
 */
export function withoutForeign({ api, label }: Pick<Subject, 'api' | 'label'>, samples: readonly Sample[]) {
  const limited = samples.filter(({ key, route, status }) => key === label && route === undefined && status === 429);
  const pages = limited.filter(({ body = '' }) => !isOwnError(api, parseJson(body))).map(({ body }) => body);
  const isForeign = ({ status, body }: Sample): boolean =>
    pages.length < limited.length && status === 429 && pages.includes(body);
  const foreign = samples.filter(isForeign);
  const others = counted(foreign.length, 'call');
  return {
    samples: samples.filter((sample) => !isForeign(sample)),
    says: foreign.length === 0 ? [] : [`${others} got a 429 that is not the API's, and are not judged: ${pages[0]}`],
  };
}

/** limits.exceeded: 429, with the documented code in its error (developer) or an error object (workspace). */
function exceededPart({ api }: Subject, { exceeded: { verdict, says, firstRefused } }: Verdict): Part {
  const code = api === 'developer' ? (developerErrorCodes[429] ?? '') : '';
  const text = firstRefused?.body ?? '';
  const error = at(parseJson(text), '/error');
  // A value is never followed by a colon.
  const isDocumented = isObject(error) && (code === '' || new RegExp(`"${code}"(?!:)`).test(JSON.stringify(error)));
  const part = { clause: limitClause(api, 'exceeded'), expected: `429 with ${code || 'the error'} in its body` };
  return verdict !== 'holds' || firstRefused === null || isDocumented
    ? { ...part, verdict, says }
    : { ...part, verdict: 'fails', says: `The 429 has another body: ${text.slice(0, 200) || '(empty)'}.` };
}

/**
 * limits.headers: every response of the trace has the three headers, including refusals and calls without a valid key.
 * With a valid key their values must make sense, too.
 */
export function headersPart({ api, label }: Subject, samples: readonly Sample[]): Part {
  const clause = limitClause(api, 'headers');
  const answered = samples.filter(({ status }) => status !== 0);
  if (answered.length === 0) {
    return { clause, verdict: 'undecided', says: 'No call was answered.' };
  }
  const troublesOf = (sample: Sample): string[] =>
    headerTroubles(sample).filter((trouble) => sample.key === label || trouble.endsWith(' absent'));
  const bare = answered.find((sample) => troublesOf(sample).length > 0);
  if (bare === undefined) {
    return { clause, verdict: 'holds', says: '' };
  }
  const actual = troublesOf(bare).join(', ');
  const says = `A response with status ${bare.status} has ${actual}.`;
  return { clause, verdict: 'fails', says, expected: limitHeaders.join(', '), actual };
}

/** The judge's verdicts on a limit as those on its clause. */
export const verdictOf = { holds: 'holds', fewer: 'fails', more: 'fails', undecided: 'undecided' } as const;

/**
 * What calls over the limit show, whatever the script. Limit must show a documented number of the key's type; Remaining is
 * judged only if it shows the minute's.
 */
export function overLimitParts(subject: Subject, samples: readonly Sample[], judged: Verdict): readonly Part[] {
  const { api, label, limit, perDay } = subject;
  const { perMinute, remaining } = judged;
  const known = samples.filter(({ key, status }) => key === label && status !== 0 && (status < 400 || status === 429));
  const shown = judgeLimitValue(known, perDay === null ? null : { perMinute: limit, perDay });
  const partOn = (name: string, verdict: Part['verdict'], says: string) => {
    return { clause: limitClause(api, name), verdict, says };
  };
  return [
    headersPart(subject, samples),
    exceededPart(subject, judged),
    {
      ...partOn('per-minute', verdictOf[perMinute.verdict], perMinute.says),
      expected: `${limit} requests a minute`,
      actual: perMinute.enforced === null ? perMinute.verdict : `${perMinute.enforced} a minute`,
      observed: { documented: limit, ...perMinute },
    },
    partOn('limit-value', shown.verdict, shown.says),
    ...(remaining.verdict === 'not judged' ? [] : [partOn('remaining', remaining.verdict, remaining.says)]),
  ];
}

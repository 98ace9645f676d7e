// Sustained traffic just under the limit: the script soak.
import { isObject, parseJson } from '../../common/json.ts';
import { counted, thousands } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import { fewestIn, firstRefusalsIn } from '../../limits/judge/refusals.ts';
import { clockSlack, timelineOf } from '../../limits/judge/timeline.ts';
import { callsOf, type Sample } from '../../limits/judge/trace.ts';
import type { Answer } from '../seam/calls.ts';
import type { Plan, Subject } from '../seam/make-plan.ts';
import { type Judged, limitClause, type Part } from '../seam/trace.ts';
import { assertJudgeable, headersPart } from './parts.ts';

/** The clauses on each response that load may break. */
const responseClauses = {
  developer: ['envelope.json', 'envelope.success-matches-status', 'errors.no-server-error'],
  workspace: ['responses.json', 'errors.no-server-error'],
} as const;

/** A clause that a response broke, by the last parts of its id, and the read that got it. */
export interface Breach {
  readonly clause: (typeof responseClauses)[ApiName][number];
  readonly path: string;
}

/**
 * The clause that a response to a documented read breaks; null if none. What else an envelope must have does not depend on
 * load: the suites judge it. Refusals (429) and missing responses are judged elsewhere.
 */
export function breachOf(api: ApiName, { status, contentType, body }: Answer): Breach['clause'] | null {
  if (status >= 500) {
    return 'errors.no-server-error';
  }
  if ([0, 204, 429].includes(status) || (status >= 300 && status < 400)) {
    return null;
  }
  const value = /^[^;]*[/+]json\s*(;|$)/i.test(contentType) ? parseJson(body) : undefined;
  if (api === 'workspace') {
    return value === undefined ? 'responses.json' : null;
  }
  if (!isObject(value)) {
    return 'envelope.json';
  }
  return value.success === status >= 400 ? 'envelope.success-matches-status' : null;
}

/**
 * limits.per-minute: no call is refused under the limit. Refusals in the first two windows may be due to earlier calls
 * by others.
 */
function minutePart({ windowMs }: Pick<Plan, 'windowMs'>, subject: Subject, samples: readonly Sample[]): Part {
  const { api, label, limit } = subject;
  const own = callsOf(samples, label);
  const settledFrom = (own[0]?.from ?? 0) + 2 * windowMs;
  const counting = own.filter(({ from, outcome }) => outcome !== 'refused' || from >= settledFrom);
  const settled = counting.filter(({ from }) => from >= settledFrom);
  const refused = settled.filter(({ outcome }) => outcome === 'refused').length;
  const fewest = fewestIn(firstRefusalsIn(timelineOf(counting), windowMs, clockSlack(windowMs)));
  const share = `${thousands(refused)} of ${counted(settled.length, 'call')} were refused`;
  const part = { clause: limitClause(api, 'per-minute'), expected: `no refusal below ${limit} requests a minute` };
  if (refused > 0) {
    return fewest < limit
      ? { ...part, verdict: 'fails', says: `${share}, the first after ${counted(fewest, 'call')} in a minute.` }
      : { ...part, verdict: 'undecided', says: `${share} at the limit: the pace was too high, see --pace.` };
  }
  const tooShort = 'The run was too short: refusals count only after two minutes; use a longer --for.';
  return settled.length === 0
    ? { ...part, verdict: 'undecided', says: tooShort }
    : { ...part, verdict: 'holds', says: '' };
}

/** Judges that nothing is refused under the limit and every answer is complete. */
export function judgeSoak(
  plan: Pick<Plan, 'windowMs'>,
  subject: Subject,
  samples: readonly Sample[],
  breaches: readonly Breach[],
): Judged {
  assertJudgeable(samples);
  return {
    parts: [
      ...responseClauses[subject.api].map((name): Part => {
        const own = breaches.filter(({ clause }) => clause === name);
        const clause = `${subject.api}.${name}`;
        const says = `Broken by ${counted(own.length, 'response')}, the first to GET ${own[0]?.path}.`;
        return own.length === 0 ? { clause, verdict: 'holds', says: '' } : { clause, verdict: 'fails', says };
      }),
      headersPart(subject, samples),
      minutePart(plan, subject, samples),
    ],
    says: [],
    detail: { breaches: breaches.length },
  };
}

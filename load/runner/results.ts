// From what the keys' calls show to the results of clauses and the exit status.
import type { ApiName } from '../../contract/clause.ts';
import { clauseOf, clauses } from '../../contract/clauses.ts';
import { type Conclusion, conclude } from '../../results/conclude.ts';
import { type ClauseResult, type Finding, resultOf } from '../../results/verdict.ts';
import { mainClause, type Plan, type SkippedKey, type Subject } from '../seam/plan.ts';
import { type Judged, limitClause, type Part } from '../seam/trace.ts';

/** What decides the results of a run. */
interface Outcome {
  readonly plan: Plan;
  readonly judged: ReadonlyMap<string, Judged>;
  /** Why the trace proves nothing. */
  readonly defects: readonly string[];
  /** Why the run was stopped early, so that nothing is decided; null if it was not. */
  readonly interrupted: string | null;
}

interface Shown {
  readonly subject: Subject;
  readonly part: Part;
}

/** A shell line that makes the call again, with the name of a variable in place of the key. */
function curlOf({ api, url, label }: Subject): string {
  const variable = `\${${label.replace(/\W+/g, '_').toUpperCase()}:?}`;
  const header = api === 'developer' ? `X-API-Key: ${variable}` : `Authorization: Bearer ${variable}`;
  return `curl -i ${/^[\w@%+=:,./-]+$/.test(url) ? url : `'${url}'`} -H "${header}"`;
}

const findingOf = ({ subject, part: { says, expected, actual } }: Shown): Finding => ({
  message: `${subject.label}: ${says}`,
  ...(expected === undefined ? {} : { expected }),
  ...(actual === undefined ? {} : { actual }),
  request: { method: 'GET', url: subject.url },
  curl: curlOf(subject),
});

/** The result of a clause over all keys of an API, the worst of which decides. */
function combine(id: string, shown: readonly Shown[]): ClauseResult {
  const of = (verdict: Part['verdict']): Finding[] =>
    shown.filter(({ part }) => part.verdict === verdict).map(findingOf);
  const observed = shown.flatMap(({ subject, part }) =>
    part.observed === undefined ? [] : [[subject.label, part.observed] as const],
  );
  const seen = observed.length > 0 ? Object.fromEntries(observed) : null;
  const { level } = clauseOf(id);
  const [failed, open] = [of('fails'), of('undecided')];
  if (level === 'gap') {
    return seen === null ? resultOf(id, 'inconclusive', open) : resultOf(id, 'observed', [], seen);
  }
  if (failed.length > 0) {
    return resultOf(id, level === 'must' ? 'fail' : 'warn', failed, seen);
  }
  return open.length > 0 ? resultOf(id, 'inconclusive', open, seen) : resultOf(id, 'pass', [], seen);
}

export const notTried = ({ label, why }: SkippedKey): string => `${label} is not tried: ${why}`;

/**
 * The results of what was judged. The main clause of each API stands there even if nothing was judged, and it alone if the
 * run was stopped, or its trace may lack calls.
 */
function resultsOf({ plan, judged, defects, interrupted }: Outcome): ReadonlyMap<string, ClauseResult> {
  const { script, subjects, skipped } = plan;
  const mainOf = ({ api }: Subject | SkippedKey): string => limitClause(api, mainClause[script][api]);
  const results = new Map(
    [...Map.groupBy(skipped, mainOf)].map(([id, keys]) => {
      const findings = keys.map((key) => ({ message: notTried(key) }));
      return [id, resultOf(id, 'skip', findings)];
    }),
  );
  const undone = (interrupted === null ? defects : [interrupted]).map((message) => ({ message }));
  if (undone.length > 0) {
    for (const id of subjects.map(mainOf)) {
      results.set(id, resultOf(id, interrupted === null ? 'broken' : 'inconclusive', undone));
    }
    return results;
  }
  const shown = subjects.flatMap((subject) =>
    (judged.get(subject.label)?.parts ?? []).map((part): Shown => ({ subject, part })),
  );
  for (const [id, own] of Map.groupBy(shown, ({ part }) => part.clause)) {
    results.set(id, combine(id, own));
  }
  return results;
}

/** The final results, and the exit status. If a main clause is undecided, so is the run. */
export function concludeLoad(outcome: Outcome): Conclusion & { readonly clauses: readonly ClauseResult[] } {
  const { plan, interrupted } = outcome;
  const results = resultsOf(outcome);
  const all = clauses.flatMap(({ id }) => results.get(id) ?? []);
  const main = (['developer', 'workspace'] as const).map((api) => limitClause(api, mainClause[plan.script][api]));
  const open = all.find(({ id, verdict }) => main.includes(id) && verdict === 'inconclusive');
  const trouble =
    interrupted ??
    (plan.subjects.length === 0 ? plan.trouble : null) ??
    (open === undefined ? null : `${open.id} is undecided: ${open.findings[0]?.message ?? ''}`);
  const targeted = [...new Set(all.map(({ id }) => id.split('.')[0] as ApiName))];
  return { clauses: all, ...conclude(all, { strict: plan.strict, targeted, trouble }) };
}

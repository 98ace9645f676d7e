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
  const observed = Object.fromEntries(
    shown.flatMap(({ subject, part }) => (part.observed === undefined ? [] : [[subject.label, part.observed]])),
  );
  const seen = Object.keys(observed).length > 0 ? observed : null;
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

/** The main clause of each API that has keys, with findings that say why it is not decided. */
const mainResults = (
  { script, subjects, skipped }: Plan,
  verdict: 'inconclusive' | 'broken' | 'skip',
  messages: readonly string[],
): ClauseResult[] =>
  [...new Set((verdict === 'skip' ? skipped : subjects).map(({ api }) => api))].map((api) =>
    resultOf(
      limitClause(api, mainClause[script][api]),
      verdict,
      (verdict === 'skip' ? skipped.filter((key) => key.api === api).map(notTried) : messages).map((message) => ({
        message,
      })),
    ),
  );

/** The results of what was judged. A trace that may lack calls decides nothing, and neither does one that was cut off. */
function resultsOf({ plan, judged, defects, interrupted }: Outcome): ClauseResult[] {
  const shown = plan.subjects.flatMap((subject) =>
    (judged.get(subject.label)?.parts ?? []).map((part): Shown => ({ subject, part })),
  );
  const results = [...Map.groupBy(shown, ({ part }) => part.clause)].map(([id, own]) => combine(id, own));
  const others = (stated: readonly ClauseResult[], more: readonly ClauseResult[]): ClauseResult[] => [
    ...stated,
    ...more.filter(({ id }) => stated.every((result) => result.id !== id)),
  ];
  if (interrupted !== null) {
    const open = results.map((result) =>
      result.verdict === 'observed' ? result : resultOf(result.id, 'inconclusive', [{ message: interrupted }]),
    );
    return others(open, mainResults(plan, 'inconclusive', [interrupted]));
  }
  const broken = defects.map((message) => ({ message }));
  return others(defects.length === 0 ? results : results.map(({ id }) => resultOf(id, 'broken', broken)), [
    ...(defects.length === 0 ? [] : mainResults(plan, 'broken', defects)),
    ...mainResults(plan, 'skip', []),
  ]);
}

const order = new Map(clauses.map(({ id }, index) => [id as string, index]));

/** The final results, and the exit status. If a main clause is undecided, so is the run. */
export function concludeLoad(outcome: Outcome): Conclusion & { readonly clauses: readonly ClauseResult[] } {
  const { plan, interrupted } = outcome;
  const all = resultsOf(outcome).sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  const isMain = (id: string): boolean =>
    (['developer', 'workspace'] as const).some((api) => limitClause(api, mainClause[plan.script][api]) === id);
  const open = all.find(({ id, verdict }) => isMain(id) && verdict === 'inconclusive');
  const trouble =
    interrupted ??
    (plan.subjects.length === 0 ? plan.trouble : null) ??
    (open === undefined ? null : `${open.id} is undecided: ${open.findings[0]?.message ?? ''}`);
  const targeted = [...new Set(all.map(({ id }) => id.split('.')[0] as ApiName))];
  return { clauses: all, ...conclude(all, { strict: plan.strict, targeted, trouble }) };
}

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

/** The results of what was judged. A trace that may lack calls decides nothing, and neither does one that was cut off. */
function resultsOf({ plan, judged, defects, interrupted }: Outcome): ClauseResult[] {
  const { script, subjects, skipped } = plan;
  const shown = subjects.flatMap((subject) =>
    (judged.get(subject.label)?.parts ?? []).map((part): Shown => ({ subject, part })),
  );
  const results = [...Map.groupBy(shown, ({ part }) => part.clause)].map(([id, own]) => combine(id, own));
  const undone = interrupted === null ? defects : [interrupted];
  const verdict = interrupted === null ? 'broken' : 'inconclusive';
  const open = (id: string): ClauseResult =>
    resultOf(
      id,
      verdict,
      undone.map((message) => ({ message })),
    );
  const stated = results.map((result) =>
    undone.length === 0 || (interrupted !== null && result.verdict === 'observed') ? result : open(result.id),
  );
  const mainOf = ({ api }: Subject | SkippedKey): string => limitClause(api, mainClause[script][api]);
  // The main clause of each API that has keys stands there even if nothing was judged.
  const more = [
    ...(undone.length === 0 ? [] : subjects.map((subject) => open(mainOf(subject)))),
    ...[...Map.groupBy(interrupted === null ? skipped : [], mainOf)].map(([id, keys]) =>
      resultOf(
        id,
        'skip',
        keys.map((key) => ({ message: notTried(key) })),
      ),
    ),
  ];
  return [...new Map([...stated, ...more].toReversed().map((result) => [result.id as string, result])).values()];
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

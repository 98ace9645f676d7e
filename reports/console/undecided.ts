import { counted, firstOf } from '../../common/words.ts';
import { type FirstStep, firstStepsOf } from '../../results/root-causes.ts';
import { type Unlock, unlocksOf } from '../../results/unlocks.ts';
import { type ClauseResult, type Run, wordOf } from '../../results/verdict.ts';
import { oneLine } from '../text.ts';
import { inScope } from '../words.ts';
import { heading, indented, type Look, leftOut } from './look.ts';

/** How much of it the console shows; the page has the rest. */
const most = { reasons: 8, steps: 5 } as const;

/** What was waived, and why the rest is undecided: the setting that would decide it, the clause it waits for, the reason. */
export function undecidedLines(run: Run, look: Look): string[] {
  const open = inScope(run).filter((clause) => ['inconclusive', 'skip', 'waived'].includes(wordOf(clause)));
  const unlocks = unlocksOf(open);
  const steps = firstStepsOf(open);
  const told = new Set([...unlocks.flatMap(({ clauses }) => clauses), ...steps.flatMap(({ waiting }) => waiting)]);
  const reasons = Map.groupBy(
    open.filter(({ id }) => !told.has(id)),
    (clause) => `${wordOf(clause)}: ${oneLine(clause.findings[0]?.message ?? 'no reason given', 300)}`,
  );
  const rows = [
    ...unlocks.flatMap((unlock) => unlockLines(unlock, look)),
    ...waitingLines(steps, look),
    ...[...reasons].slice(0, most.reasons).flatMap(([reason, own]) => indented(`${ids(own)}: ${reason}`, 2, look)),
    ...leftOut(reasons.size - most.reasons, 'reason', 'in conformance.html'),
  ];
  return rows.length === 0 ? [] : [heading(look, 'Not decided'), ...rows];
}

const unlockLines = ({ setting, clauses }: Unlock, look: Look): string[] =>
  indented(`${setting} would let ${counted(clauses.length, 'clause')} be decided: ${names(clauses)}`, 2, look, 2);

function waitingLines(steps: readonly FirstStep[], look: Look): string[] {
  const others = steps.slice(most.steps);
  const left = others.reduce((sum, { waiting }) => sum + waiting.length, 0);
  return [
    ...steps
      .slice(0, most.steps)
      .flatMap(({ clause, waiting }) => indented(`${names(waiting)}: waiting for ${clause}`, 2, look, 2)),
    ...(left > 0 ? [`  … and ${counted(left, 'clause')} waiting for ${others.length} others`] : []),
  ];
}

const names = (ids: readonly string[]): string => firstOf(ids, 4);

const ids = (clauses: readonly ClauseResult[]): string => names(clauses.map(({ id }) => id));

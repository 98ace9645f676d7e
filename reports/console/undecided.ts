import { counted, firstOf } from '../../common/words.ts';
import { type FirstStep, firstStepsOf } from '../../results/root-causes.ts';
import { type Unlock, unlocksOf } from '../../results/unlocks.ts';
import { type ClauseResult, type Run, wordOf } from '../../results/verdict.ts';
import { oneLine } from '../text.ts';
import { inScope } from '../words.ts';
import { heading, indented, type Layout, leftOut } from './layout.ts';

/** How many reasons and first steps the console shows; the page has the rest. */
const most = { reasons: 8, steps: 5 } as const;

/**
 * Why clauses are undecided: the settings that would decide them, the clauses that block them, any other reason;
 * also waivers.
 */
export function undecidedLines(run: Run, layout: Layout): string[] {
  const open = inScope(run).filter((clause) => ['inconclusive', 'skip', 'waived'].includes(wordOf(clause)));
  const unlocks = unlocksOf(open);
  const steps = firstStepsOf(open);
  const explained = new Set([...unlocks.flatMap(({ clauses }) => clauses), ...steps.flatMap(({ waiting }) => waiting)]);
  const reasons = Map.groupBy(
    open.filter(({ id }) => !explained.has(id)),
    reasonOf,
  );
  const rows = [
    ...unlocks.flatMap((unlock) => unlockLines(unlock, layout)),
    ...blockedLines(steps, layout),
    ...[...reasons].slice(0, most.reasons).flatMap(([reason, own]) => indented(`${ids(own)}: ${reason}`, 2, layout)),
    ...leftOut(reasons.size - most.reasons, 'reason', 'in conformance.html'),
  ];
  return rows.length === 0 ? [] : [heading(layout, 'Undecided'), ...rows];
}

/** The verdict, its reason, and what to do: `inconclusive: The list is empty. To decide it: Run it with records`. */
function reasonOf(clause: ClauseResult): string {
  const { message = 'no reason given', advice } = clause.findings[0] ?? {};
  const toDo = advice === undefined ? '' : `. To decide it: ${oneLine(advice, 200)}`;
  return `${wordOf(clause)}: ${oneLine(message, 300)}${toDo}`;
}

const unlockLines = ({ setting, clauses }: Unlock, layout: Layout): string[] =>
  indented(`Set ${setting} to judge ${counted(clauses.length, 'more clause')}: ${names(clauses)}`, 2, layout, 2);

function blockedLines(steps: readonly FirstStep[], layout: Layout): string[] {
  const others = steps.slice(most.steps);
  const left = others.reduce((sum, { waiting }) => sum + waiting.length, 0);
  return [
    ...steps
      .slice(0, most.steps)
      .flatMap(({ clause, waiting }) => indented(`${names(waiting)}: blocked by ${clause}`, 2, layout, 2)),
    ...(left > 0 ? [`  … and ${counted(left, 'clause')} blocked by ${others.length} others`] : []),
  ];
}

const names = (ids: readonly string[]): string => firstOf(ids, 4);

const ids = (clauses: readonly ClauseResult[]): string => names(clauses.map(({ id }) => id));

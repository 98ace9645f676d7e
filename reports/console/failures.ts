import { commandOf } from '../../common/suite.ts';
import { counted, firstOf } from '../../common/words.ts';
import type { RootCause } from '../../results/root-causes.ts';
import { firstStepsText, rootCausesOf } from '../../results/root-causes.ts';
import { type ClauseResult, type Finding, findingFacts, type Run } from '../../results/verdict.ts';
import { visible } from '../text.ts';
import { failingVerdicts, looks } from '../words.ts';
import { indented, type Layout, leftOut, paint, paintWord, row } from './layout.ts';

/** How many causes are shown; how many lines each has, and characters its script. */
const most = { causes: 12, lines: 15, script: 900 } as const;

/** The clause to fix first, and what failed the run by root cause. */
export function failureLines(run: Run, layout: Layout): string[] {
  const causes = failingVerdicts(run).flatMap((verdict) => rootCausesOf(run.clauses, verdict));
  if (causes.length === 0) {
    return [];
  }
  const many = causes.reduce((sum, { clauses }) => sum + clauses.length, 0);
  const causeCount = causes.length === many ? '' : `, ${counted(causes.length, 'cause')}`;
  const steps = firstStepsText(run.clauses);
  return [
    paint(layout, 'bold', `Failed: ${counted(many, 'clause')}${causeCount}`),
    ...(steps === '' ? [] : indented(steps, 2, layout)),
    ...causes.slice(0, most.causes).flatMap((cause) => ['', ...causeLines(cause, layout)]),
    ...leftOut(causes.length - most.causes, 'cause', 'in conformance.html'),
  ];
}

/** One clause with its first finding, or several with the finding that they share: at most 15 lines. */
function causeLines(cause: RootCause, layout: Layout): string[] {
  const { clauses, finding, sentence, verdict } = cause;
  const [first] = clauses;
  if (first === undefined) {
    return [];
  }
  const alone = clauses.length === 1;
  const head = alone ? `${first.id}: ${first.title}` : sentence;
  const more = alone ? first.findings.length - 1 : 0;
  const above = [
    ...indented(`${looks[verdict].mark} ${head}`, 2, layout).map((line) => paintWord(layout, verdict, line)),
    ...(alone ? indented(sentence, 4, layout) : row('clauses', idsOf(clauses), layout)),
    ...factLines(finding, layout),
  ];
  const below = [
    ...(alone ? row('source', `${first.level}, ${first.source}`, layout, 1) : []),
    ...(more > 0 ? [`    … and ${counted(more, 'more finding')} in conformance.html`] : []),
  ];
  return [
    ...above,
    ...commandLines(finding.curl, first.id, most.lines - above.length - below.length, layout),
    ...below,
  ];
}

const idsOf = (clauses: readonly ClauseResult[]): string =>
  `${clauses.length}: ${firstOf(
    clauses.map(({ id }) => id),
    6,
  )}`;

/** How many lines the facts of a finding have; others are not shown. */
const linesOf: Readonly<Record<string, number>> = {
  expected: 1,
  got: 2,
  place: 1,
  likely: 2,
  'to decide': Infinity,
  exchange: 1,
};

const factLines = (finding: Finding, layout: Layout): string[] =>
  findingFacts(finding).flatMap(([label, text]) => (label in linesOf ? row(label, text, layout, linesOf[label]) : []));

/** The commands that repeat a failure. They are meant to be copied, so their lines are never broken. */
function commandLines(curl: string | undefined, clause: string, room: number, layout: Layout): string[] {
  if (curl === undefined) {
    return [];
  }
  const lines = visible(curl).split('\n');
  const shown = lines.length > room || curl.length > most.script ? [commandOf('repeat', clause)] : lines;
  return shown.map((line, index) => `    ${(index === 0 ? 'repeat' : '').padEnd(11)}${paint(layout, 'cyan', line)}`);
}

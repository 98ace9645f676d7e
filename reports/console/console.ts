import { counted } from '../../common/words.ts';
import { rootCausesOf } from '../../results/root-causes.ts';
import type { Run } from '../../results/verdict.ts';
import { boundRun } from '../bound-run.ts';
import { observedLines } from '../observed-lines.ts';
import { capital, inert, moreLines, oneLine } from '../text.ts';
import { timeText } from '../time-text.ts';
import { driftText, fullReason, headline, inScope, isStrict, marks, referenceNotice, tally, tone } from '../words.ts';
import { driftLines, sinceLines } from './changes.ts';
import { chapterLines } from './chapters.ts';
import { failureLines } from './failures.ts';
import { heading, indented, type Layout, leftOut, paint, paintWord } from './layout.ts';
import { undecidedLines } from './undecided.ts';

interface ConsoleOptions {
  /** False by default. The caller knows whether there is a terminal, and NO_COLOR. */
  readonly colour?: boolean;
  /** 100 columns by default. */
  readonly width?: number;
  /** Whether to show what was observed for gap clauses. */
  readonly observed?: boolean;
  /** The path of the run's conformance.html, for the last line. */
  readonly page?: string;
}

/** How much of each part the console shows; the page has the rest. */
const most = { warnings: 10, notes: 6 } as const;

/**
 * The console report: the clauses as marks, chapter by chapter, then what is undecided and why, what failed, and the
 * verdict as the last line. Text from a target never reaches the terminal as a control character, at the start of a
 * line, or as a command of a CI runner.
 */
export function consoleReport(whole: Run, options: ConsoleOptions = {}): string {
  const folder = options.page?.replace(/\/[^/]*$/, '');
  const layout: Layout = { colour: options.colour ?? false, width: options.width ?? 100, folder };
  const run = boundRun(whole);
  const sections = [
    head(run, layout),
    ...(['developer', 'workspace'] as const).map((api) => chapterLines(run, api, layout)),
    options.observed ? observed(run, layout) : [],
    warnings(run, layout),
    undecidedLines(run, layout),
    driftLines(run, layout),
    sinceLines(run, layout),
    notes(run, layout),
    failureLines(run, layout),
    closing(run, layout, options.page),
  ];
  const text = sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n').trimEnd())
    .join('\n\n');
  return inert(`${text}\n`);
}

function head(run: Run, layout: Layout): string[] {
  const notice = referenceNotice(run);
  const facts = `seed ${run.seed}, ${run.startedAt}`;
  return [
    ...(notice === null ? [] : [paint(layout, 'yellow', notice)]),
    `${heading(layout, `${run.suite.name} ${run.suite.version}`)}  ${paint(layout, 'dim', facts)}`,
  ];
}

/** The warnings by cause, unless STRICT makes them failures. */
function warnings(run: Run, layout: Layout): string[] {
  const causes = isStrict(run) ? [] : rootCausesOf(run.clauses, 'warn');
  if (causes.length === 0) {
    return [];
  }
  const rows = causes.slice(0, most.warnings).flatMap(({ clauses, sentence }) => {
    const names = clauses.length === 1 ? (clauses[0]?.id ?? '') : counted(clauses.length, 'clause');
    return indented(`${marks.warn} ${names}: ${sentence}`, 2, layout, 2);
  });
  return [
    heading(layout, 'Warnings (should clauses that failed)'),
    ...rows,
    ...leftOut(causes.length - most.warnings, 'cause', 'in conformance.html'),
  ];
}

function observed({ clauses }: Run, layout: Layout): string[] {
  const seen = clauses.filter((clause) => clause.observed !== null && clause.level === 'gap');
  if (seen.length === 0) {
    return [];
  }
  const rows = seen.flatMap(({ id, observed: value }) => {
    const all = observedLines(value);
    const lines = all.slice(0, 12).flatMap(({ depth, text }) => indented(text, 4 + 2 * depth, layout, 1));
    return [
      `  ${paintWord(layout, 'observed', id)}`,
      ...lines,
      ...moreLines(all.length - 12, 'line', 'in conformance.html').map((line) => paint(layout, 'dim', `    ${line}`)),
    ];
  });
  return [heading(layout, 'Observed (not specified by the documents)'), ...rows];
}

function notes(run: Run, layout: Layout): string[] {
  return run.notes.length === 0
    ? []
    : [
        heading(layout, 'Notes'),
        ...run.notes.slice(0, most.notes).flatMap((note) => indented(`- ${note}`, 2, layout, 2)),
        ...leftOut(run.notes.length - most.notes, 'note', 'in conformance.json'),
      ];
}

/** What the time was spent on, the totals, and as the last line the verdict, its reason and the path of the report. */
function closing(run: Run, layout: Layout, page: string | undefined): string[] {
  const shown = tally(inScope(run))
    .map(([word, many]) => paintWord(layout, word, `${many} ${word}`))
    .join(', ');
  const partial = run.selection === null ? '' : ', PARTIAL';
  const word = paintWord(layout, tone(run), `${headline(run).toUpperCase()}${partial}`);
  const compared = driftText(run);
  const parts = [
    fullReason(run),
    ...(compared === null ? [] : [compared]),
    ...(page === undefined ? [] : [`report: ${page}`]),
  ];
  return [
    ...indented(capital(timeText(run)), 0, layout, 3),
    `${heading(layout, 'Totals')}  ${shown === '' ? 'nothing was judged' : shown}`,
    `${word} (exit status ${run.exitCode}): ${oneLine(parts.join('; '), 1_500)}`,
  ];
}

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
import { heading, indented, type Look, leftOut, paint, paintWord } from './look.ts';
import { undecidedLines } from './undecided.ts';

interface ConsoleOptions {
  /** Off by default; the caller turns it on for a terminal without NO_COLOR. */
  readonly colour?: boolean;
  /** 100 by default. */
  readonly width?: number;
  /** Shows what was observed where the documents are silent. */
  readonly observed?: boolean;
  /** Where the page of the run lies, for the last line. */
  readonly page?: string;
}

/** How much of each part the console shows; the page has the rest. */
const most = { warnings: 10, notes: 6 } as const;

/**
 * The console report: the clauses as marks, chapter by chapter, then what is undecided and why, what failed, and the verdict
 * as the last line. Nothing that a target sent reaches the terminal as a control character, starts a line, or is a CI
 * runner's command.
 */
export function consoleReport(whole: Run, options: ConsoleOptions = {}): string {
  const folder = options.page?.replace(/\/[^/]*$/, '');
  const look: Look = { colour: options.colour ?? false, width: options.width ?? 100, folder };
  const run = boundRun(whole);
  const sections = [
    head(run, look),
    ...(['developer', 'workspace'] as const).map((api) => chapterLines(run, api, look)),
    options.observed ? observed(run, look) : [],
    warnings(run, look),
    undecidedLines(run, look),
    driftLines(run, look),
    sinceLines(run, look),
    notes(run, look),
    failureLines(run, look),
    closing(run, look, options.page),
  ];
  const text = sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n').trimEnd())
    .join('\n\n');
  return inert(`${text}\n`);
}

function head(run: Run, look: Look): string[] {
  const notice = referenceNotice(run);
  const facts = `seed ${run.seed}, ${run.startedAt}`;
  return [
    ...(notice === null ? [] : [paint(look, 'yellow', notice)]),
    `${heading(look, `${run.suite.name} ${run.suite.version}`)}  ${paint(look, 'dim', facts)}`,
  ];
}

/** Warnings that do not fail the run, by cause. */
function warnings(run: Run, look: Look): string[] {
  const causes = isStrict(run) ? [] : rootCausesOf(run.clauses, 'warn');
  if (causes.length === 0) {
    return [];
  }
  const rows = causes.slice(0, most.warnings).flatMap(({ clauses, sentence }) => {
    const names = clauses.length === 1 ? (clauses[0]?.id ?? '') : counted(clauses.length, 'clause');
    return indented(`${marks.warn} ${names}: ${sentence}`, 2, look, 2);
  });
  return [
    heading(look, 'Warnings (a should that does not hold)'),
    ...rows,
    ...leftOut(causes.length - most.warnings, 'cause', 'in conformance.html'),
  ];
}

function observed({ clauses }: Run, look: Look): string[] {
  const seen = clauses.filter((clause) => clause.observed !== null && clause.level === 'gap');
  if (seen.length === 0) {
    return [];
  }
  const rows = seen.flatMap(({ id, observed: value }) => {
    const all = observedLines(value);
    const lines = all.slice(0, 12).flatMap(({ depth, text }) => indented(text, 4 + 2 * depth, look, 1));
    return [
      `  ${paintWord(look, 'observed', id)}`,
      ...lines,
      ...moreLines(all.length - 12, 'line', 'in conformance.html').map((line) => paint(look, 'dim', `    ${line}`)),
    ];
  });
  return [heading(look, 'Observed (where the documents are silent)'), ...rows];
}

function notes(run: Run, look: Look): string[] {
  return run.notes.length === 0
    ? []
    : [
        heading(look, 'Notes'),
        ...run.notes.slice(0, most.notes).flatMap((note) => indented(`- ${note}`, 2, look, 2)),
        ...leftOut(run.notes.length - most.notes, 'note', 'in conformance.json'),
      ];
}

/** Where the time went, the counts, and last the verdict with its reason and where the report lies: the one line to read. */
function closing(run: Run, look: Look, page: string | undefined): string[] {
  const shown = tally(inScope(run))
    .map(([word, many]) => paintWord(look, word, `${many} ${word}`))
    .join(', ');
  const partial = run.selection === null ? '' : ', PARTIAL';
  const word = paintWord(look, tone(run), `${headline(run).toUpperCase()}${partial}`);
  const compared = driftText(run);
  const parts = [
    fullReason(run),
    ...(compared === null ? [] : [compared]),
    ...(page === undefined ? [] : [`report: ${page}`]),
  ];
  return [
    ...indented(capital(timeText(run)), 0, look, 3),
    `${heading(look, 'Totals')}  ${shown === '' ? 'nothing was judged' : shown}`,
    `${word} (exit status ${run.exitCode}): ${oneLine(parts.join('; '), 1_500)}`,
  ];
}

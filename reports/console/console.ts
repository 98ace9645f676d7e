import { counted, firstOf } from '../../common/words.ts';
import type { Api } from '../../contract/clause.ts';
import { apiOf } from '../../contract/clauses.ts';
import { type FirstStep, firstStepsOf, rootCausesOf } from '../../results/root-causes.ts';
import { type Unlock, unlocksOf } from '../../results/unlocks.ts';
import { type ClauseResult, type Run, wordOf } from '../../results/verdict.ts';
import { boundRun } from '../bound-run.ts';
import { observedLines } from '../observed-lines.ts';
import { capital, inert, oneLine } from '../text.ts';
import { timeText } from '../time-text.ts';
import {
  type Chapter,
  chaptersOf,
  driftText,
  fullReason,
  headline,
  inScope,
  isStrict,
  marks,
  referenceNotice,
  tally,
  tone,
} from '../words.ts';
import { driftLines, sinceLines } from './changes.ts';
import { failureLines } from './failures.ts';
import { heading, indented, type Look, paint, paintWord } from './look.ts';

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
const most = { warnings: 10, reasons: 8, steps: 5, notes: 6 } as const;

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
    ...(['developer', 'workspace'] as const).map((api) => chapters(run, api, look)),
    options.observed ? observed(run, look) : [],
    warnings(run, look),
    undecided(run, look),
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

/** One line a chapter, a mark for each clause; what was left out is not shown. */
function chapters(run: Run, api: Api, look: Look): string[] {
  const clauses = inScope(run).filter(({ id }) => apiOf(id) === api);
  if (clauses.length === 0) {
    return [];
  }
  const url = oneLine(run.targets[api]?.url ?? '', 200);
  const rows = chaptersOf(clauses).map((chapter) => chapterRow(chapter, api, look));
  return [
    `${heading(look, `${api} API`)}  ${url}  ${paint(look, 'dim', counted(run.requests[api], 'request'))}`,
    ...inColumns(rows, look),
  ];
}

interface Row {
  readonly text: string;
  /** How many columns it takes: colours take none. */
  readonly width: number;
}

function chapterRow({ name, clauses }: Chapter, api: Api, look: Look): Row {
  const line = clauses.map((clause) => paintWord(look, wordOf(clause), marks[wordOf(clause)])).join('');
  const counts = tally(clauses).filter(([word]) => word !== 'pass' && word !== 'observed');
  const said = counts.map(([word, many]) => paintWord(look, word, `${many} ${word}`)).join(', ');
  const plain = counts.map(([word, many]) => `${many} ${word}`).join(', ');
  const title = name.slice(api.length + 1).padEnd(12);
  return {
    text: `${title}${line}${said === '' ? '' : `  ${said}`}`,
    width: title.length + clauses.length + (plain === '' ? 0 : 2 + plain.length),
  };
}

/** Two columns, read downwards, where they fit. */
function inColumns(rows: readonly Row[], look: Look): string[] {
  const half = Math.ceil(rows.length / 2);
  const left = Math.max(...rows.slice(0, half).map(({ width }) => width)) + 4;
  const right = Math.max(0, ...rows.slice(half).map(({ width }) => width));
  if (2 + left + right > look.width) {
    return rows.map(({ text }) => `  ${text}`);
  }
  return rows.slice(0, half).map(({ text, width }, index) => {
    const other = rows[half + index];
    return other === undefined ? `  ${text}` : `  ${text}${' '.repeat(left - width)}${other.text}`;
  });
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
  const left = causes.length - Math.min(causes.length, most.warnings);
  return [
    heading(look, 'Warnings (a should that does not hold)'),
    ...rows,
    ...(left > 0 ? [`  … and ${counted(left, 'more cause')} in conformance.html`] : []),
  ];
}

/** What was waived, and why the rest is undecided: the setting that would decide it, the clause it waits for, the reason. */
function undecided(run: Run, look: Look): string[] {
  const open = inScope(run).filter((clause) => ['inconclusive', 'skip', 'waived'].includes(wordOf(clause)));
  const unlocks = unlocksOf(open);
  const steps = firstStepsOf(open);
  const told = new Set([...unlocks.flatMap(({ clauses }) => clauses), ...steps.flatMap(({ waiting }) => waiting)]);
  const reasons = Map.groupBy(
    open.filter(({ id }) => !told.has(id)),
    (clause) => `${wordOf(clause)}: ${oneLine(clause.findings[0]?.message ?? 'no reason given', 300)}`,
  );
  const left = reasons.size - Math.min(reasons.size, most.reasons);
  const rows = [
    ...unlocks.flatMap((unlock) => unlockLines(unlock, look)),
    ...waitingLines(steps, look),
    ...[...reasons].slice(0, most.reasons).flatMap(([reason, own]) => indented(`${ids(own)}: ${reason}`, 2, look, 2)),
    ...(left > 0 ? [`  … and ${counted(left, 'more reason')} in conformance.html`] : []),
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

function observed({ clauses }: Run, look: Look): string[] {
  const seen = clauses.filter((clause) => clause.observed !== null && clause.level === 'gap');
  if (seen.length === 0) {
    return [];
  }
  const rows = seen.flatMap(({ id, observed: value }) => {
    const all = observedLines(value);
    const lines = all.slice(0, 12).flatMap(({ depth, text }) => indented(text, 4 + 2 * depth, look, 1));
    const left = all.length - Math.min(all.length, 12);
    return [
      `  ${paintWord(look, 'observed', id)}`,
      ...lines,
      ...(left > 0 ? [paint(look, 'dim', `    … and ${counted(left, 'more line')} in conformance.html`)] : []),
    ];
  });
  return [heading(look, 'Observed (where the documents are silent)'), ...rows];
}

function notes(run: Run, look: Look): string[] {
  const left = run.notes.length - Math.min(run.notes.length, most.notes);
  return run.notes.length === 0
    ? []
    : [
        heading(look, 'Notes'),
        ...run.notes.slice(0, most.notes).flatMap((note) => indented(`- ${note}`, 2, look, 2)),
        ...(left > 0 ? [`  … and ${counted(left, 'more note')} in conformance.json`] : []),
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

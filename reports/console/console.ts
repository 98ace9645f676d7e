import { isObject, scalarText } from '../../common/json.ts';
import { counted, firstOf } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import { apiOf } from '../../contract/clauses.ts';
import { firstStepsOf, rootCausesOf } from '../../results/root-causes.ts';
import { unlocksOf } from '../../results/unlocks.ts';
import { type ClauseResult, type Run, wordOf } from '../../results/verdict.ts';
import { capital, inert, oneLine, shortJson } from '../text.ts';
import { timeText } from '../time-text.ts';
import {
  type Chapter,
  chaptersOf,
  driftText,
  fullReason,
  headline,
  inScope,
  isStrict,
  looks,
  referenceNotice,
  tally,
  tone,
} from '../words.ts';
import { failureLines } from './failures.ts';
import { heading, indented, type Layout, leftOut, paint, paintWord } from './layout.ts';

interface ConsoleOptions {
  /** False by default. The caller knows whether there is a terminal, and NO_COLOR. */
  readonly colour?: boolean;
  /** 100 columns by default. */
  readonly width?: number;
  /** The path of the run's conformance.html, for the last line. */
  readonly page?: string;
}

/** How many reasons for undecided clauses the console shows; the page has the rest. */
const most = { reasons: 8, parts: 6, steps: 5 } as const;

/**
 * The console report: the clauses as marks, chapter by chapter, then what is undecided and why, what failed, and the
 * verdict as the last line. Text from a target never reaches the terminal as a control character, at the start of a
 * line, or as a command of a CI runner.
 */
export function consoleReport(run: Run, options: ConsoleOptions = {}): string {
  const layout: Layout = { colour: options.colour ?? false, width: options.width ?? 100 };
  const sections = [
    head(run, layout),
    ...(['developer', 'workspace'] as const).map((api) => chapterLines(run, api, layout)),
    warnings(run, layout),
    undecided(run, layout),
    drift(run, layout),
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

/** The clauses of an API that were to be judged: a line for each chapter, with a mark for each clause. */
function chapterLines(run: Run, api: ApiName, layout: Layout): string[] {
  const clauses = inScope(run).filter(({ id }) => apiOf(id) === api);
  if (clauses.length === 0) {
    return [];
  }
  const url = oneLine(run.targets[api]?.url ?? '', 200);
  const rows = chaptersOf(clauses).map((chapter) => chapterRow(chapter, api, layout));
  return [
    `${heading(layout, `${api} API`)}  ${url}  ${paint(layout, 'dim', counted(run.requests[api], 'request'))}`,
    ...rows.map((row) => `  ${row}`),
  ];
}

function chapterRow({ name, clauses }: Chapter, api: ApiName, layout: Layout): string {
  const line = clauses.map((clause) => paintWord(layout, wordOf(clause), looks[wordOf(clause)].mark)).join('');
  const counts = tally(clauses).filter(([word]) => word !== 'pass' && word !== 'observed');
  const shown = counts.map(([word, many]) => paintWord(layout, word, `${many} ${word}`)).join(', ');
  return `${name.slice(api.length + 1).padEnd(12)}${line}${shown === '' ? '' : `  ${shown}`}`;
}

/** A section: its heading, a few lines for each of its first items, and how many are left out; none without items. */
function section<T>(
  layout: Layout,
  title: string,
  items: readonly T[],
  { most, noun, where }: { readonly most: number; readonly noun: string; readonly where: string },
  linesOf: (item: T) => string[],
): string[] {
  const rows = items.slice(0, most).flatMap(linesOf);
  return items.length === 0 ? [] : [heading(layout, title), ...rows, ...leftOut(items.length - most, noun, where)];
}

/** The warnings by cause, unless STRICT makes them failures. */
function warnings(run: Run, layout: Layout): string[] {
  const causes = isStrict(run) ? [] : rootCausesOf(run.clauses, 'warn');
  const shown = { most: 10, noun: 'cause', where: 'in conformance.html' };
  return section(layout, 'Warnings (should clauses that failed)', causes, shown, ({ clauses, sentence }) => {
    const whose = clauses.length === 1 ? (clauses[0]?.id ?? '') : counted(clauses.length, 'clause');
    return indented(`${looks.warn.mark} ${whose}: ${sentence}`, 2, layout, 2);
  });
}

/**
 * Why clauses are undecided: the settings that would decide them, the clauses that block them, any other reason;
 * also waivers.
 */
function undecided(run: Run, layout: Layout): string[] {
  const open = inScope(run).filter((clause) => ['inconclusive', 'skip', 'waived'].includes(wordOf(clause)));
  const unlocks = unlocksOf(open);
  const steps = firstStepsOf(open);
  const explained = new Set([...unlocks.flatMap(({ clauses }) => clauses), ...steps.flatMap(({ waiting }) => waiting)]);
  const reasons = Map.groupBy(
    open.filter(({ id }) => !explained.has(id)),
    (clause) => `${reasonOf(clause)} ${clause.findings[0]?.advice ?? ''}`,
  );
  const rows = [
    ...unlocks.flatMap(({ setting, clauses }) =>
      indented(`Set ${setting} to judge ${counted(clauses.length, 'more clause')}: ${names(clauses)}`, 2, layout, 2),
    ),
    ...steps
      .slice(0, most.steps)
      .flatMap(({ clause, waiting }) => indented(`${names(waiting)}: blocked by ${clause}`, 2, layout, 2)),
    ...leftOut(steps.length - most.steps, 'blocking clause', 'in conformance.html'),
    ...[...reasons.values()].slice(0, most.reasons).flatMap((own) => reasonLines(own, layout)),
    ...leftOut(reasons.size - most.reasons, 'reason', 'in conformance.html'),
    ...partlyOpen(run, layout),
  ];
  return rows.length === 0 ? [] : [heading(layout, 'Undecided'), ...rows];
}

/** The verdict and its reason: `inconclusive: The list is empty`. */
const reasonOf = (clause: ClauseResult): string =>
  `${wordOf(clause)}: ${oneLine(clause.findings[0]?.message ?? 'no reason given', 300)}`;

/** Clauses that are undecided for one reason, and what would decide them: that may be a line to paste, and is never cut. */
function reasonLines(own: readonly ClauseResult[], layout: Layout): string[] {
  const [first] = own;
  const advice = first?.findings[0]?.advice;
  return [
    ...indented(`${names(own.map(({ id }) => id))}: ${first === undefined ? '' : reasonOf(first)}`, 2, layout),
    ...(advice === undefined ? [] : indented(`To decide it: ${advice}`, 4, layout, Infinity)),
  ];
}

/** A line for each reason for which parts of clauses stayed open that passed all the same. */
function partlyOpen(run: Run, layout: Layout): string[] {
  const open = inScope(run).flatMap(({ id, verdict, observed: seen }) => {
    const parts = isObject(seen) && Array.isArray(seen.undecided) ? seen.undecided : [];
    return verdict === 'pass' && parts.length > 0 ? [{ id, many: parts.length, why: scalarText(parts[0]) ?? '' }] : [];
  });
  const reasons = Map.groupBy(open, ({ why }) => why);
  const rows = [...reasons].slice(0, most.parts).flatMap(([why, own]) => {
    const parts = own.reduce((sum, { many }) => sum + many, 0);
    const passed = `${names(own.map(({ id }) => id))}: passed, with ${counted(parts, 'part')} undecided`;
    return indented(`${passed}: ${oneLine(why, 200)}`, 2, layout, 2);
  });
  return [...rows, ...leftOut(reasons.size - most.parts, 'reason', 'for undecided parts in conformance.html')];
}

const names = (ids: readonly string[]): string => firstOf(ids, 4);

/** What changed against the accepted run (PROFILE). */
function drift(run: Run, layout: Layout): string[] {
  const changes = run.drift ?? [];
  const title = `Drift (${counted(changes.length, 'change')} against PROFILE)`;
  const shown = { most: 20, noun: 'change', where: 'in conformance.json' };
  return section(layout, title, changes, shown, ({ clause, place, before, now }) =>
    indented(`${clause} ${place}: ${shortJson(before)} → ${shortJson(now)}`, 2, layout, 2),
  );
}

function notes(run: Run, layout: Layout): string[] {
  const shown = { most: 6, noun: 'note', where: 'in conformance.json' };
  return section(layout, 'Notes', run.notes, shown, (note) => indented(`- ${note}`, 2, layout, 2));
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

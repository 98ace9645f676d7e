import type { Api } from '../contract/clause.ts';
import { apiOf } from '../contract/clauses.ts';
import { type ClauseResult, type Drift, type Run, totalsOf, type Verdict, verdicts } from '../results/verdict.ts';
import { boundRun } from './bound-run.ts';
import {
  clauseInFull,
  clauseInShort,
  clauseObserved,
  indented,
  type Look,
  paint,
  paintVerdict,
} from './console-clause.ts';
import { counted, duration, oneLine, thousands } from './text.ts';
import { chaptersOf, headline, isStrict, tally } from './words.ts';

export interface ConsoleOptions {
  /** Off by default; the caller turns it on for a terminal without NO_COLOR. */
  readonly colour?: boolean;
  /** 100 by default. */
  readonly width?: number;
}

/**
 * The console report: chapters with their counts, failures in full, the rest in short, and the verdict as the last line.
 * Nothing that a target sent reaches the terminal as a control character, or starts a line.
 */
export function consoleReport(whole: Run, options: ConsoleOptions = {}): string {
  const look: Look = { colour: options.colour ?? false, width: options.width ?? 100 };
  const run = boundRun(whole);
  const sections = [
    head(run, look),
    chapters(run, look),
    failures(run, look),
    shortly('warn', isStrict(run) ? [] : run.clauses.filter(({ verdict }) => verdict === 'warn'), look),
    shortly(
      'inconclusive',
      run.clauses.filter(({ verdict, waiver }) => verdict === 'inconclusive' && !waiver),
      look,
    ),
    waived(run, look),
    skipped(run, look),
    observed(run, look),
    drift(run.drift, look),
    notes(run, look),
    totals(run, look),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n').trimEnd())
    .join('\n\n')}\n`;
}

const heading = (look: Look, text: string): string => paint(look, 'bold', text);

function head(run: Run, look: Look): string[] {
  const target = (api: Api): string => {
    const sent = paint(look, 'dim', counted(run.requests[api], 'request'));
    return `  ${`${api} API`.padEnd(14)} ${oneLine(run.targets[api]?.url ?? '', 200)}  ${sent}`;
  };
  return [
    heading(look, `${run.suite.name} ${run.suite.version}`),
    ...(Object.keys(run.targets) as Api[]).map(target),
    paint(look, 'dim', `  ${`seed ${run.seed}`.padEnd(14)} ${run.startedAt}, took ${duration(run.durationMs)}`),
  ];
}

/** Whether a clause was left out by whoever started the run. */
const leftOut = ({ outside }: ClauseResult): boolean => outside !== undefined;

/** One line a chapter: its name, and how many clauses have each verdict. What was left out is not shown. */
function chapters({ clauses }: Run, look: Look): string[] {
  const wanted = clauses.filter((clause) => !leftOut(clause));
  return [...Map.groupBy(wanted, ({ id }) => apiOf(id))].flatMap(([api, ofApi], index) => {
    const rows = chaptersOf(ofApi).map(({ name, clauses: own }) => {
      const counts = [...tally(own)]
        .sort(passFirst)
        .map(([verdict, many]) => paintVerdict(look, verdict, `${String(many).padStart(2)} ${verdict}`))
        .join('  ');
      return `  ${name.slice(api.length + 1).padEnd(14)} ${counts}`;
    });
    return [...(index > 0 ? [''] : []), heading(look, `${api} API`), ...rows];
  });
}

/** Passes stand in a column of their own, so that the eye runs down the rest. */
const passFirst = ([a]: readonly [Verdict, number], [b]: readonly [Verdict, number]): number =>
  Number(b === 'pass') - Number(a === 'pass');

/** What made the run fail, in full; with STRICT the warnings too. */
function failures(run: Run, look: Look): string[] {
  const wanted: readonly Verdict[] = isStrict(run) ? ['fail', 'warn', 'broken'] : ['fail', 'broken'];
  const failed = run.clauses.filter(({ verdict }) => wanted.includes(verdict));
  if (failed.length === 0) {
    return [];
  }
  return [
    heading(look, `Failed: ${counted(failed.length, 'clause')}`),
    '',
    ...failed.flatMap((clause) => clauseInFull(clause, look, 5)),
  ];
}

const titles: Readonly<Record<'warn' | 'inconclusive', string>> = {
  warn: 'Warnings (a should that does not hold)',
  inconclusive: 'Inconclusive (tried, and cannot be decided)',
};

function shortly(verdict: 'warn' | 'inconclusive', clauses: readonly ClauseResult[], look: Look): string[] {
  if (clauses.length === 0) {
    return [];
  }
  return [heading(look, titles[verdict]), ...clauses.flatMap((clause) => clauseInShort(clause, look))];
}

function waived({ clauses }: Run, look: Look): string[] {
  const set = clauses.filter(({ waiver }) => waiver !== undefined);
  if (set.length === 0) {
    return [];
  }
  return [
    heading(look, 'Waived (failed, and set aside by WAIVERS)'),
    '',
    ...set.flatMap((clause) => clauseInFull(clause, look, 3)),
  ];
}

/** Skipped clauses by the reason that they share. */
function skipped({ clauses }: Run, look: Look): string[] {
  const skips = clauses.filter(({ verdict }) => verdict === 'skip');
  if (skips.length === 0) {
    return [];
  }
  const groups = Map.groupBy(skips, ({ findings }) => oneLine(findings[0]?.message ?? 'no reason given', 600));
  const rows = [...groups].flatMap(([reason, own]) => [
    ...indented(`${counted(own.length, 'clause')}: ${reason}`, 2, look),
    ...indented(listed(own), 4, look).map((line) => paint(look, 'dim', line)),
  ]);
  return [heading(look, 'Skipped (not tried)'), ...rows];
}

/** Which clauses they are, in no more words than it takes. */
function listed(clauses: readonly ClauseResult[]): string {
  if (clauses.every(leftOut)) {
    return 'npm test -- --list shows them';
  }
  return clauses.length > 8 ? summary(clauses) : clauses.map(({ id }) => id).join(', ');
}

const summary = (clauses: readonly ClauseResult[]): string =>
  chaptersOf(clauses)
    .map(({ name, clauses: own }) => (own.length === 1 ? (own[0]?.id ?? name) : `${name} (${own.length})`))
    .join(', ');

function observed({ clauses }: Run, look: Look): string[] {
  const seen = clauses.filter((clause) => clause.observed !== null);
  if (seen.length === 0) {
    return [];
  }
  return [
    heading(look, 'Observed (where the documents are silent)'),
    ...seen.flatMap((clause) => clauseObserved(clause, look)),
  ];
}

function drift(changes: readonly Drift[], look: Look): string[] {
  if (changes.length === 0) {
    return [];
  }
  const rows = changes
    .slice(0, 30)
    .flatMap(({ clause, place, before, now }) =>
      indented(`${clause} ${place}: ${shortJson(before)} → ${shortJson(now)}`, 2, look),
    );
  const left = changes.length - Math.min(changes.length, 30);
  return [
    heading(look, `Drift: ${counted(changes.length, 'change')} against the profile`),
    ...rows,
    ...(left > 0 ? [`  … and ${counted(left, 'change')} more in conformance.json`] : []),
  ];
}

const shortJson = (value: unknown): string => oneLine(JSON.stringify(value) ?? '(absent)', 160);

function notes(run: Run, look: Look): string[] {
  if (run.notes.length === 0) {
    return [];
  }
  const left = run.notes.length - Math.min(run.notes.length, 40);
  return [
    heading(look, 'Notes'),
    ...run.notes.slice(0, 40).flatMap((note) => indented(`- ${note}`, 2, look)),
    ...(left > 0 ? [`  … and ${counted(left, 'note')} more in conformance.json`] : []),
  ];
}

/** Counts of all verdicts, and last the verdict of the run with its reason: the one line to read. */
function totals(run: Run, look: Look): string[] {
  const counts = totalsOf(run.clauses);
  const shown = verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => paintVerdict(look, verdict, `${thousands(counts[verdict])} ${verdict}`))
    .join(', ');
  const end: Verdict = run.conformant === null ? 'broken' : run.conformant ? 'pass' : 'fail';
  const word = paintVerdict(look, end, headline(run).toUpperCase());
  return [
    `${heading(look, 'Totals')}  ${shown}`,
    `${word} (exit status ${run.exitCode}): ${oneLine(run.reason, 1_000)}`,
  ];
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './instrument.ts';
import type { Fate } from './kill.ts';

/** A mutant that nothing tells from the unmutated code. */
export interface Survivor {
  readonly id: string;
  readonly line: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  /** Trials that ran with it; 0: none passes its place; null: it was not run again, since there is a reason. */
  readonly tried: number | null;
  /** Why it may survive; null: nobody has said. */
  readonly reason: string | null;
}

export interface FileRow {
  readonly file: string;
  readonly mutants: number;
  readonly killed: number;
  readonly survivors: readonly Survivor[];
}

/** What `npm run mutants` writes. */
export interface Report {
  readonly format: 1;
  readonly files: readonly FileRow[];
  /** Mutants that are not run, by reason. */
  readonly excluded: Readonly<Record<string, number>>;
}

export const reportFolder = join(root, 'reports/mutants');

/** The committed report; an empty one where there is none yet. */
export function readReport(): Report {
  try {
    return JSON.parse(readFileSync(join(reportFolder, 'mutants.json'), 'utf8')) as Report;
  } catch {
    return { format: 1, files: [], excluded: {} };
  }
}

/** The rows of the files whose mutants ran. */
export function rowsOf(fates: readonly Fate[], reasons: ReadonlyMap<string, string>): FileRow[] {
  const byFile = Map.groupBy(fates, ({ mutant }) => mutant.file);
  return [...byFile].map(([file, own]) => ({
    file,
    mutants: own.length,
    killed: own.filter(({ killed }) => killed).length,
    survivors: own
      .filter(({ killed }) => !killed)
      .map(
        ({ mutant: { id, line, mutator, original, replacement }, tried }): Survivor => ({
          id,
          line,
          mutator,
          original,
          replacement,
          tried,
          reason: reasons.get(id) ?? null,
        }),
      ),
  }));
}

const share = (part: number, of: number): string =>
  of === 0 ? '0 %' : `${(Math.floor((part / of) * 1000) / 10).toFixed(1)} %`;

/** The figures as lines of prose. */
export function figuresOf({ files }: Report): string[] {
  const sum = (of: (row: FileRow) => number): number => files.reduce((total, row) => total + of(row), 0);
  const [mutants, killed, explained] = [
    sum((row) => row.mutants),
    sum((row) => row.killed),
    sum(({ survivors }) => survivors.filter(({ reason }) => reason !== null).length),
  ];
  return [
    `${share(killed, mutants)} of ${mutants} mutants of the checks are killed (${killed}).`,
    `${mutants - killed} survive: ${explained} for a reason that is given, ${mutants - killed - explained} without.`,
  ];
}

const code = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'");
  return `\`${line.length > 110 ? `${line.slice(0, 109)}…` : line}\``;
};

/** The report as Markdown: figures, shares by file, survivors by reason. */
export function markdownOf(report: Report): string {
  const survivors = report.files.flatMap(({ file, survivors: own }) => own.map((one) => ({ file, ...one })));
  const byReason = Map.groupBy(survivors, ({ reason }) => reason ?? 'Not explained');
  return [
    '# Mutants of the checks',
    '',
    'Made by `npm run mutants`: each check is changed in one place at a time, and run against the plain reference, its faults and choices, and',
    'servers that describe no deployment. A mutant is killed where one of these runs comes out otherwise than with the unchanged check.',
    '',
    ...figuresOf(report).map((line) => `- ${line}`),
    '',
    'Not run:',
    '',
    ...Object.entries(report.excluded).map(([reason, count]) => `- ${count}: ${reason}`),
    '',
    '| file | mutants | killed | share | survivors |',
    '|---|---|---|---|---|',
    ...report.files.map(
      ({ file, mutants, killed }) =>
        `| ${file} | ${mutants} | ${killed} | ${share(killed, mutants)} | ${mutants - killed} |`,
    ),
    '',
    '## Survivors',
    '',
    ...[...byReason].flatMap(([reason, own]) => [
      `### ${reason} (${own.length})`,
      '',
      ...own.map(
        ({ file, line, original, replacement, tried }) =>
          `- ${file}:${line} ${code(original)} → ${code(replacement)}${tried === 0 ? ' (not reached)' : ''}`,
      ),
      '',
    ]),
  ].join('\n');
}

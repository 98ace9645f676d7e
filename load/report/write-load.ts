import { oneLine } from '../../reports/text.ts';
import { headline } from '../../reports/words.ts';
import { writeTogether } from '../../reports/write-files.ts';
import { scripts } from '../seam/plan.ts';
import { loadHtml } from './load-html.ts';
import { countsText, type LoadRun, traceCounts } from './load-run.ts';

/**
 * The console report: each clause with its findings, the counts, where the reports are, and the verdict as the last
 * line.
 */
export function loadConsole(run: LoadRun, where: string): string {
  const lines = [
    `${run.suite.name} ${run.suite.version}  load ${run.plan.script}: ${scripts[run.plan.script]}`,
    ...Object.entries(run.targets).map(([api, { url }]) => `  ${api.padEnd(10)} ${oneLine(url, 200)}`),
    '',
    ...run.clauses.flatMap(({ id, verdict, findings }) => [
      `  ${verdict.padEnd(13)} ${id}`,
      ...findings.slice(0, 5).map(({ message }) => `${' '.repeat(16)}${oneLine(message, 400)}`),
    ]),
    ...[...run.judged].flatMap(([key, { says }]) => says.map((text) => `  ${key}: ${oneLine(text, 300)}`)),
    ...run.notes.map((note) => `  - ${oneLine(note, 300)}`),
    '',
    `${countsText([...run.samples.values()].flat()) || 'no call was made'}; ${where}`,
    `${headline(run).toUpperCase()} (exit status ${run.exitCode}): ${oneLine(run.reason, 600)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** load-NAME.json, format 1. Other programs read it, so fields are only ever added, and never change their meaning. */
function loadJson(run: LoadRun): string {
  const { suite, startedAt, durationMs, targets, k6, conformant, exitCode, reason } = run;
  const { script, clockSpeed } = run.plan;
  const byKey = [...run.samples].map(([key, samples]) => [key, traceCounts(samples)]);
  const report = {
    format: 1,
    ...{ script, suite, startedAt, durationMs, targets, clockSpeed, k6, conformant, exitCode, reason },
    clauses: run.clauses,
    keys: Object.fromEntries([...run.judged].map(([key, { detail }]) => [key, detail])),
    trace: {
      ...traceCounts([...run.samples.values()].flat()),
      partial: run.partial,
      byKey: Object.fromEntries(byKey),
    },
    notes: run.notes,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/**
 * Writes load-NAME.json and load-NAME.html into the folder. `clean` removes secrets from every text once more. Throws
 * CannotRun if a file cannot be written.
 */
export function writeLoad(run: LoadRun, folder: string, clean: (text: string) => string): void {
  const texts = new Map([
    [`load-${run.plan.script}.html`, clean(loadHtml(run))],
    [`load-${run.plan.script}.json`, clean(loadJson(run))],
  ]);
  writeTogether(folder, texts);
}

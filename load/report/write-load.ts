import { writeTogether } from '../../reports/write-files.ts';
import { loadHtml } from './load-html.ts';
import { type LoadRun, traceCounts } from './load-run.ts';

/** load-NAME.json, format 1. Other programs read it, so fields are only ever added, and never change their meaning. */
function loadJson(run: LoadRun): string {
  const { script, suite, startedAt, durationMs, targets, clockSpeed, k6, conformant, exitCode, reason } = run;
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
    [`load-${run.script}.html`, clean(loadHtml(run))],
    [`load-${run.script}.json`, clean(loadJson(run))],
  ]);
  writeTogether(folder, texts);
}

import { toRow } from '../seam/plan.ts';
import { type LoadRun, traceCounts } from './load-run.ts';
import { worstMinute } from './worst-minute.ts';

/** load-NAME.json, format 1. Other programs read it, so fields are only ever added, and never change their meaning. */
export function loadJson(run: LoadRun): string {
  const all = [...run.samples.values()].flat();
  const byKey = Object.fromEntries(
    [...run.samples].map(([key, samples]) => [
      key,
      { ...traceCounts(samples), worstMinute: worstMinute(samples, run.clockSpeed) },
    ]),
  );
  const report = {
    format: 1,
    script: run.script,
    suite: run.suite,
    startedAt: run.startedAt,
    durationMs: run.durationMs,
    targets: run.targets,
    clockSpeed: run.clockSpeed,
    k6: run.k6,
    instances: run.instances,
    conformant: run.conformant,
    exitCode: run.exitCode,
    reason: run.reason,
    clauses: run.clauses,
    keys: run.keys,
    trace: { ...traceCounts(all), partial: run.partial, byKey },
    notes: run.notes,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** load-NAME.trace.jsonl: every call, with up to 500 calls of a key on each line, as `--traces` reads it. */
export function traceLines(run: LoadRun): string {
  const lines: string[] = [];
  for (const [subject, samples] of run.samples) {
    for (let start = 0; start < samples.length; start += 500) {
      lines.push(JSON.stringify({ t: 'samples', subject, rows: samples.slice(start, start + 500).map(toRow) }));
    }
  }
  return lines.map((line) => `${line}\n`).join('');
}

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CannotRun } from '../../suites/kit/stop.ts';
import { loadHtml } from './load-html.ts';
import { loadJson, traceLines } from './load-json.ts';
import type { LoadRun } from './load-run.ts';

/**
 * Writes load-NAME.json, load-NAME.html and load-NAME.trace.jsonl into the folder: each beside its place first, the JSON
 * moved last. `clean` gets every text last: the belt to redaction. Throws CannotRun where a file cannot be written.
 */
export function writeLoad(run: LoadRun, folder: string, clean: (text: string) => string): void {
  const name = `load-${run.script}`;
  const texts: [string, string][] = [[`${name}.trace.jsonl`, traceLines(run)], [`${name}.html`, loadHtml(run)], [`${name}.json`, loadJson(run)]];
  const pending = texts.map(([file, text]) => ({ text: clean(text), temporary: join(folder, `.${file}.${process.pid}.tmp`), final: join(folder, file) }));
  try {
    mkdirSync(folder, { recursive: true });
    for (const { temporary, text } of pending) writeFileSync(temporary, text);
    for (const { temporary, final } of pending) renameSync(temporary, final);
  } catch (cause) {
    for (const { temporary } of pending) rmSync(temporary, { force: true });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CannotRun(`Cannot write the reports to ${resolve(folder)}: ${why}; set REPORTS_DIR to a folder that can be written`);
  }
}

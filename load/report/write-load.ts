import { writeTogether } from '../../reports/write-files.ts';
import { loadHtml } from './load-html.ts';
import { loadJson, traceLines } from './load-json.ts';
import type { LoadRun } from './load-run.ts';

/**
 * Writes load-NAME.json, load-NAME.html and load-NAME.trace.jsonl into the folder. `clean` removes secrets from every
 * text once more. Throws CannotRun if a file cannot be written.
 */
export function writeLoad(run: LoadRun, folder: string, clean: (text: string) => string): void {
  const name = `load-${run.script}`;
  const texts: [string, string][] = [
    [`${name}.trace.jsonl`, traceLines(run)],
    [`${name}.html`, loadHtml(run)],
    [`${name}.json`, loadJson(run)],
  ];
  writeTogether(folder, new Map(texts.map(([file, text]) => [file, clean(text)])));
}

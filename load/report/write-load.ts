import { accessSync, constants, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cannotWrite } from '../../reports/write.ts';
import { loadHtml } from './load-html.ts';
import { loadJson, traceLines } from './load-json.ts';
import type { LoadRun } from './load-run.ts';

/** Makes the folder before a run that takes minutes. Throws CannotRun where it cannot be written to. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw cannotWrite(folder, cause);
  }
}

/**
 * Writes load-NAME.json, load-NAME.html and load-NAME.trace.jsonl into the folder: each beside its place first, the JSON
 * moved last. `clean` gets every text last: the belt to redaction. Throws CannotRun where a file cannot be written.
 */
export function writeLoad(run: LoadRun, folder: string, clean: (text: string) => string): void {
  const name = `load-${run.script}`;
  const texts: [string, string][] = [[`${name}.trace.jsonl`, traceLines(run)], [`${name}.html`, loadHtml(run)], [`${name}.json`, loadJson(run)]];
  const pending = texts.map(([file, text]) => ({ text: clean(text), temporary: join(folder, `.${file}.${process.pid}.tmp`), final: join(folder, file) }));
  try {
    for (const { temporary, text } of pending) writeFileSync(temporary, text);
    for (const { temporary, final } of pending) renameSync(temporary, final);
  } catch (cause) {
    for (const { temporary } of pending) rmSync(temporary, { force: true });
    throw cannotWrite(folder, cause);
  }
}
